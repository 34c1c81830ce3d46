// @ts-check
// What this page's player may play now. Pure. The server decides what is legal; where it leaves the list out, its rule is
// simple enough to follow here.

import { smallBoards } from '../board/position.js';
import { isMyTurn } from './state.js';

/**
 * The cells that this page's player may play now.
 * @param {import('../types/page.js').RoomState} room @param {import('../board/geometry.js').Geometry} board
 * @returns {Set<string>}
 */
export function playable(room, board) {
  if (!isMyTurn(room) || !room.game.started) return new Set();
  // Replayed events come without the list, or with an empty one.
  if (room.game.legal?.length) return new Set(room.game.legal);
  const { game } = room;
  const all = [...game.start, ...game.moves];
  const taken = new Set(all);
  const { closed } = board.kind === 'nested' ? smallBoards(game.game, all) : { closed: [] };
  const free = [...board.cells.values()].filter(
    (cell) => !taken.has(cell.text) && !closed[cell.grid] && (!game.forced || cell.grid === game.forced - 1),
  );
  return new Set(free.map((cell) => cell.text));
}
