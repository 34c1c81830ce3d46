import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometry, gridsAcross, neighbour } from '../../client/web/board/geometry.ts';
import { GOMOKU, nested, QUBIC, TICTACTOE } from './examples.js';

const BOARDS = [TICTACTOE, GOMOKU, QUBIC, nested('super')].map(geometry);
const BACK = {
  ArrowUp: 'ArrowDown',
  ArrowDown: 'ArrowUp',
  ArrowLeft: 'ArrowRight',
  ArrowRight: 'ArrowLeft',
  PageUp: 'PageDown',
  PageDown: 'PageUp',
};

test('boards have their cells, each once', () => {
  assert.deepEqual(
    BOARDS.map((board) => [board.kind, board.cells.size]),
    [
      ['flat', 9],
      ['flat', 225],
      ['cube', 64],
      ['nested', 81],
    ],
  );
});

test('rank 1 is at the bottom, small boards are read from the top', () => {
  const [flat, , cube, small] = BOARDS;
  assert.deepEqual(
    flat.grids[0].rows[0].map((cell) => cell.text),
    ['a3', 'b3', 'c3'],
  );
  assert.equal(cube.grids[3].rows[3][0].text, 'a1.4');
  assert.equal(small.grids[4].rows[0][2].text, '5/3');
});

test('a cell stands where it says', () => {
  for (const board of BOARDS) {
    for (const cell of board.cells.values()) assert.equal(board.grids[cell.grid].rows[cell.row][cell.column], cell);
  }
});

test('every key leads back the way it came', () => {
  for (const board of BOARDS) {
    for (const cell of board.cells.values()) {
      for (const [key, back] of Object.entries(BACK)) {
        const next = neighbour(board, cell, key);
        if (next) assert.equal(neighbour(board, next, back), cell);
      }
    }
  }
});

test('arrows walk all nine small boards', () => {
  const [, , , board] = BOARDS;
  let cell = board.cells.get('1/1');
  const walked = [];
  for (; cell; cell = neighbour(board, cell, 'ArrowRight')) walked.push(cell.text);
  assert.deepEqual(walked, ['1/1', '1/2', '1/3', '2/1', '2/2', '2/3', '3/1', '3/2', '3/3']);
});

test('Home and End lead along a rank, with Ctrl to the very ends', () => {
  const [, , board] = BOARDS;
  const from = board.cells.get('b2.3');
  const to = (key, far) => neighbour(board, from, key, far).text;
  assert.deepEqual([to('Home'), to('End'), to('Home', true), to('End', true)], ['a2.3', 'd2.3', 'a4.1', 'd1.4']);
  assert.equal(neighbour(board, from, 'Enter'), null);
});

test('how many grids stand side by side', () => {
  const [flat, , cube, small] = BOARDS;
  assert.deepEqual(
    [flat, cube, small].map((board) => [gridsAcross(board, false), gridsAcross(board, true)]),
    [
      [1, 1],
      [4, 2],
      [3, 3],
    ],
  );
});
