import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometry } from '../../client/web/board/geometry.ts';
import { delayOf } from '../../client/web/record/animation.ts';
import { sheetOf } from '../../client/web/record/sheet.ts';

const BOARDS = [
  { id: 'tictactoe', dimensions: [3, 3] },
  { id: 'mnk:20,3,3', dimensions: [20, 3] },
  { id: 'mnk:3,20,3', dimensions: [3, 20] },
  { id: 'gomoku', dimensions: [15, 15] },
  { id: 'cube:3', dimensions: [3, 3, 3] },
  { id: 'qubic', dimensions: [4, 4, 4] },
  { id: 'ultimate', dimensions: [9, 9], nested: true },
];

test('every cell of every board is on the picture, and none lies on another', () => {
  for (const rules of BOARDS) {
    const board = geometry(rules);
    const sheet = sheetOf(board);
    const boxes = [...sheet.cells.values()];
    assert.equal(boxes.length, board.cells.size);
    for (const { x, y, size } of boxes) {
      assert.ok(size >= 10 && x >= 0 && x + size <= sheet.width, rules.id);
      assert.ok(y >= sheet.head && y + size <= sheet.foot, rules.id);
    }
    assert.equal(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size, boxes.length, rules.id);
    assert.ok(sheet.foot < sheet.height);
  }
});

test('a long game is played faster, and no game is over before it was seen', () => {
  assert.equal(delayOf(6), 800);
  assert.equal(delayOf(200), 300);
  assert.equal(delayOf(362), 166);
  assert.equal(delayOf(10_000), 120);
});
