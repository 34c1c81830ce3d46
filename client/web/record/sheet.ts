// The layout of a picture of a position: the board in the middle, a line of text above and below. Pure.

import type { Geometry } from '../board/geometry.ts';

export type Box = { x: number; y: number; size: number };
export type Sheet = {
  width: number;
  height: number;
  /** By move. */
  cells: Map<string, Box>;
  /** The outline of each grid. */
  grids: { x: number; y: number; width: number; height: number; label: string }[];
  head: number;
  foot: number;
};

const WIDTH = 480;
const MARGIN = 24;
const WORDS = 44; // a line of text with the padding around it
const BETWEEN = 14; // grids
const LABEL = 20; // above a level

export function sheetOf(board: Geometry): Sheet {
  const across = board.grids.length === 1 ? 1 : board.kind === 'nested' ? 3 : 2;
  const down = Math.ceil(board.grids.length / across);
  const label = board.kind === 'cube' ? LABEL : 0;
  const wide = (WIDTH - 2 * MARGIN - (across - 1) * BETWEEN) / across;
  const size = Math.floor(wide / Math.max(board.columns, board.rows));
  const [width, height] = [size * board.columns, size * board.rows];
  const left = Math.round((WIDTH - across * width - (across - 1) * BETWEEN) / 2);
  const top = MARGIN + WORDS;
  const grids = board.grids.map((grid, i) => ({
    x: left + (i % across) * (width + BETWEEN),
    y: top + label + Math.floor(i / across) * (height + label + BETWEEN),
    width,
    height,
    label: label ? grid.label : '',
  }));
  const cells = [...board.cells.values()].map(({ text, grid, row, column }): [string, Box] => [
    text,
    { x: grids[grid].x + column * size, y: grids[grid].y + row * size, size },
  ]);
  const bottom = top + down * (height + label) + (down - 1) * BETWEEN;
  return {
    width: WIDTH,
    height: bottom + WORDS + MARGIN,
    cells: new Map(cells),
    grids,
    head: MARGIN + WORDS / 2,
    foot: bottom + WORDS / 2 + MARGIN / 2,
  };
}
