// @ts-check
// A small drawing of each game, from its rules.

import { svg } from '../ui/dom.js';

const SIZE = 56;

/** @param {import('../types/page.js').Rules} rules @returns {Element} */
export function picture(rules) {
  const [columns, rows, levels] = rules.dimensions;
  const drawn = rules.nested ? nested(rules.id) : levels ? cube(levels) : flat(columns, rows);
  return svg('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, class: 'picture', 'aria-hidden': 'true' }, ...drawn);
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} name */
function line(x1, y1, x2, y2, name = 'p-line') {
  return svg('line', { x1, y1, x2, y2, class: name });
}

/** @param {number} x @param {number} y @param {number} r */
function cross(x, y, r) {
  return svg('path', { d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`, class: 'p-x' });
}

/** @param {number} cx @param {number} cy @param {number} r */
function nought(cx, cy, r) {
  return svg('circle', { cx, cy, r, class: 'p-o' });
}

/** @param {number} columns @param {number} rows */
function flat(columns, rows) {
  const count = Math.min(9, Math.max(columns, rows)); // more lines than this would be a grey blur
  const step = SIZE / count;
  const parts = [];
  for (let i = 1; i < count; i++) {
    parts.push(line(i * step, 3, i * step, SIZE - 3), line(3, i * step, SIZE - 3, i * step));
  }
  const middle = Math.floor(count / 2);
  const at = (/** @type {number} */ i) => (i + 0.5) * step;
  const r = step * 0.26;
  parts.push(cross(at(middle), at(middle), r), nought(at(middle + 1), at(middle - 1), r * 1.1));
  parts.push(cross(at(middle - 1), at(middle - 1), r));
  if (count > 3) parts.push(nought(at(middle + 1), at(middle), r * 1.1), cross(at(middle - 1), at(middle), r));
  return parts;
}

/** @param {number} levels */
function cube(levels) {
  const parts = [];
  const gap = (SIZE - 18) / (levels - 1 + 0.001);
  for (let level = 0; level < levels; level++) {
    const y = 9 + level * gap;
    parts.push(svg('path', { d: `M28 ${y - 8}l25 8l-25 8l-25 -8z`, class: 'p-level' }));
  }
  for (let level = 0; level < levels; level++) {
    // One upright line: what a cube has and a flat board has not.
    parts.push(svg('circle', { cx: 28, cy: 9 + level * gap, r: 2.6, class: 'p-dot' }));
  }
  return parts;
}

/** @param {string} id */
function nested(id) {
  const parts = [];
  const step = SIZE / 3;
  for (let board = 0; board < 9; board++) {
    const x = (board % 3) * step;
    const y = Math.floor(board / 3) * step;
    const won = id !== 'nine-board' && [2, 4, 6].includes(board);
    if (!won || id === 'super') {
      for (let i = 1; i < 3; i++) {
        const at = 2 + (i * (step - 4)) / 3;
        parts.push(
          line(x + at, y + 2, x + at, y + step - 2, 'p-thin'),
          line(x + 2, y + at, x + step - 2, y + at, 'p-thin'),
        );
      }
    }
    if (won) parts.push(cross(x + step / 2, y + step / 2, step * 0.3));
    if (id !== 'nine-board' && board === 0) parts.push(nought(x + step / 2, y + step / 2, step * 0.3));
    if (id === 'nine-board' && board === 4) {
      for (let i = 0; i < 3; i++)
        parts.push(svg('circle', { cx: x + 4.4 + i * 4.9, cy: y + 4.4 + i * 4.9, r: 1.9, class: 'p-dot' }));
    }
  }
  for (let i = 1; i < 3; i++) parts.push(line(i * step, 1, i * step, SIZE - 1), line(1, i * step, SIZE - 1, i * step));
  return parts;
}
