// What a position shows: marks, owners of small boards, where the next move goes. Pure.

import type { Rules, Side } from '../types/page.d.ts';
import type { Picture } from './board.ts';

/** The lines of a small board, and of the nine boards. */
export const LINES = ['123', '456', '789', '147', '258', '369', '159', '357'].map((line) => [...line]);

/** @param ply counted over all moves, including the start */
export function sideAt(ply: number): Side {
  return ply % 2 === 0 ? 'x' : 'o';
}

/** @param moves including the start */
export function marksAfter(moves: string[]): Map<string, Side> {
  return new Map(moves.map((move, ply) => [move, sideAt(ply)]));
}

/** The small boards of a nested game after these moves: who won each first, and which are closed. */
export function smallBoards(game: string, moves: string[]): { owners: (Side | null)[]; closed: boolean[] } {
  const owners: (Side | null)[] = Array(9).fill(null);
  const counts = Array(9).fill(0);
  const marks = new Map();
  moves.forEach((move, ply) => {
    const side = sideAt(ply);
    const board = Number(move[0]) - 1;
    marks.set(move, side);
    counts[board] += 1;
    const done = LINES.some((line) => line.every((square) => marks.get(`${board + 1}/${square}`) === side));
    if (done) owners[board] ??= side;
  });
  const closesWonBoards = game.startsWith('ultimate');
  return { owners, closed: owners.map((owner, board) => counts[board] === 9 || (closesWonBoards && owner !== null)) };
}

/**
 * The board 1-9 that the next move must be made in: null for a free choice, undefined on other boards.
 * @param moves including the start
 */
export function forcedAfter(rules: Rules, moves: string[]): number | null | undefined {
  if (!rules.nested) return undefined;
  const last = moves.at(-1);
  if (!last) return null;
  const square = Number(last[2]);
  return smallBoards(rules.id, moves).closed[square - 1] ? null : square;
}

/**
 * The board 1-9 that a move would send the opponent to; null for any open one, undefined if it ends the game.
 * @param moves including the start
 * @param move the next one
 */
export function leadsTo(rules: Rules, moves: string[], move: string): number | null | undefined {
  const all = [...moves, move];
  const { owners, closed } = smallBoards(rules.id, all);
  const side = sideAt(moves.length);
  const wins =
    rules.id === 'nine-board'
      ? owners.some(Boolean)
      : LINES.some((line) => line.every((square) => owners[Number(square) - 1] === side));
  return wins || closed.every(Boolean) ? undefined : forcedAfter(rules, all);
}

/**
 * Whether these moves left only one cell to play in.
 * @param moves including the start
 */
export function onlyMove(rules: Rules, moves: string[]) {
  if (!rules.nested) return rules.dimensions.reduce((cells, size) => cells * size, 1) - moves.length === 1;
  const { closed } = smallBoards(rules.id, moves);
  const forced = forcedAfter(rules, moves);
  const counts = Array(9).fill(9);
  for (const move of moves) counts[Number(move[0]) - 1] -= 1;
  const free = forced ? counts[forced - 1] : counts.reduce((sum, count, board) => sum + (closed[board] ? 0 : count), 0);
  return free === 1;
}

/**
 * The small boards as the board shows them: in nine-board the first won board ends the game, so none is owned.
 * @param moves including the start
 */
export function shownBoards(rules: Rules, moves: string[]): { owners: (Side | null)[]; closed: boolean[] } {
  if (!rules.nested) return { owners: [], closed: [] };
  const { owners, closed } = smallBoards(rules.id, moves);
  return { owners: rules.id === 'nine-board' ? Array(9).fill(null) : owners, closed };
}

/**
 * The picture of a position that cannot be played. Callers add what else they know.
 * @param moves including the start
 */
export function pictureOf(rules: Rules, moves: string[], names: Picture['names']): Picture {
  return {
    ...shownBoards(rules, moves),
    marks: marksAfter(moves),
    names,
    playable: new Set(),
    mover: null,
    last: moves.at(-1) ?? null,
    line: new Set(),
    pending: null,
    forced: forcedAfter(rules, moves),
    over: false,
    leads: (cell) => leadsTo(rules, moves, cell),
  };
}
