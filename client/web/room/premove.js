// @ts-check
// A move planned on the opponent's turn: what may be planned, and what becomes of it. Pure.
//
//   kept      while the opponent thinks, in the position it was planned in
//   play      at one's turn, the opponent having made one move: sent for the ply it was planned for
//   illegal   the same, but the cell is not open any more
//   gone      everything else: a takeback, the end, another game, a position that is not the one it was planned in

import { smallBoards } from '../board/position.js';
import { isMyTurn, isRunning } from './state.js';

/** @typedef {import('../types/page.js').RoomState} RoomState */
/** @typedef {{serial: number, before: string[], move: string}} Plan `before`: the moves when it was planned */
/** @typedef {'kept'|'play'|'illegal'|'gone'} Fate */

/** Whether this page's player waits for an opponent's move. @param {RoomState} room */
export function mayPlan(room) {
  return isRunning(room) && !isMyTurn(room) && (room.you === 'x' || room.you === 'o');
}

/**
 * The cells that may be planned: those that are empty and in no closed board. Which of them will be open nobody knows.
 * @param {RoomState} room @param {import('../board/geometry.js').Geometry} board @returns {Set<string>}
 */
export function plannable(room, board) {
  if (!mayPlan(room)) return new Set();
  const all = [...room.game.start, ...room.game.moves];
  const taken = new Set(all);
  const { closed } = board.kind === 'nested' ? smallBoards(room.game.game, all) : { closed: [] };
  const open = [...board.cells.values()].filter((cell) => !taken.has(cell.text) && !closed[cell.grid]);
  return new Set(open.map((cell) => cell.text));
}

/** @param {RoomState} room @param {string} move @returns {Plan} */
export function plan(room, move) {
  return { serial: room.game.serial, before: room.game.moves, move };
}

/**
 * @param {Plan} planned @param {RoomState} room
 * @param {Set<string>} open the cells that this page's player may play now @param {boolean} away whether what happened was missed and is told only now
 * @returns {Fate}
 */
export function resolvePremove(planned, room, open, away) {
  const { game } = room;
  const { before } = planned;
  if (game.serial !== planned.serial || !isRunning(room)) return 'gone';
  if (!before.every((move, ply) => game.moves[ply] === move)) return 'gone';
  const since = game.moves.length - before.length;
  if (since === 0) return mayPlan(room) ? 'kept' : 'gone';
  if (since !== 1 || away || !isMyTurn(room)) return 'gone';
  return open.has(planned.move) ? 'play' : 'illegal';
}
