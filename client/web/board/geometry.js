// @ts-check
// Where the cells of a board stand, what they are called, and which is next to which. Pure.
//
// Flat boards are one grid, cubes one grid a level, nested boards one grid a small board. Rows run from the top of
// the screen: rank 1 is at the bottom, as in chess; nested boards are in reading order.

import { t } from '../i18n/language.js';
import { spokenMove } from '../i18n/moveWords.js';

const FILES = 'abcdefghijklmnopqrs';

/** @typedef {{text: string, spoken: string, grid: number, row: number, column: number}} Cell */
/** @typedef {{label: string, rows: Cell[][]}} Grid */
/** @typedef {{kind: 'flat'|'cube'|'nested', columns: number, rows: number, grids: Grid[], files: string[],
 *             ranks: string[], cells: Map<string, Cell>}} Geometry */

/** @param {import('../types/page.js').Rules} rules @returns {Geometry} */
export function geometry(rules) {
  if (rules.nested) return nested();
  const [columns, rows, levels] = rules.dimensions;
  const files = [...FILES.slice(0, columns)];
  const ranks = Array.from({ length: rows }, (_, i) => String(rows - i));
  /** @type {Grid[]} */
  const grids = [];
  for (let level = 1; level <= (levels ?? 1); level++) {
    const cellsOf = ranks.map((rank, row) =>
      files.map((file, column) => cell(levels ? `${file}${rank}.${level}` : `${file}${rank}`, level - 1, row, column)),
    );
    grids.push({ label: levels ? t('board.level', { level }) : t('board.flat'), rows: cellsOf });
  }
  return { kind: levels ? 'cube' : 'flat', columns, rows, grids, files, ranks, cells: index(grids) };
}

/** @returns {Geometry} */
function nested() {
  const three = [0, 1, 2];
  const grids = Array.from({ length: 9 }, (_, grid) => ({
    label: t('board.small', { board: grid + 1 }),
    rows: three.map((row) => three.map((column) => cell(`${grid + 1}/${3 * row + column + 1}`, grid, row, column))),
  }));
  return { kind: 'nested', columns: 3, rows: 3, grids, files: [], ranks: [], cells: index(grids) };
}

/** @param {string} text @param {number} grid @param {number} row @param {number} column @returns {Cell} */
function cell(text, grid, row, column) {
  return { text, spoken: spokenMove(text), grid, row, column };
}

/** @param {Grid[]} grids @returns {Map<string, Cell>} */
function index(grids) {
  return new Map(grids.flatMap((grid) => grid.rows.flat().map((cell) => [cell.text, cell])));
}

/**
 * The cell that a key leads to, or null where it leads nowhere. Arrows walk a grid, on nested boards all 9 x 9;
 * PageUp and PageDown go to the same place of the grid before or after.
 * @param {Geometry} board @param {Cell} from @param {string} key @param {boolean} far with Ctrl: to the very end
 * @returns {Cell|null}
 */
export function neighbour(board, from, key, far = false) {
  const at = (/** @type {number} */ grid, /** @type {number} */ row, /** @type {number} */ column) =>
    board.grids[grid]?.rows[row]?.[column] ?? null;
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

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** How many grids stand side by side where there is room for `most`. @param {Geometry} board @param {boolean} narrow */
export function gridsAcross(board, narrow) {
  if (board.kind === 'flat') return 1;
  if (board.kind === 'nested' || board.columns === 3) return 3;
  if (narrow) return 2;
  return board.columns === 4 ? 4 : 3;
}
