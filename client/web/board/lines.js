// @ts-check
// The lines that win on flat boards and in cubes: which cells make one, who can still complete it. Pure.

import { t } from '../i18n/language.js';

/** @typedef {import('../types/page.js').Side} Side */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {'open'|'x'|'o'|'dead'} LineState who can still complete a line: both, one side, nobody */

/** One of each two opposite directions: columns, rows and levels on. */
const DIRECTIONS = [-1, 0, 1].flatMap((c) => [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((l) => [c, r, l]))).slice(14);

/**
 * How many in a row win; null where that is not what wins.
 * @param {import('../types/page.js').Rules} rules @returns {number|null}
 */
export function inARow(rules) {
  if (rules.nested) return null;
  const mnk = /^mnk:\d+,\d+,(\d+)$/.exec(rules.id);
  if (mnk) return Number(mnk[1]);
  return rules.id === 'gomoku' ? 5 : rules.dimensions[0]; // cubes and tic-tac-toe: from side to side
}

/** @param {Geometry} board @param {number|null} length @returns {string[][]} the cells of each line, in order */
export function linesOf(board, length) {
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

/** @param {string[]} line @param {Map<string, Side>} marks @returns {LineState} */
export function stateOfLine(line, marks) {
  const sides = new Set(line.map((cell) => marks.get(cell)));
  if (sides.has('x') && sides.has('o')) return 'dead';
  return sides.has('x') ? 'x' : sides.has('o') ? 'o' : 'open';
}

/** @param {string[][]} lines @param {Map<string, Side>} marks @param {string} cell */
export function linesThrough(lines, marks, cell) {
  return lines.filter((line) => line.includes(cell)).map((line) => ({ cells: line, state: stateOfLine(line, marks) }));
}

/**
 * The empty cells where a side would complete a line.
 * @param {string[][]} lines @param {Map<string, Side>} marks @returns {Map<string, 'x'|'o'|'xo'>}
 */
export function threats(lines, marks) {
  /** @type {Map<string, 'x'|'o'|'xo'>} */
  const found = new Map();
  for (const line of lines) {
    const empty = line.filter((cell) => !marks.has(cell));
    if (empty.length !== 1) continue;
    const state = stateOfLine(line, marks);
    if (state !== 'x' && state !== 'o') continue;
    const before = found.get(empty[0]);
    found.set(empty[0], before && before !== state ? 'xo' : state);
  }
  return found;
}

/** "7 lines: 4 open, 2 for X, 1 dead" @param {{state: LineState}[]} through @param {{x: string, o: string}} names */
export function linesWords(through, names) {
  if (!through.length) return t('lines.none');
  const states = /** @type {const} */ (['open', 'x', 'o', 'dead']).map((state) => {
    const count = through.filter((line) => line.state === state).length;
    if (!count) return '';
    return state === 'x' || state === 'o'
      ? t('lines.for', { count, mark: names[state] })
      : t(`lines.${state}`, { count });
  });
  return t('lines.through', { count: through.length, states: states.filter(Boolean).join(', ') });
}
