// Another game like the one in a room. Pure.

import type { Asked, RoomState } from '../types/page.d.ts';

/**
 * The `create` message for a game like this: the request that made the room, if this page did; otherwise the same game,
 * clock and bots of this server, open to anybody.
 * @param asked what made the room, if this page did
 */
export function sameSettings(room: RoomState, asked: Asked | null): Asked {
  if (asked) return asked;
  const { clock, seats, you, rated } = room;
  const message: Asked = { game: room.game.game };
  const told = clock?.move_ms
    ? { move_ms: clock.move_ms }
    : clock?.initial_ms
      ? { initial_ms: clock.initial_ms, increment_ms: clock.increment_ms ?? 0 }
      : null;
  if (told) message.clock = told;
  if (room.game.start.length) message.start = room.game.start;
  if (you === 'both') return { ...message, opponent: { kind: 'self' } };
  const x = seats.x?.bot;
  const o = seats.o?.bot;
  if (x && o) return { ...message, seat: 'none', bots: { x, o } };
  if (rated) message.rated = true;
  const bot = x ?? o;
  return { ...message, seat: 'random', opponent: bot ? { kind: 'bot', bot } : { kind: room.code ? 'invite' : 'open' } };
}
