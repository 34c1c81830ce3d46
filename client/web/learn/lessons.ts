// The guided first games: whole games with fixed moves, some of which the reader makes, each with its text. For nested
// boards they are written out; for flat boards of any size and cubes they are built from lines. Pure.

import type { Cell, Geometry } from '../board/geometry.ts';
import { geometry } from '../board/geometry.ts';
import { inARow, linesOf } from '../board/lines.ts';
import type { Values } from '../i18n/language.ts';
import type { Rules } from '../types/page.d.ts';

/** The ply of the reader's move and the text that asks for it; `traps` are texts for moves to avoid. */
export type Step = { ply: number; key: string; values?: Values; traps?: Record<string, string> };
/** The reader is X and wins with the last move. */
export type Lesson = { moves: string[]; steps: Step[] };

/** Takes about a minute. */
const MOST_STEPS = 8;

const WRITTEN: Record<string, Lesson> = {
  tictactoe: lesson('b2 b1 a1 c3 a3 a2 c1', [
    [0, 'learn.step.middle'],
    [2, 'learn.step.two'],
    [4, 'learn.step.fork'],
    [6, 'learn.step.one-left'],
  ]),
  'nine-board': lesson('5/1 1/5 5/2 2/4 4/1 1/9 9/6 6/5 5/3', [
    [0, 'learn.step.nine.send', { board: 1 }],
    [2, 'learn.step.nine.two', { board: 5, other: 2 }],
    [4, 'learn.step.nine.wait', { board: 4 }],
    [6, 'learn.step.nine.trap', { board: 9, other: 1, safe: 6 }, { '9/1': 'learn.step.nine.trapped' }],
    [8, 'learn.step.nine.win', { board: 5 }],
  ]),
  ultimate: lesson('4/1 1/4 4/2 2/4 4/3 3/5 5/7 7/5 5/8 8/4 5/9 9/6 6/1 1/6 6/2 2/6 6/3', [
    [0, 'learn.step.ultimate.send', { board: 1 }],
    [2, 'learn.step.ultimate.two', { board: 4 }],
    [4, 'learn.step.ultimate.board', { board: 4 }],
    [10, 'learn.step.ultimate.free', { closed: 4, board: 5 }],
    [16, 'learn.step.ultimate.win', { board: 6 }],
  ]),
  super: lesson('4/1 1/4 4/2 2/4 4/3 3/5 5/7 7/5 5/8 8/4 4/5 5/5 5/9 9/6 6/1 1/6 6/2 2/6 6/3', [
    [0, 'learn.step.ultimate.send', { board: 1 }],
    [2, 'learn.step.ultimate.two', { board: 4 }],
    [4, 'learn.step.super.board', { board: 4 }],
    [10, 'learn.step.super.stays', { board: 4 }],
    [12, 'learn.step.super.again', { board: 5 }],
    [18, 'learn.step.ultimate.win', { board: 6 }],
  ]),
};

function lesson(moves: string, steps: [number, string, Values?, Record<string, string>?][]): Lesson {
  return { moves: moves.split(' '), steps: steps.map(([ply, key, values, traps]) => ({ ply, key, values, traps })) };
}

export function lessonFor(rules: Rules): Lesson {
  const written = WRITTEN[rules.id === 'ultimate:count' ? 'ultimate' : rules.id];
  if (written) return written;
  const board = geometry(rules);
  const length = inARow(rules) as number;
  if (board.kind === 'cube') return crossing(board, length, ...cubeLines(board));
  const row = openRow(board, length);
  if (row) return rowLesson(board, length, row);
  const lines = linesOf(board, length);
  if (board.columns !== board.rows) return lineLesson(board, length, lines[Math.floor(lines.length / 2)]);
  const middle = Math.floor((length - 1) / 2);
  const across = board.grids[0].rows[middle].map((cell) => cell.text);
  const diagonal = board.grids[0].rows.map((cells, i) => cells[i].text);
  return crossing(board, length, across, diagonal);
}

/** A row or column of one more cell than a line needs, in the middle of the board; null if it does not fit. */
function openRow(board: Geometry, length: number) {
  const { rows } = board.grids[0];
  const column = Math.floor(board.columns / 2);
  const longest =
    board.columns > length
      ? rows[Math.floor(board.rows / 2)]
      : board.rows > length
        ? rows.map((cells) => cells[column])
        : [];
  const from = Math.floor((longest.length - length - 1) / 2);
  return longest.length ? longest.slice(from, from + length + 1).map((cell) => cell.text) : null;
}

/** All cells but the two ends, from the middle outwards; the other side blocks one end too late. */
function rowLesson(board: Geometry, length: number, row: string[]) {
  const inner = outwards(row.slice(1, -1));
  const [end, other] = [row[0], row.at(-1) as string];
  return built(board, length, [...inner, other], [end], (nth) => {
    if (nth === inner.length) return 'learn.step.end';
    if (nth === inner.length - 1) return 'learn.step.open';
    return nth === 0 ? 'learn.step.middle' : nth === inner.length - 2 ? 'learn.step.beside-open' : 'learn.step.beside';
  });
}

/** Two lines through one cell, which is taken last but one: the other side can block only one of them. */
function crossing(board: Geometry, length: number, one: string[], two: string[]) {
  const shared = one.find((cell) => two.includes(cell)) as string;
  const [first, ...ones] = one.filter((cell) => cell !== shared);
  const [second, ...twos] = two.filter((cell) => cell !== shared);
  const solid = board.kind === 'cube' ? '.cube' : '';
  return built(board, length, [...ones, ...twos, shared, second], [first], (nth) => {
    if (nth === ones.length + twos.length + 1) return 'learn.step.one-left';
    if (nth === ones.length + twos.length) return 'learn.step.fork';
    if (nth === 0) return `learn.step.first${solid}`;
    return nth < ones.length
      ? `learn.step.same${solid}`
      : nth === ones.length
        ? `learn.step.second${solid}`
        : `learn.step.same-second${solid}`;
  });
}

/** On narrow boards lines do not cross: the other side overlooks one. */
function lineLesson(board: Geometry, length: number, line: string[]) {
  const moves = outwards(line);
  return built(board, length, moves, [], (nth) =>
    nth === 0 ? 'learn.step.middle' : nth === moves.length - 1 ? 'learn.step.overlooked' : 'learn.step.beside',
  );
}

/** A diagonal through all levels, and a vertical line that crosses it. */
function cubeLines(board: Geometry): [string[], string[]] {
  const middle = Math.floor((board.columns - 1) / 2);
  const diagonal = board.grids.map((grid, level) => grid.rows[board.rows - 1 - level][level].text);
  const upright = board.grids.map((grid) => grid.rows[board.rows - 1 - middle][middle].text);
  return [diagonal, upright];
}

/** The game from X's moves and O's last ones; O's other moves are careless. The reader makes the last of X's moves. */
function built(board: Geometry, length: number, xs: string[], lastOfO: string[], keyOf: (nth: number) => string) {
  const os = [...careless(board, length, xs, lastOfO), ...lastOfO];
  const moves = xs.flatMap((move, i) => (i < os.length ? [move, os[i]] : [move]));
  const from = Math.max(0, xs.length - MOST_STEPS);
  const steps = xs.map((_, nth) => ({ ply: 2 * nth, key: keyOf(nth), values: { count: length, marks: nth + 1 } }));
  return { moves, steps: steps.slice(from) };
}

/** Moves that neither block X nor make a line, some cells away from X's first move. */
function careless(board: Geometry, length: number, xs: string[], lastOfO: string[]) {
  const lines = linesOf(board, length);
  const taken = new Set([...xs, ...lastOfO]);
  const os = new Set(lastOfO);
  const found: string[] = [];
  for (const cell of around(board, xs[0])) {
    if (found.length === xs.length - 1 - lastOfO.length) break;
    if (taken.has(cell)) continue;
    os.add(cell);
    if (lines.some((line) => line.includes(cell) && line.every((each) => os.has(each)))) os.delete(cell);
    else found.push(cell);
  }
  return found;
}

/** All cells, beginning with those at a distance where careless moves look likely, in an order without a pattern. */
function around(board: Geometry, middle: string) {
  const cells = [...board.cells.values()];
  const from = board.cells.get(middle) as Cell;
  const step = [7, 5, 11, 13].find((each) => cells.length % each) ?? 17;
  const oddness = (cell: Cell) =>
    Math.abs(Math.hypot(cell.row - from.row, cell.column - from.column, cell.grid - from.grid) - 2.5);
  const order = cells.map((cell, i) => ({
    cell: cell.text,
    far: Math.round(oddness(cell)),
    place: (i * step) % cells.length,
  }));
  return order.sort((a, b) => a.far - b.far || a.place - b.place).map((each) => each.cell);
}

/** From the middle to both ends alternately. */
function outwards(row: string[]) {
  const middle = Math.floor((row.length - 1) / 2);
  return [...row].sort((a, b) => Math.abs(row.indexOf(a) - middle) - Math.abs(row.indexOf(b) - middle));
}
