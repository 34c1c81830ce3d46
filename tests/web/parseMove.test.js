import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometry } from '../../client/web/board/geometry.ts';
import { exampleMove, parseMove } from '../../client/web/board/parseMove.ts';
import { GOMOKU, nested, QUBIC, TICTACTOE } from './examples.js';

/** @param {import('../../client/web/types/page.d.ts').Rules} rules @param {string[]} texts */
function read(rules, texts) {
  const board = geometry(rules);
  return texts.map((text) => parseMove(text, board)).map((found) => ('cell' in found ? found.cell : found.wrong));
}

test('what is no move is told from what is not on the board', () => {
  const nonsense = ['', '?', 'a', '11', 'a1.1.1', '<b>', 'a'.repeat(400), 'ä1', '1a', 'a-1', '\u04301'];
  assert.deepEqual(read(GOMOKU, nonsense), Array(nonsense.length).fill('form'));
  assert.deepEqual(read(GOMOKU, [' O15 ', 'h 08', 'a1']), ['o15', 'h8', 'a1']);
  assert.deepEqual(read(GOMOKU, ['p1', 'a16', 'a0']), ['place', 'place', 'place']);
});

test('moves in cubes and on nested boards', () => {
  assert.deepEqual(read(QUBIC, ['a1.1', 'D4 4', 'b23', 'b2/3']), ['a1.1', 'd4.4', 'b2.3', 'b2.3']);
  assert.deepEqual(read(QUBIC, ['a1', 'e1.1', 'a1.5']), ['form', 'place', 'place']);
  assert.deepEqual(read(nested('super'), ['5/3', '53', '5 3', '5.3']), ['5/3', '5/3', '5/3', '5/3']);
  assert.deepEqual(read(nested('super'), ['5/0', 'a1', '553']), ['place', 'form', 'form']);
});

test('every cell is read back, in any case and with spaces around', () => {
  for (const rules of [TICTACTOE, GOMOKU, QUBIC, nested('nine-board')]) {
    const board = geometry(rules);
    for (const text of board.cells.keys()) {
      assert.deepEqual(parseMove(text, board), { cell: text });
      assert.deepEqual(parseMove(` ${text.toUpperCase()} `, board), { cell: text });
    }
    assert.ok(board.cells.has(exampleMove(board, new Set())));
  }
});

test('an example can be played now', () => {
  assert.equal(exampleMove(geometry(nested('nine-board')), new Set(['7/1', '7/8'])), '7/8');
});
