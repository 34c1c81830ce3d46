// A position for small boards, by cell numbers, as the lobby's list has it. Pure.
//
// Cells are numbered as in the protocol: x + M*y on flat boards (y = 0 is the lowest rank), x + N*y + N*N*z in cubes,
// 9*board + square on nested boards.

import type { Rules, RunningRoom } from '../types/page.d.ts';
import { shownBoards } from './position.ts';

/**
 * `board` and `owners` hold x, o or . for each cell and each of the nine boards; `lit` are highlighted cells; `forced`
 * is the board to play in, from 0, or null.
 */
export type SmallPosition = { board: string; owners: string; lit: number[]; forced: number | null };

const FILES = 'abcdefghijklmnopqrst';
const NINE = '.........';

export function cellCount(rules: Rules) {
  return rules.dimensions.reduce((cells, size) => cells * size, 1);
}

/** @param text a move */
export function cellNumber(rules: Rules, text: string) {
  if (rules.nested) return 9 * (Number(text[0]) - 1) + Number(text[2]) - 1;
  const [columns, rows] = rules.dimensions;
  const [, file, rank, level] = /^([a-t])(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return FILES.indexOf(file) + columns * (Number(rank) - 1) + columns * rows * (Number(level ?? 1) - 1);
}

/** A running game from the lobby's list; null if its board is missing or does not fit the rules. */
export function listedPosition(rules: Rules, room: RunningRoom): SmallPosition | null {
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

/** The position after moves, including the start. @param line the winning cells */
export function positionAfter(rules: Rules, moves: string[], line?: string[]): SmallPosition {
  const cells = Array(cellCount(rules)).fill('.');
  moves.forEach((move, ply) => (cells[cellNumber(rules, move)] = 'xo'[ply % 2]));
  const board = cells.join('');
  const owners = shownBoards(rules, moves)
    .owners.map((owner) => owner ?? '.')
    .join('');
  const lit = (line?.length ? line : moves.slice(-1)).map((move) => cellNumber(rules, move));
  return { board, owners, lit, forced: line ? null : forcedBoard(rules, board, owners, lit.at(-1) ?? null) };
}

function forcedBoard(rules: Rules, board: string, owners: string, last: number | null) {
  if (!rules.nested || last === null) return null;
  const sent = last % 9;
  const full = !board.slice(9 * sent, 9 * sent + 9).includes('.');
  const closed = full || (rules.id.startsWith('ultimate') && (owners || NINE)[sent] !== '.');
  return closed ? null : sent;
}
