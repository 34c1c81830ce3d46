// @ts-check
// A position as small boards show it: by cell numbers, as the lobby's list has it. Pure.
//
// Cells are numbered as everywhere behind the wire: x + M*y on flat boards (y = 0 is the lowest rank), x + N*y + N*N*z
// in cubes, 9*board + square on nine boards.

import { shownBoards } from './position.js';

/** @typedef {import('../types/page.js').Rules} Rules */
/** @typedef {{board: string, owners: string, lit: number[], forced: number|null}} SmallPosition
 *   `board` and `owners` hold x, o or . for each cell and each of nine boards; `lit` are cells to point out, `forced`
 *   is the board to play in, from 0, null where there is none. */

const FILES = 'abcdefghijklmnopqrs';
const NINE = '.........';

/** @param {Rules} rules */
export function cellCount(rules) {
  return rules.dimensions.reduce((cells, size) => cells * size, 1);
}

/** @param {Rules} rules @param {string} text a move */
export function cellNumber(rules, text) {
  if (rules.nested) return 9 * (Number(text[0]) - 1) + Number(text[2]) - 1;
  const [columns, rows] = rules.dimensions;
  const [, file, rank, level] = /^([a-s])(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return FILES.indexOf(file) + columns * (Number(rank) - 1) + columns * rows * (Number(level ?? 1) - 1);
}

/** Of a running game as the lobby lists it; null where it came without its board, or one that does not fit the rules.
 * @param {Rules} rules @param {import('../types/page.js').RunningRoom} room @returns {SmallPosition|null} */
export function listedPosition(rules, room) {
  if (room.board?.length !== cellCount(rules)) return null;
  const last = room.last ? cellNumber(rules, room.last) : null;
  const owners = room.owners ?? '';
  return {
    board: room.board,
    owners,
    lit: last === null ? [] : [last],
    forced: forcedBoard(rules, room.board, owners, last),
  };
}

/** After moves, the start included. @param {Rules} rules @param {string[]} moves @param {string[]} [line] what won
 * @returns {SmallPosition} */
export function positionAfter(rules, moves, line) {
  const cells = Array(cellCount(rules)).fill('.');
  moves.forEach((move, ply) => (cells[cellNumber(rules, move)] = 'xo'[ply % 2]));
  const board = cells.join('');
  const owners = shownBoards(rules, moves)
    .owners.map((owner) => owner ?? '.')
    .join('');
  const lit = (line?.length ? line : moves.slice(-1)).map((move) => cellNumber(rules, move));
  return { board, owners, lit, forced: line ? null : forcedBoard(rules, board, owners, lit.at(-1) ?? null) };
}

/** @param {Rules} rules @param {string} board @param {string} owners @param {number|null} last */
function forcedBoard(rules, board, owners, last) {
  if (!rules.nested || last === null) return null;
  const sent = last % 9;
  const full = !board.slice(9 * sent, 9 * sent + 9).includes('.');
  const closed = full || (rules.id.startsWith('ultimate') && (owners || NINE)[sent] !== '.');
  return closed ? null : sent;
}
