// The winning lines of flat boards and cubes: which cells they have, and who can still complete them. Pure.

import { EXACT } from '../i18n/gameWords.ts';
import { joined, t } from '../i18n/language.ts';
import type { Marks, Rules, Side } from '../types/page.d.ts';
import type { Geometry } from './geometry.ts';

/** who can still complete a line */
export type LineState = 'open' | 'x' | 'o' | 'dead';

/** One of each pair of opposite directions, as columns, rows and levels. */
const DIRECTIONS = [-1, 0, 1].flatMap((c) => [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((l) => [c, r, l]))).slice(14);

/** How many in a row win; null in games won otherwise. */
export function inARow(rules: Rules): number | null {
  if (rules.nested) return null;
  const mnk = /^mnk:\d+,\d+,(\d+)/.exec(rules.id);
  if (mnk) return Number(mnk[1]);
  return rules.id === 'gomoku' ? 5 : rules.dimensions[0]; // cubes and tic-tac-toe: from edge to edge
}

/** Whether only exact lines win, not longer ones. */
export const isExact = (rules: Rules) => rules.id.endsWith(EXACT);

/** The lines through a side's cell that win; on an exact board, none that are parts of longer ones. */
export function completed(lines: string[][], exact: boolean, marks: Map<string, Side>, cell: string) {
  const side = marks.get(cell);
  const full = lines.filter((line) => line.every((each) => marks.get(each) === side));
  // Two lines that cross share one cell.
  const goesOn = (line: string[]) =>
    full.some((other) => other !== line && other.filter((each) => line.includes(each)).length > 1);
  return full.filter((line) => line.includes(cell) && !(exact && goesOn(line)));
}

/** @returns the cells of each line, in order */
export function linesOf(board: Geometry, length: number | null): string[][] {
  if (!length) return [];
  const lines = [];
  for (const cell of board.cells.values()) {
    for (const [right, down, on] of DIRECTIONS) {
      const line = [];
      for (let i = 0; i < length; i++) {
        const next = board.grids[cell.grid + i * on]?.rows[cell.row + i * down]?.[cell.column + i * right];
        if (next) line.push(next.text);
      }
      if (line.length === length) lines.push(line);
    }
  }
  return lines;
}

export function stateOfLine(line: string[], marks: Map<string, Side>): LineState {
  const sides = new Set(line.map((cell) => marks.get(cell)));
  if (sides.has('x') && sides.has('o')) return 'dead';
  return sides.has('x') ? 'x' : sides.has('o') ? 'o' : 'open';
}

export function linesThrough(lines: string[][], marks: Map<string, Side>, cell: string) {
  return lines.filter((line) => line.includes(cell)).map((line) => ({ cells: line, state: stateOfLine(line, marks) }));
}

/** The empty cells where a side would complete a line. */
export function threats(lines: string[][], exact: boolean, marks: Map<string, Side>): Map<string, 'x' | 'o' | 'xo'> {
  const found: Map<string, 'x' | 'o' | 'xo'> = new Map();
  for (const line of lines) {
    const empty = line.filter((cell) => !marks.has(cell));
    if (empty.length !== 1) continue;
    const state = stateOfLine(line, marks);
    if (state !== 'x' && state !== 'o') continue;
    if (exact && !completed(lines, exact, new Map(marks).set(empty[0], state), empty[0]).length) continue;
    const before = found.get(empty[0]);
    found.set(empty[0], before && before !== state ? 'xo' : state);
  }
  return found;
}

/** "7 lines (4 open, 2 for X, 1 blocked)" */
export function linesWords(through: { state: LineState }[], names: Marks) {
  if (!through.length) return t('lines.none');
  const states = (['open', 'x', 'o', 'dead'] as const).map((state) => {
    const count = through.filter((line) => line.state === state).length;
    if (!count) return '';
    return state === 'x' || state === 'o'
      ? t('lines.for', { count, mark: names[state] })
      : t(`lines.${state}`, { count });
  });
  return t('lines.through', { count: through.length, states: joined(states, ', ') });
}

/**
 * A stroke through a winning line: on one grid, or across small boards if `grid` is null. The unit is a cell, or a
 * small board.
 */
export type Strike = { grid: number | null; path: string };

/** How far a stroke extends beyond the centres of its end cells. */
const BEYOND = 0.32;
/** Rows and columns of a step: across, down, and both diagonals. */
const FLAT = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** @param least the length of a winning row */
export function strikes(board: Geometry, line: Set<string>, least: number): Strike[] {
  if (!line.size) return [];
  const whole = board.grids.map(
    (grid) => board.kind === 'nested' && grid.rows.flat().every((cell) => line.has(cell.text)),
  );
  const found = board.grids.flatMap((grid, number) =>
    whole[number]
      ? []
      : runs((row, column) => line.has(grid.rows[row]?.[column]?.text ?? ''), board.rows, board.columns, least).map(
          (path): Strike => ({ grid: number, path }),
        ),
  );
  const across = runs((row, column) => column >= 0 && column < 3 && whole[3 * row + column], 3, 3, 3);
  return [...found, ...across.map((path): Strike => ({ grid: null, path }))];
}

/** Paths through rows of at least `least`. */
function runs(has: (row: number, column: number) => boolean, rows: number, columns: number, least: number) {
  const paths: string[] = [];
  for (const [down, right] of FLAT)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        if (!has(row, column) || has(row - down, column - right)) continue;
        let length = 1;
        while (has(row + length * down, column + length * right)) length++;
        if (length < least) continue;
        const far = length - 1 + 2 * BEYOND;
        paths.push(`M${column + 0.5 - BEYOND * right} ${row + 0.5 - BEYOND * down}l${far * right} ${far * down}`);
      }
  return paths;
}
