// A position drawn small, for lists of games: every board in a square, in units of a cell. It is hidden from screen
// readers: callers say the same in words.

import type { Rules } from '../types/page.d.ts';
import { setAttribute, svg } from './dom.ts';
import type { Place } from './marks.ts';
import { crosses, noughts, round } from './marks.ts';
import type { SmallPosition } from './smallPosition.ts';

export type Layout = { width: number; height: number; columns: number; rows: number; grids: Place[] };

const CUBE_GAP = 0.55;
const NINE_GAP = 0.3;
/** Half the size of a mark. */
const MARK = 0.28;
const BIG = 1.05;
/** From this many cells across, lines and marks are drawn for small cells. */
const MANY = 9;

/** Where a board's grids go: layers of a cube in two columns, five of them as three and two. Pure. */
export function layout(rules: Rules): Layout {
  const [columns, rows, levels] = rules.nested ? [3, 3, 9] : rules.dimensions;
  if (!levels) return { width: columns, height: rows, columns, rows, grids: [{ x: 0, y: 0 }] };
  const gap = rules.nested ? NINE_GAP : CUBE_GAP;
  const across = levels > 4 ? 3 : 2;
  const lines = Math.ceil(levels / across);
  const width = across * columns + (across - 1) * gap;
  const grids = Array.from({ length: levels }, (_, level) => {
    const line = Math.floor(level / across);
    const inLine = Math.min(across, levels - line * across);
    const indent = (width - inLine * columns - (inLine - 1) * gap) / 2; // a shorter row is centred
    return { x: indent + (level % across) * (columns + gap), y: line * (rows + gap) };
  });
  return { width, height: lines * rows + (lines - 1) * gap, columns, rows, grids };
}

export class SmallBoard {
  rules: Rules;
  layout: Layout;
  grounds: SVGRectElement[];
  parts: {
    lit: SVGPathElement;
    lines: SVGPathElement;
    bigX: SVGPathElement;
    bigO: SVGPathElement;
    x: SVGPathElement;
    o: SVGPathElement;
  };
  node: SVGSVGElement;

  constructor(rules: Rules) {
    this.rules = rules;
    this.layout = layout(rules);
    const { width, height } = this.layout;
    const across = Math.max(width, height);
    const edge = across / 60;
    const part = (name: string) => svg('path', { class: name, d: '' });
    this.grounds = this.layout.grids.map((at) =>
      svg('rect', {
        class: 's-ground',
        x: at.x,
        y: at.y,
        width: this.layout.columns,
        height: this.layout.rows,
        rx: across / 50,
      }),
    );
    this.parts = {
      lit: part('s-lit'),
      lines: part('s-lines'),
      bigX: part('s-big s-x'),
      bigO: part('s-big s-o'),
      x: part('s-x'),
      o: part('s-o'),
    };
    this.node = svg(
      'svg',
      {
        class: `small-board${across >= MANY ? ' many' : ''}${rules.id === 'super' ? ' see-through' : ''}`,
        viewBox: `${-edge} ${-edge} ${width + 2 * edge} ${height + 2 * edge}`,
        'aria-hidden': 'true',
      },
      ...this.grounds,
      ...Object.values(this.parts),
    );
    this.parts.lines.setAttribute('d', this.gridLines());
  }

  draw({ board, owners, lit, forced }: SmallPosition) {
    const cells = [...board].map((mark, cell) => ({ mark, cell }));
    // The mark of a won and closed board covers it.
    const covered = (cell: number) =>
      this.rules.id.startsWith('ultimate') && 'xo'.includes(owners[Math.floor(cell / 9)] ?? '.');
    const shown = cells.filter(({ cell }) => !covered(cell));
    const centres = (side: string) => shown.filter(({ mark }) => mark === side).map(({ cell }) => this.centre(cell));
    const won = (side: string) => [...owners].flatMap((owner, grid) => (owner === side ? [this.middle(grid)] : []));
    setAttribute(this.parts.x, 'd', crosses(centres('x'), MARK));
    setAttribute(this.parts.o, 'd', noughts(centres('o'), MARK));
    setAttribute(this.parts.bigX, 'd', crosses(won('x'), BIG));
    setAttribute(this.parts.bigO, 'd', noughts(won('o'), BIG));
    setAttribute(
      this.parts.lit,
      'd',
      lit
        .filter((cell) => !covered(cell))
        .map((cell) => square(this.centre(cell)))
        .join(''),
    );
    this.grounds.forEach((ground, grid) => {
      const owner = owners[grid] ?? '.';
      setAttribute(
        ground,
        'class',
        `s-ground${owner === '.' ? '' : ` s-won-${owner}`}${forced === grid ? ' s-forced' : ''}`,
      );
    });
    setAttribute(this.node, 'data-marks', String(board.length - board.split('.').length + 1));
  }

  /** The centre of a cell. @param cell its number */
  centre(cell: number): Place {
    const { columns, rows, grids } = this.layout;
    const at = grids[Math.floor(cell / (columns * rows))];
    const inGrid = cell % (columns * rows);
    const row = Math.floor(inGrid / columns);
    // Ranks run upwards; nested boards are in reading order.
    return { x: at.x + (inGrid % columns) + 0.5, y: at.y + (this.rules.nested ? row : rows - 1 - row) + 0.5 };
  }

  middle(grid: number): Place {
    const { columns, rows, grids } = this.layout;
    return { x: grids[grid].x + columns / 2, y: grids[grid].y + rows / 2 };
  }

  gridLines() {
    const { columns, rows, grids } = this.layout;
    let path = '';
    for (const { x, y } of grids) {
      for (let column = 1; column < columns; column++) path += `M${round(x + column)} ${round(y)}v${rows}`;
      for (let row = 1; row < rows; row++) path += `M${round(x)} ${round(y + row)}h${columns}`;
    }
    return path;
  }
}

function square({ x, y }: Place) {
  return `M${round(x - 0.5)} ${round(y - 0.5)}h1v1h-1z`;
}
