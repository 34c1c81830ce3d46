// What a bot thinks or has found: its view of the position, its depth, and on demand the moves that it expects.
// Hovering or focusing those shows them on the board.

import type { Signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { getJson, searchesOf } from '../net/catalog.ts';
import type { Change } from '../net/rooms.ts';
import { moveLabel } from '../record/moveList.tsx';
import type { Marks, RoomState, Search } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { listen } from '../ui/listen.ts';
import { token } from '../ui/settings.ts';
import type { Hand } from './hand.ts';
import { botCount } from './state.ts';
import type { Thought } from './thoughts.ts';
import { expected, isOfNow, shareOfX, thought } from './thoughts.ts';
import { searchWords } from './words.ts';

type Props = {
  hand: Hand;
  searches: Record<number, Search>;
  /** The ply of the move that the player points at. */
  pointed: number | null;
  /** Whether the expected moves are shown. */
  unfolded: Signal<boolean>;
};

export function Thinking({ hand, searches, pointed, unfolded }: Props) {
  const { state } = hand.room;
  const told = hand.likes.thoughts ? thought(state, searches, pointed) : null;
  const now = told !== null && isOfNow(state, told);
  const moves = expected(told);
  const line = unfolded.value ? moves : [];
  const drawn = now ? line.join(' ') : '';
  const looks = hand.imagined.value.length > 0;
  const look = (on: boolean) => () => (hand.imagined.value = on ? line : []);
  // A deeper search updates the preview.
  useEffect(() => {
    if (looks && hand.imagined.peek().join(' ') !== drawn) hand.imagined.value = now ? line : [];
  }, [drawn]);
  useEffect(
    () => () => {
      hand.imagined.value = [];
    },
    [hand],
  );
  const share = told ? shareOfX(told) : null;
  return (
    <div class="thinking" hidden={!told}>
      <span
        class={share === null ? 'value-bar unknown' : 'value-bar'}
        aria-hidden="true"
        style={{ '--share': share ?? 0.5 }}
      >
        <span />
      </span>
      <p class="found">
        {told && (
          <span>
            <strong>{label(state, told, hand.marks)}</strong> {searchWords(told)}
          </span>
        )}
        {moves.length > 0 && (
          <Button
            say="thoughts.expects"
            class="quiet fold"
            aria-expanded={unfolded.value}
            act={() => (unfolded.value = !unfolded.value)}
          />
        )}
      </p>
      {line.length > 0 && !now && <p class="thought-line">{line.join(' ')}</p>}
      {drawn && (
        // Focus without a keyboard is a touch: it also previews, until something else is touched.
        <button
          type="button"
          class="thought-line quiet"
          title={t('thoughts.line')}
          onMouseEnter={look(true)}
          onMouseLeave={look(false)}
          onFocus={look(true)}
          onBlur={look(false)}
        >
          {drawn}
        </button>
      )}
    </div>
  );
}

/** The move that was found, or who is still thinking. */
function label({ game }: RoomState, { ply, by }: Thought, marks: Marks) {
  return ply === null ? `${marks[by]}:` : moveLabel(game.moves[ply], game.start.length + ply);
}

/** By ply; empty if the player does not want to see thoughts. */
export function useSearches({ room, likes }: Hand): Record<number, Search> {
  const [recorded, setRecorded] = useState<Record<number, Search>>({});
  useEffect(() => {
    let wanted = true;
    const load = async () => {
      const { game, searches } = room.state;
      if (!botCount(room.state) || game.id === null || !game.moves.length || Object.keys(searches ?? {}).length) return;
      const record = await getJson(`/api/games/${game.id}`, token()).catch(() => null);
      if (wanted && record && room.state.game.id === game.id) setRecorded(searchesOf(record));
    };
    const changed = ({ detail: { kind, event: what } }: CustomEvent<Change>) => {
      if (what?.e === 'started' || what?.e === 'takenback') setRecorded({});
      // In rated games they are revealed at the end.
      if (kind === 'snapshot' || what?.e === 'ended') void load();
    };
    void load();
    const end = listen(room, { change: changed });
    return () => {
      wanted = false;
      end();
    };
  }, [room]);
  return likes.thoughts ? { ...recorded, ...room.state.searches } : {};
}
