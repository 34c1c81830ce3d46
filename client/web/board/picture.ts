// A small drawing of each game, from its rules.

import type { Rules, Side } from '../types/page.d.ts';
import { svg } from './dom.ts';
import { inARow } from './lines.ts';
import type { Place } from './marks.ts';
import { crosses, noughts } from './marks.ts';

const SIZE = 56;

export function picture(rules: Rules): Element {
  const [columns, rows, levels] = rules.dimensions;
  const drawn = rules.nested ? nested(rules.id) : levels ? cube(levels) : flat(columns, rows, inARow(rules) ?? 3);
  return svg('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, class: 'picture', 'aria-hidden': 'true' }, ...drawn);
}

export function line(x1: number, y1: number, x2: number, y2: number, name: string = 'p-line') {
  return svg('line', { x1, y1, x2, y2, class: name });
}

export function marks(side: Side, places: Place[], r: number) {
  const d = side === 'x' ? crosses(places, r) : noughts(places, r * 1.1);
  return svg('path', { d, class: `p-${side}` });
}

/** A winning row, and some marks that do not win. */
function flat(columns: number, rows: number, length: number) {
  const count = Math.min(7, Math.max(columns, rows)); // more grid lines than this would blur to grey
  const step = SIZE / count;
  const parts = [];
  for (let i = 1; i < count; i++) {
    parts.push(line(i * step, 3, i * step, SIZE - 3), line(3, i * step, SIZE - 3, i * step));
  }
  const first = Math.floor((count - length) / 2);
  const at = (column: number, row: number) => ({ x: (column + 0.5) * step, y: (row + 0.5) * step });
  const won = Array.from({ length }, (_, i) => at(first + i, first + length - 1 - i));
  const others = [at(first, first), at(first + 1, first)];
  if (length > 3) others.push(at(first + 2, first + length - 1), at(first + length - 1, first + 1));
  parts.push(marks('x', won, step * 0.26), marks('o', others, step * 0.26));
  return parts;
}

function cube(levels: number) {
  const parts = [];
  const gap = (SIZE - 18) / (levels - 1 + 0.001);
  for (let level = 0; level < levels; level++) {
    const y = 9 + level * gap;
    parts.push(svg('path', { d: `M28 ${y - 8}l25 8l-25 8l-25 -8z`, class: 'p-level' }));
  }
  for (let level = 0; level < levels; level++) {
    // One vertical line, which only a cube has.
    parts.push(svg('circle', { cx: 28, cy: 9 + level * gap, r: 2.6, class: 'p-dot' }));
  }
  return parts;
}

function nested(id: string) {
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
    if (won) parts.push(marks('x', [{ x: x + step / 2, y: y + step / 2 }], step * 0.3));
    if (id !== 'nine-board' && board === 0) parts.push(marks('o', [{ x: x + step / 2, y: y + step / 2 }], step * 0.3));
    if (id === 'nine-board' && board === 4) {
      for (let i = 0; i < 3; i++)
        parts.push(svg('circle', { cx: x + 4.4 + i * 4.9, cy: y + 4.4 + i * 4.9, r: 1.9, class: 'p-dot' }));
    }
  }
  for (let i = 1; i < 3; i++) parts.push(line(i * step, 1, i * step, SIZE - 1), line(1, i * step, SIZE - 1, i * step));
  return parts;
}
