// What this page's player may play now. Pure. The server decides what is legal; where it leaves the list out, its rule is
// simple enough to follow here.

import type { Geometry } from '../board/geometry.ts';
import { smallBoards } from '../board/position.ts';
import type { RoomState } from '../types/page.d.ts';
import { isMyTurn } from './state.ts';

/** The cells that this page's player may play now. */
export function playable(room: RoomState, board: Geometry): Set<string> {
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
