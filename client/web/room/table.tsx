// The view of a room: the game, the players above and below the board, and the panel beside it.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useReducer } from 'preact/hooks';
import { joined, t } from '../i18n/language.ts';
import type { Marks, RoomState, Side } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';
import { chatMuted } from '../ui/settings.ts';
import { unstored } from '../ui/storage.ts';
import { Hosted, useTitle } from '../ui/view.tsx';
import { announce } from './announce.ts';
import { PlayerBar } from './bar.tsx';
import { clockWords } from './clock.ts';
import type { Hand } from './hand.ts';
import { Panel } from './panel.tsx';
import { botCount, isMyTurn, isRunning, other } from './state.ts';
import { Under } from './under.tsx';
import { Waiting } from './waiting.tsx';
import { counted, ratedSentence, statusSentence } from './words.ts';

const NARROW = '(max-width: 60rem)'; // as in the stylesheet

export function Table({ hand }: { hand: Hand }) {
  const narrow = useNarrow();
  const muted = useSignal(chatMuted());
  const tab = useSignal('moves');
  const unfolded = useSignal(false);
  const { room, rules, board } = hand;
  const { state } = room;
  const mine = hand.marks;
  useLayoutEffect(() => hand.start(), [hand]); // the board never appears without its position
  useEffect(() => announce(hand), [hand]);
  const myTurn = isMyTurn(state) && isRunning(state);
  useTitle(myTurn && state.you !== 'both' ? t('room.your-turn', { title: rules.name }) : rules.name);
  const bottom: Side = state.you === 'o' ? 'o' : 'x';
  const chatBeside = !narrow && isTalkative(state);
  return (
    <div
      class={`room game-room room-${board.geometry.kind} ${classes(state, myTurn)}`}
      data-plies={state.game.moves.length}
      data-game={state.game.serial}
      style={{ '--board-columns': board.geometry.columns, '--board-rows': board.geometry.rows }}
    >
      <div class="room-head">
        <h1 tabIndex={-1}>{rules.name}</h1>
        <small class="muted">{facts(state)}</small>
        <p class="status">{told(state, mine)}</p>
        {state.you && unstored('token') && <p class="warning small-print">{t(`room.storage.${unstored('token')}`)}</p>}
      </div>
      <div class="board-area">
        <div class="stage">
          <div class="seat seat-theirs">
            <PlayerBar state={state} side={other(bottom)} marks={mine} />
          </div>
          <div class="board-place">
            <Hosted node={board.node} class="hosted" />
            <Waiting hand={hand} />
          </div>
          <div class="seat seat-mine">
            <PlayerBar state={state} side={bottom} marks={mine} />
            <Under hand={hand} chatSeen={chatBeside || tab.value === 'chat'} />
          </div>
          <Hosted node={board.tools} />
        </div>
      </div>
      <Panel hand={hand} muted={muted} tab={tab} unfolded={unfolded} chatBeside={chatBeside} />
    </div>
  );
}

function classes(state: RoomState, myTurn: boolean) {
  const { game, rated } = state;
  return joined([myTurn && 'my-turn', game.result && 'over', botCount(state) && 'with-bot', rated && 'rated']);
}

/** The clock, rated or not, and the spectators. */
function facts({ clock, game, rated, spectators, you }: RoomState) {
  const parts = [
    clockWords(clock),
    rated && t('room.rated'),
    game.serial > 1 && t('room.game-number', { number: game.serial }),
    !you && game.started && t('room.you-watch'),
    spectators > 0 && t('room.watching', { count: spectators }),
  ];
  return joined(parts, ' · ');
}

function told(state: RoomState, mine: Marks) {
  const tooShort = counted(state) ? '' : ratedSentence(state);
  return joined([statusSentence(state, mine), tooShort]);
}

/** Whether people play or may join on both sides, or somebody has written something. */
function isTalkative(state: RoomState) {
  return state.chat.length > 0 || (state.you !== 'both' && !botCount(state));
}

function useNarrow() {
  const media = matchMedia(NARROW);
  const [, again] = useReducer((times: number) => times + 1, 0);
  useEffect(() => listen(media, { change: () => again(undefined) }), []);
  return media.matches;
}
