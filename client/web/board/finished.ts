// Whether a game is over by its rules. Pure.

import type { Rules } from '../types/page.d.ts';
import { geometry } from './geometry.ts';
import { completed, inARow, isExact, linesOf } from './lines.ts';
import { leadsTo, marksAfter } from './position.ts';

/** @param moves including the start */
export function isFinished(rules: Rules, moves: string[]) {
  const last = moves.at(-1);
  if (!last) return false;
  if (rules.nested) return leadsTo(rules, moves.slice(0, -1), last) === undefined;
  const board = geometry(rules);
  const marks = marksAfter(moves);
  const full = marks.size === board.cells.size;
  // Only the last move can have completed a line.
  return full || completed(linesOf(board, inARow(rules)), isExact(rules), marks, last).length > 0;
}
