// @ts-check
// Whether a game is over by its rules, so that nobody can play on. Pure.

import { geometry } from './geometry.js';
import { inARow, linesOf } from './lines.js';
import { leadsTo, marksAfter } from './position.js';

/** @param {import('../types/page.js').Rules} rules @param {string[]} moves the start included */
export function isFinished(rules, moves) {
  const last = moves.at(-1);
  if (!last) return false;
  if (rules.nested) return leadsTo(rules, moves.slice(0, -1), last) === undefined;
  const board = geometry(rules);
  const marks = marksAfter(moves);
  const full = marks.size === board.cells.size;
  // Only the last move can have completed a line.
  return (
    full ||
    linesOf(board, inARow(rules)).some(
      (line) => line.includes(last) && line.every((cell) => marks.get(cell) === marks.get(last)),
    )
  );
}
