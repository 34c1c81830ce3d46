// What the player may play or plan, and what becomes of a move planned on the opponent's turn. Pure.
//
//   kept      while the opponent thinks, in the position it was planned in
//   play      at the player's turn, after exactly one move: sent for the ply it was planned for
//   illegal   the same, but the cell is no longer open
//   gone      everything else: a takeback, the end, another game, a different position

import type { Cell, Geometry } from '../board/geometry.ts';
import { smallBoards } from '../board/position.ts';
import type { RoomState } from '../types/page.d.ts';
import { isMyTurn, isRunning } from './state.ts';

/** `before`: the moves when it was planned */
export type Plan = { serial: number; before: string[]; move: string };
export type Fate = 'kept' | 'play' | 'illegal' | 'gone';

/** Whether the player waits for an opponent's move. */
export function mayPlan(room: RoomState) {
  return isRunning(room) && !isMyTurn(room) && (room.you === 'x' || room.you === 'o');
}

/** Empty cells that are not in a closed board. */
function freeCells({ game }: RoomState, board: Geometry): Cell[] {
  const all = [...game.start, ...game.moves];
  const taken = new Set(all);
  const { closed } = board.kind === 'nested' ? smallBoards(game.game, all) : { closed: [] };
  return [...board.cells.values()].filter((cell) => !taken.has(cell.text) && !closed[cell.grid]);
}

function named(cells: Cell[]) {
  return new Set(cells.map((cell) => cell.text));
}

/** The cells that may be planned: it is unknown which of them will be open. */
export function plannable(room: RoomState, board: Geometry): Set<string> {
  return named(mayPlan(room) ? freeCells(room, board) : []);
}

/**
 * The cells that the player may play now. The server decides what is legal; where it leaves the list out, its rule is
 * simple enough to apply here.
 */
export function playable(room: RoomState, board: Geometry): Set<string> {
  const { forced, legal, started } = room.game;
  if (!isMyTurn(room) || !started) return new Set();
  // Replayed events have no list, or an empty one.
  if (legal?.length) return new Set(legal);
  return named(freeCells(room, board).filter((cell) => !forced || cell.grid === forced - 1));
}

export function plan(room: RoomState, move: string): Plan {
  return { serial: room.game.serial, before: room.game.moves, move };
}

/**
 * @param open the cells that the player may play now
 * @param away whether the events were missed and are replayed only now
 */
export function resolvePremove(planned: Plan, room: RoomState, open: Set<string>, away: boolean): Fate {
  const { game } = room;
  const { before } = planned;
  if (game.serial !== planned.serial || !isRunning(room)) return 'gone';
  if (!before.every((move, ply) => game.moves[ply] === move)) return 'gone';
  const since = game.moves.length - before.length;
  if (since === 0) return mayPlan(room) ? 'kept' : 'gone';
  if (since !== 1 || away || !isMyTurn(room)) return 'gone';
  return open.has(planned.move) ? 'play' : 'illegal';
}
