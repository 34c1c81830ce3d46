// The rules of each game in a picture: for flat boards the final position of the guided game with its line, for cubes
// kinds of lines, for nested boards where a move sends the opponent and what wins. Drawn from the rules, with a
// description.

import { svg } from '../board/dom.ts';
import type { Cell } from '../board/geometry.ts';
import { geometry } from '../board/geometry.ts';
import { marks as drawnMarks, line } from '../board/picture.ts';
import { t } from '../i18n/language.ts';
import type { Rules, Side } from '../types/page.d.ts';
import { marks } from '../ui/settings.ts';
import { lessonFor } from './lessons.ts';
import { Table } from './position.ts';

const SIZE = 320;

type Point = [x: number, y: number];
type Corner = [column: number, row: number, level: number];

/** The drawing and its description: one sentence, or one for each of its numbers. */
export function rulesPicture(rules: Rules): { drawing: Element; captions: string[] } {
  const { kind } = geometry(rules);
  const [drawing, captions] = kind === 'flat' ? flat(rules) : kind === 'cube' ? cube(rules) : nested(rules);
  return { drawing, captions };
}

function sheet(width: number, height: number, label: string, ...parts: Element[]) {
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, class: 'learn-drawing', role: 'img', 'aria-label': label },
    ...parts,
  );
}

function strokes(side: Side, [x, y]: Point, r: number) {
  return drawnMarks(side, [{ x, y }], r);
}

function words(x: number, y: number, text: string, name: string) {
  const node = svg('text', { x, y, class: name });
  node.textContent = text;
  return node;
}

// Flat boards

function flat(rules: Rules): [Element, string[]] {
  const table = new Table(rules);
  const { columns, rows, cells } = table.geometry;
  const end = table.after(lessonFor(rules).moves);
  const step = SIZE / Math.max(columns, rows);
  const [width, height] = [step * columns, step * rows];
  const at = (cell: string): Point => {
    const place = cells.get(cell) as Cell;
    return [(place.column + 0.5) * step, (place.row + 0.5) * step];
  };
  const parts: SVGElement[] = end.line.map((cell) => {
    const [x, y] = at(cell);
    return svg('rect', { x: x - step / 2, y: y - step / 2, width: step, height: step, class: 'l-win' });
  });
  for (let i = 0; i <= columns; i++) parts.push(line(i * step, 0, i * step, height, 'p-line'));
  for (let i = 0; i <= rows; i++) parts.push(line(0, i * step, width, i * step, 'p-line'));
  for (const [cell, side] of end.marks) parts.push(strokes(side, at(cell), step * 0.26));
  const whole = [...end.line].sort((a, b) => at(a)[0] - at(b)[0] || at(a)[1] - at(b)[1]);
  const [first, last] = [at(whole[0]), at(whole.at(-1) as string)];
  parts.push(line(...first, ...last, 'l-strike'));
  const caption = t('learn.picture.flat', { x: marks().x, count: end.line.length });
  return [sheet(width, height, caption, ...parts), [caption]];
}

// Cubes

/** Lines of each kind, by the column, row and level of their first cell and their step, counted from the top left. */
const KINDS = ['row', 'upright', 'slice', 'space'];

function cube(rules: Rules): [Element, string[]] {
  const size = rules.dimensions[0];
  const last = size - 1;
  const ends: [Corner, Corner][] = [
    [
      [0, last, last],
      [last, last, last],
    ],
    [
      [last, 0, 0],
      [last, 0, last],
    ],
    [
      [0, last, 0],
      [0, 0, last],
    ],
    [
      [0, 0, 0],
      [last, last, last],
    ],
  ];
  const width = SIZE;
  const wide = width / (size + size / 2 + 0.6);
  const deep = wide * 0.5;
  const level_height = deep * size + 22;
  const height = level_height * size + 6;
  /** The centre of a cell; levels are below each other, as on the board. */
  const at = (column: number, row: number, level: number): Point => [
    (column + 0.5) * wide + (size - row - 0.5) * wide * 0.5 + 14,
    level * level_height + (row + 0.5) * deep + 8,
  ];
  const corner = (column: number, row: number, level: number) => {
    const [x, y] = at(column - 0.5, row - 0.5, level);
    return `${x} ${y}`;
  };
  const parts: Element[] = [];
  for (let level = 0; level < size; level++) {
    parts.push(
      svg('path', {
        d: `M${corner(0, 0, level)}L${corner(size, 0, level)}L${corner(size, size, level)}L${corner(0, size, level)}z`,
        class: 'p-level',
      }),
    );
    for (let i = 1; i < size; i++) {
      parts.push(
        svg('path', {
          d: `M${corner(i, 0, level)}L${corner(i, size, level)}M${corner(0, i, level)}L${corner(size, i, level)}`,
          class: 'p-line l-grid',
        }),
      );
    }
    const [x, y] = at(-0.5, size - 0.5, level);
    parts.push(words(Math.max(7, x - 14), y + 8, String(level + 1), 'l-level'));
  }
  ends.forEach(([from, to], kind) => {
    const step = from.map((value, i) => Math.sign(to[i] - value));
    const cells = Array.from({ length: size }, (_, i) =>
      at(...(from.map((value, axis) => value + i * step[axis]) as Corner)),
    );
    parts.push(line(...cells[0], ...cells[last], `l-line l-kind-${kind + 1}`));
    for (const [cx, cy] of cells) parts.push(svg('circle', { cx, cy, r: 5, class: `l-dot l-kind-${kind + 1}` }));
  });
  // The numbers come last, so that no line covers them.
  ends.forEach(([from], kind) => {
    const [x, y] = at(...from);
    parts.push(
      svg('circle', { cx: x, cy: y, r: 15, class: `l-number l-kind-${kind + 1}` }),
      words(x, y + 8, String(kind + 1), 'l-number-text l-large'),
    );
  });
  const captions = KINDS.map((kind) => t(`learn.picture.cube.${kind}`, { count: size }));
  return [sheet(width, height, t('learn.picture.cube', { count: size }), ...parts), captions];
}

// Nested boards

type Stands = [side: Side, board: number, squares: number[]];

/** Nine-board: X sends O to the top right, and has won the board at the bottom left. */
const NINE: Stands[] = [
  ['x', 4, [2]],
  ['o', 4, [6]],
  ['o', 1, [4]],
  ['o', 8, [0, 5]],
  ['x', 0, [7]],
  ['x', 6, [0, 4, 8]],
  ['o', 6, [1, 3]],
];
/** The other games: X has won the boards in the middle, O one below. */
const BIG: Stands[] = [
  ['x', 0, [2]],
  ['o', 0, [4]],
];
const WON: [Side, number][] = [
  ['x', 3],
  ['x', 4],
  ['x', 5],
  ['o', 7],
];
/** In Super the marks below stay visible, as more are played there. */
const BELOW: Stands[] = [
  ['x', 3, [0, 3, 6]],
  ['o', 3, [2, 8]],
  ['x', 4, [2, 4, 6]],
  ['o', 4, [0, 5]],
  ['x', 5, [1, 4, 7]],
  ['o', 5, [2, 8]],
  ['o', 7, [0, 4, 8]],
];

function nested(rules: Rules): [Element, string[]] {
  const isNine = rules.id === 'nine-board';
  const isSuper = rules.id === 'super';
  const big = SIZE / 3;
  const cell = (big - 16) / 3;
  const corner = (board: number) => [(board % 3) * big + 8, Math.floor(board / 3) * big + 8];
  const at = (board: number, square: number): Point => {
    const [x, y] = corner(board);
    return [x + ((square % 3) + 0.5) * cell, y + (Math.floor(square / 3) + 0.5) * cell];
  };
  const box = (board: number, name: string) => {
    const [x, y] = corner(board);
    return svg('rect', { x: x - 4, y: y - 4, width: 3 * cell + 8, height: 3 * cell + 8, rx: 6, class: name });
  };
  const grid = (board: number) => {
    const [x, y] = corner(board);
    return [1, 2].flatMap((i) => [
      line(x + i * cell, y, x + i * cell, y + 3 * cell, 'p-line l-grid'),
      line(x, y + i * cell, x + 3 * cell, y + i * cell, 'p-line l-grid'),
    ]);
  };
  const owner = (side: Side, board: number) => {
    const drawn = strokes(side, at(board, 4), cell * 1.1);
    drawn.classList.add(isSuper ? 'l-owner-over' : 'l-owner');
    return drawn;
  };
  const numbered = (x: number, y: number, number: string) => [
    svg('circle', { cx: x, cy: y, r: 10, class: 'l-number' }),
    words(x, y + 4.5, number, 'l-number-text'),
  ];
  // X's move sends O to the board at the top right.
  const from = isNine ? at(4, 2) : at(0, 2);
  const [left, top] = corner(2);
  const to = [left - 6, top + 1.5 * cell];
  const [wonLeft, wonTop] = corner(isNine ? 6 : 5);
  const stands = isNine ? NINE : isSuper ? [...BELOW, ...BIG] : BIG;
  const parts = [
    box(2, 'l-target'),
    ...(isNine ? [6] : [3, 4, 5]).map((board) => box(board, 'l-win')),
    ...Array.from({ length: 9 }, (_, board) => grid(board)).flat(),
    ...[1, 2].flatMap((i) => [
      line(i * big, 2, i * big, SIZE - 2, 'l-frame'),
      line(2, i * big, SIZE - 2, i * big, 'l-frame'),
    ]),
    ...stands.flatMap(([side, board, squares]) =>
      squares.map((square) => strokes(side, at(board, square), cell * 0.26)),
    ),
    ...(isNine ? [] : WON.map(([side, board]) => owner(side, board))),
    isNine ? line(...at(6, 0), ...at(6, 8), 'l-strike') : line(...at(3, 3), ...at(5, 5), 'l-strike'),
    svg('path', {
      d: `M${from[0]} ${from[1]}Q${(from[0] + to[0]) / 2} ${Math.min(from[1], to[1]) - 6} ${to[0]} ${to[1]}`,
      class: 'l-arrow',
    }),
    svg('path', { d: `M${to[0] + 4} ${to[1]}l-12 -6l0 12z`, class: 'l-arrow-head' }),
    svg('circle', { cx: from[0], cy: from[1], r: cell * 0.45, class: 'l-from' }),
    ...numbered(to[0] + 22, to[1], '1'),
    ...numbered(wonLeft + 3 * cell - 4, wonTop + 4, '2'),
  ];
  const names = marks();
  const captions = [
    t('learn.picture.send', names),
    t(isNine ? 'learn.picture.nine.win' : 'learn.picture.boards.win', names),
  ];
  if (!isNine) captions.push(t(isSuper ? 'learn.picture.super' : 'learn.picture.closed', names));
  return [sheet(SIZE, SIZE, captions.join(' '), ...parts), captions];
}
