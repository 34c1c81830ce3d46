// A position drawn on a canvas, in the theme's colours: for pictures to share.

import type { Picture } from '../board/board.ts';
import type { Strike } from '../board/lines.ts';
import type { Side } from '../types/page.d.ts';
import type { Box, Sheet } from './sheet.ts';

const TOKENS = [
  'paper',
  'rank-0',
  'rank-0-edge',
  'rank-0-line',
  'ink',
  'ink-soft',
  'x',
  'o',
  'win',
  'win-edge',
  'accent',
] as const;

const WEIGHT = 600;

export type Colours = Record<(typeof TOKENS)[number], string>;
/** The text above and below the board. */
export type Words = { left: string; right: string; below: string };

/** The tokens' values in the present theme: a canvas does not know `light-dark()`. */
export function coloursNow(): Colours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const found = TOKENS.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(found) as Colours;
}

/** @param scale pixels per unit of the sheet */
export function drawPosition(
  context: CanvasRenderingContext2D,
  sheet: Sheet,
  picture: Picture,
  struck: Strike[],
  words: Words,
  colours: Colours,
  scale: number,
) {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, sheet.width, sheet.height);
  drawBoards(context, sheet, colours);
  for (const cell of picture.line) fillCell(context, sheet, cell, colours.win);
  drawLines(context, sheet, colours);
  if (picture.last) outlineCell(context, sheet.cells.get(picture.last) as Box, colours);
  for (const [cell, side] of picture.marks) {
    const { x, y, size } = sheet.cells.get(cell) as Box;
    drawMark(context, side, picture.names[side], x + size / 2, y + size / 2, size * 0.27, colours);
  }
  context.globalAlpha = 0.4;
  picture.owners.forEach((side, grid) => {
    const { x, y, width } = sheet.grids[grid];
    if (side) drawMark(context, side, picture.names[side], x + width / 2, y + width / 2, width * 0.36, colours);
  });
  context.globalAlpha = 1;
  for (const strike of struck) drawStrike(context, sheet, strike, colours);
  drawWords(context, sheet, words, colours);
}

function drawBoards(context: CanvasRenderingContext2D, sheet: Sheet, colours: Colours) {
  for (const { x, y, width, height, label } of sheet.grids) {
    context.beginPath();
    context.roundRect(x - 4, y - 4, width + 8, height + 8, 8);
    context.fillStyle = colours['rank-0'];
    context.fill();
    context.strokeStyle = colours['rank-0-edge'];
    context.lineWidth = 2;
    context.stroke();
    write(context, label, x + width / 2, y - 14, 14, colours['ink-soft'], 'center');
  }
}

/** Between cells. */
function drawLines(context: CanvasRenderingContext2D, sheet: Sheet, colours: Colours) {
  const size = [...sheet.cells.values()][0].size;
  context.beginPath();
  for (const { x, y, width, height } of sheet.grids) {
    for (let at = x + size; at < x + width; at += size) {
      context.moveTo(at, y);
      context.lineTo(at, y + height);
    }
    for (let at = y + size; at < y + height; at += size) {
      context.moveTo(x, at);
      context.lineTo(x + width, at);
    }
  }
  context.strokeStyle = colours['rank-0-line'];
  context.lineWidth = size > 60 ? 4 : 1;
  context.lineCap = 'round';
  context.stroke();
}

function fillCell(context: CanvasRenderingContext2D, sheet: Sheet, cell: string, colour: string) {
  const { x, y, size } = sheet.cells.get(cell) as Box;
  context.fillStyle = colour;
  context.fillRect(x, y, size, size);
}

function outlineCell(context: CanvasRenderingContext2D, { x, y, size }: Box, colours: Colours) {
  const inset = Math.min(4, size / 8);
  context.strokeStyle = colours.accent;
  context.lineWidth = Math.max(1.5, size / 40);
  context.beginPath();
  context.roundRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset, inset);
  context.stroke();
}

/** Strokes with round ends; a mark that a player chose is drawn as text. */
function drawMark(
  context: CanvasRenderingContext2D,
  side: Side,
  name: string,
  x: number,
  y: number,
  r: number,
  colours: Colours,
) {
  if (name !== 'X' && name !== 'O') return write(context, name, x, y, r * 1.9, colours[side], 'center');
  context.strokeStyle = colours[side];
  context.lineWidth = Math.max(1.5, r * 0.36);
  context.lineCap = 'round';
  context.beginPath();
  if (name === 'O') context.arc(x, y, r, 0, 2 * Math.PI);
  else {
    const arm = r * 0.92;
    context.moveTo(x - arm, y - arm);
    context.lineTo(x + arm, y + arm);
    context.moveTo(x + arm, y - arm);
    context.lineTo(x - arm, y + arm);
  }
  context.stroke();
}

/** The path is in cells of a grid, or in small boards. */
function drawStrike(context: CanvasRenderingContext2D, sheet: Sheet, { grid, path }: Strike, colours: Colours) {
  const { x, y, width, height } = sheet.grids[grid ?? 0];
  const unit = grid === null ? sheet.grids[1].x - x : [...sheet.cells.values()][0].size;
  const [left, top] = grid === null ? [x + (width - unit) / 2, y + (height - unit) / 2] : [x, y];
  context.save();
  context.translate(left, top);
  context.scale(unit, unit);
  context.strokeStyle = colours['win-edge'];
  context.lineWidth = grid === null ? 0.06 : 0.1;
  context.lineCap = 'round';
  context.stroke(new Path2D(path));
  context.restore();
}

function drawWords(context: CanvasRenderingContext2D, sheet: Sheet, words: Words, colours: Colours) {
  const [left, right] = [sheet.grids[0].x - 4, sheet.width - sheet.grids[0].x + 4];
  const half = (right - left) * 0.62;
  write(context, words.left, left, sheet.head, 17, colours.ink, 'left', half);
  write(context, words.right, right, sheet.head, 15, colours['ink-soft'], 'right', right - left - half - 12);
  write(context, words.below, left, sheet.foot, 15, colours.ink, 'left', right - left - 80);
  write(context, 'noughts', right, sheet.foot, 15, colours['ink-soft'], 'right');
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  colour: string,
  align: CanvasTextAlign,
  most?: number,
) {
  context.font = [WEIGHT, `${size}px`, getComputedStyle(document.body).fontFamily].join(' ');
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = 'middle';
  context.fillText(fitting(context, text, most), x, y);
}

/** The text, shortened to fit. */
function fitting(context: CanvasRenderingContext2D, text: string, most = Infinity) {
  if (context.measureText(text).width <= most) return text;
  const letters = [...text];
  while (letters.length && context.measureText(`${letters.join('')}…`).width > most) letters.pop();
  return `${letters.join('')}…`;
}
