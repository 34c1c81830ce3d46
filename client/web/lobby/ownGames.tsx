// The player's own games as live boards: opponent, turn, and time left. Games that wait for a move come first.

import { useEffect } from 'preact/hooks';
import { positionAfter } from '../board/smallPosition.ts';
import { playerName } from '../i18n/botWords.ts';
import { shortGameName } from '../i18n/gameWords.ts';
import { pieces, t } from '../i18n/language.ts';
import { roomPath } from '../net/address.ts';
import type { LiveRoom } from '../net/rooms.ts';
import { clockText, remaining_ms } from '../room/clock.ts';
import { isMyTurn, isRunning, other } from '../room/state.ts';
import type { RoomState } from '../types/page.d.ts';
import { useTick } from '../ui/listen.ts';
import { Name } from '../ui/names.tsx';
import { setOwnGames } from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';
import { BotTag, GameCard } from './gameCard.tsx';

const TICK_MS = 500;

/** Rooms where this player has a seat and the game waits or runs, as far as they are known yet. */
export function useOwnRooms() {
  const { rooms } = useApp();
  const live = [...rooms.live.values()].filter(({ state }) => state.you && !state.game.result);
  return { live, coming: rooms.coming };
}

export function OwnGames() {
  const { connection } = useApp();
  const { live, coming } = useOwnRooms();
  const count = live.length + coming.length;
  const known = connection.state === 'open';
  useEffect(() => {
    if (known) setOwnGames(count);
  }, [known, count]);
  if (!count) return null;
  const order = (room: LiveRoom) => (isMyTurn(room.state) ? 0 : isRunning(room.state) ? 1 : 2);
  return (
    <section class="mine-panel">
      <h2>{t('lobby.mine')}</h2>
      <ul class="game-cards strip">
        {[...live]
          .sort((a, b) => order(a) - order(b))
          .map((room) => (
            <OwnCard key={room.state.room} state={room.state} />
          ))}
        {coming.map((id) => (
          <li class="game-card" key={id}>
            <a href={roomPath(id)}>
              <div class="card-board" />
              <span class="card-name">{t('page.game.unknown')}</span>
              <span class="card-turn">{t('lobby.go-on')}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OwnCard({ state }: { state: RoomState }) {
  const { game, you } = state;
  const mine = isMyTurn(state);
  return (
    <GameCard
      class={mine ? 'my-turn' : ''}
      href={roomPath(state.room)}
      verb={t(isRunning(state) ? 'lobby.go-on' : 'lobby.open')}
      game={game.game}
      position={(rules) => positionAfter(rules, [...game.start, ...game.moves])}
    >
      <span class="card-name">
        <Opponent state={state} />
      </span>{' '}
      <span class="card-turn">
        {t(
          !isRunning(state)
            ? 'lobby.own.waiting'
            : you === 'both'
              ? 'lobby.own.both'
              : mine
                ? 'lobby.own.turn'
                : 'lobby.own.theirs',
        )}
      </span>{' '}
      <small class="card-about">
        {shortGameName({ id: game.game })}
        {state.clock && <TimeLeft state={state} />}
      </small>
    </GameCard>
  );
}

function Opponent({ state: { you, seats } }: { state: RoomState }) {
  if (you === 'both') return <>{t('create.way.self')}</>;
  const seat = seats[other(you ?? 'x')];
  if (!seat) return <>{t('lobby.own.nobody')}</>;
  return (
    <>
      {pieces('lobby.own.against', { name: <Name name={playerName(seat)} /> })}
      {seat.kind === 'bot' && <BotTag />}
    </>
  );
}

/** The time left to the side to move, counting down. */
function TimeLeft({ state: { clock, game, ts } }: { state: RoomState }) {
  const { connection } = useApp();
  useTick(clock?.running ? TICK_MS : null);
  if (!clock) return null;
  const side = clock.running ?? game.to_move ?? 'x';
  return <span class="card-clock"> · {clockText(remaining_ms(clock, side, ts, connection.serverNow()))}</span>;
}
