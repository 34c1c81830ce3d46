// Which games the lobby shows. A card keeps its place while its game is listed, and new games take the places of ended
// ones, so that nothing moves under a pointer. Pure.

import type { GameAnswer, RunningRoom } from '../types/page.d.ts';

/** `over`: the game has ended or is no longer listed. Its card keeps its place for a while. */
export type Card = { room: RunningRoom; over: boolean };

/**
 * The ids in their places: games that are still listed stay, new ones fill gaps or are appended. With `held` nothing
 * changes.
 */
export function places(before: string[], listed: string[], held: boolean): string[] {
  const fresh = listed.filter((id) => !before.includes(id));
  if (held) return before;
  const kept = before.map((id) => (listed.includes(id) ? id : (fresh.shift() ?? ''))).filter(Boolean);
  return [...kept, ...fresh];
}

/** The cards after a new list from the server. */
export function nextCards(before: Card[], listed: RunningRoom[], held: boolean): Card[] {
  const ids = (rooms: RunningRoom[]) => rooms.map((room) => room.room);
  const order = places(ids(before.map((card) => card.room)), ids(listed), held);
  return order.map((id) => {
    const room = listed.find((each) => each.room === id);
    return room
      ? { room, over: false }
      : { room: before.find((card) => card.room.room === id)?.room as RunningRoom, over: true };
  });
}

/** Whose turn it is, by the marks on the board. */
export function toMove(board: string) {
  const count = (mark: string) => board.split(mark).length;
  return count('x') > count('o') ? 'o' : 'x';
}

const ENDS = ['line', 'board_full', 'count', 'resignation', 'agreement'];

/** A finished game worth a look: of the chosen kind if there is one, and with the most moves. */
export function worthALook(games: GameAnswer[], game: string) {
  const whole = games.filter((each) => each.termination !== null && ENDS.includes(each.termination));
  const same = whole.filter((each) => each.game === game);
  return (same.length ? same : whole).reduce(
    (best, each) => (best && (best.plies ?? 0) >= (each.plies ?? 0) ? best : each),
    null as GameAnswer | null,
  );
}
