// Where a board's cells are, what they are called, and which are neighbours. Pure.
//
// Flat boards are one grid, cubes have a grid for each level, nested boards one for each small board. Rows run from the
// top of the screen: rank 1 is at the bottom, as in chess; nested boards are in reading order.

import { t } from '../i18n/language.ts';
import { spokenMove } from '../i18n/moveWords.ts';
import type { Rules } from '../types/page.d.ts';

const FILES = 'abcdefghijklmnopqrst';

export type Cell = { text: string; spoken: string; grid: number; row: number; column: number };
export type Grid = { label: string; rows: Cell[][] };
export type Geometry = {
  kind: 'flat' | 'cube' | 'nested';
  columns: number;
  rows: number;
  grids: Grid[];
  files: string[];
  ranks: string[];
  cells: Map<string, Cell>;
};

export function geometry(rules: Rules): Geometry {
  if (rules.nested) return nested();
  const [columns, rows, levels] = rules.dimensions;
  const files = [...FILES.slice(0, columns)];
  const ranks = Array.from({ length: rows }, (_, i) => String(rows - i));
  const grids: Grid[] = [];
  for (let level = 1; level <= (levels ?? 1); level++) {
    const cellsOf = ranks.map((rank, row) =>
      files.map((file, column) => cell(levels ? `${file}${rank}.${level}` : `${file}${rank}`, level - 1, row, column)),
    );
    grids.push({ label: levels ? t('board.level', { level }) : t('board.flat'), rows: cellsOf });
  }
  return { kind: levels ? 'cube' : 'flat', columns, rows, grids, files, ranks, cells: index(grids) };
}

function nested(): Geometry {
  const three = [0, 1, 2];
  const grids = Array.from({ length: 9 }, (_, grid) => ({
    label: t('board.small', { board: grid + 1 }),
    rows: three.map((row) => three.map((column) => cell(`${grid + 1}/${3 * row + column + 1}`, grid, row, column))),
  }));
  return { kind: 'nested', columns: 3, rows: 3, grids, files: [], ranks: [], cells: index(grids) };
}

function cell(text: string, grid: number, row: number, column: number): Cell {
  return { text, spoken: spokenMove(text), grid, row, column };
}

function index(grids: Grid[]): Map<string, Cell> {
  return new Map(grids.flatMap((grid) => grid.rows.flat().map((cell) => [cell.text, cell])));
}

/**
 * The cell that a key leads to, or null. Arrows move within a grid, on nested boards across all 9 x 9; PageUp and
 * PageDown go to the same cell of the previous or next grid.
 * @param far with Ctrl: all the way
 */
export function neighbour(board: Geometry, from: Cell, key: string, far: boolean = false): Cell | null {
  const at = (grid: number, row: number, column: number) => board.grids[grid]?.rows[row]?.[column] ?? null;
  const lastRow = board.rows - 1;
  const lastColumn = board.columns - 1;
  switch (key) {
    case 'PageUp':
      return at(from.grid - 1, from.row, from.column);
    case 'PageDown':
      return at(from.grid + 1, from.row, from.column);
    case 'Home':
      return far ? at(0, 0, 0) : at(from.grid, from.row, 0);
    case 'End':
      return far ? at(board.grids.length - 1, lastRow, lastColumn) : at(from.grid, from.row, lastColumn);
  }
  const step = STEPS[key];
  if (!step) return null;
  const [down, right] = step;
  if (board.kind !== 'nested') return at(from.grid, from.row + down, from.column + right);
  const row = 3 * Math.floor(from.grid / 3) + from.row + down;
  const column = 3 * (from.grid % 3) + from.column + right;
  if (row < 0 || row > 8 || column < 0 || column > 8) return null;
  return at(3 * Math.floor(row / 3) + Math.floor(column / 3), row % 3, column % 3);
}

/** How many rows down and columns right each arrow key moves. */
export const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** How many grids to put side by side where `most` fit. */
export function gridsAcross(board: Geometry, narrow: boolean) {
  if (board.kind === 'flat') return 1;
  if (board.kind === 'nested' || board.columns === 3) return 3;
  if (narrow) return 2;
  return board.columns === 4 ? 4 : 3;
}
