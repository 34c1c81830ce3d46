import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometry } from '../../client/web/board/geometry.ts';
import { cellCount, cellNumber, listedPosition, positionAfter } from '../../client/web/board/smallPosition.ts';
import { GOMOKU, nested, playthroughs, QUBIC, TICTACTOE } from './examples.js';

test('cells are numbered, each once, from 0 on', () => {
  for (const rules of [TICTACTOE, GOMOKU, QUBIC, nested('super')]) {
    const numbers = [...geometry(rules).cells.keys()].map((text) => cellNumber(rules, text));
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      Array.from({ length: cellCount(rules) }, (_, i) => i),
    );
  }
});

test('cells have the numbers that the server gives them', () => {
  for (const { rules, cells } of playthroughs) {
    cells.forEach((text, number) => {
      assert.equal(cellNumber(rules, text), number);
    });
  }
});

test('numbers run with the files, then with the ranks, then with the levels', () => {
  assert.deepEqual(
    ['a1', 'b1', 'a2', 'o15'].map((text) => cellNumber(GOMOKU, text)),
    [0, 1, 15, 224],
  );
  assert.deepEqual(
    ['a1.1', 'b1.1', 'a2.1', 'a1.2'].map((text) => cellNumber(QUBIC, text)),
    [0, 1, 4, 16],
  );
  assert.equal(cellNumber(nested('super'), '5/3'), 38);
});

test('a listed game is shown as one that was played', () => {
  for (const { rules, games } of playthroughs) {
    const { moves } = games[0];
    for (let ply = 1; ply < moves.length; ply++) {
      const played = positionAfter(rules, moves.slice(0, ply));
      const listed = { board: played.board, owners: played.owners || null, last: moves[ply - 1] };
      assert.deepEqual(listedPosition(rules, listed), played);
    }
  }
});

test('a small position is that of the moves', () => {
  const after = (rules, moves, line) => positionAfter(rules, moves.split(' '), line);
  const begun = { board: 'xo......x', owners: '', lit: [8], forced: null };
  assert.deepEqual(after(TICTACTOE, 'a1 b1 c3'), begun);
  assert.deepEqual(after(TICTACTOE, 'a1 a2 b1 b2 c1', ['a1', 'b1', 'c1']).lit, [0, 1, 2]);
  const won = '1/1 1/4 4/1 1/7 7/1 1/5 5/5 5/1 1/2 2/1 1/3 3/1';
  const [ultimate, super_] = ['ultimate', 'super'].map((id) => after(nested(id), won));
  assert.deepEqual([ultimate.owners, super_.owners], ['x........', 'x........']);
  assert.deepEqual([ultimate.forced, super_.forced], [null, 0]); // only super plays on in a won board
  const listed = { board: super_.board, owners: super_.owners, last: '3/1' };
  assert.deepEqual(listedPosition(nested('super'), listed), super_);
  assert.equal(listedPosition(nested('super'), { ...listed, board: 'x' }), null);
});

test('what does not fit the rules is not shown', () => {
  assert.equal(listedPosition(TICTACTOE, { board: 'xo' }), null);
  assert.equal(listedPosition(TICTACTOE, {}), null);
});

test('the board to play in is the one the last move leads to', () => {
  for (const { rules, games } of playthroughs.filter((each) => each.rules.nested)) {
    for (const { moves, boards } of games) {
      for (let ply = 1; ply < moves.length; ply++) {
        const { forced } = boards[ply];
        assert.equal(positionAfter(rules, moves.slice(0, ply)).forced, forced === null ? null : forced - 1);
      }
    }
  }
});

test('what won is pointed out', () => {
  const line = ['a1', 'a2', 'a3'];
  const { board, lit, forced } = positionAfter(TICTACTOE, ['a1', 'b1', 'a2', 'b2', 'a3'], line);
  assert.deepEqual([board, lit, forced], ['xo.xo.x..', [0, 3, 6], null]);
});
