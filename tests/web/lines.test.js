import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometry } from '../../client/web/board/geometry.ts';
import {
  inARow,
  linesOf,
  linesThrough,
  linesWords,
  stateOfLine,
  strikes,
  threats,
} from '../../client/web/board/lines.ts';
import { GOMOKU, nested, playthroughs, QUBIC, TICTACTOE } from './examples.js';

/** @param {import('../../client/web/types/page.d.ts').Rules} rules */
const lines = (rules) => linesOf(geometry(rules), inARow(rules));

test('boards have as many lines as is well known', () => {
  assert.equal(lines(TICTACTOE).length, 8);
  assert.equal(lines(GOMOKU).length, 572);
  assert.equal(lines(QUBIC).length, 76);
  // On n by n by n cells ((n + 2)^3 - n^3) / 2, on n by m the runs of k in all four directions.
  for (const { rules } of playthroughs.filter((each) => !each.rules.nested)) {
    const [n, m, levels] = rules.dimensions;
    const k = inARow(rules);
    const [across, up] = [Math.max(0, n - k + 1), Math.max(0, m - k + 1)];
    const expected = levels ? ((n + 2) ** 3 - n ** 3) / 2 : across * m + n * up + 2 * across * up;
    assert.equal(lines(rules).length, expected, rules.id);
  }
  assert.equal(lines(nested('ultimate')).length, 0);
});

test('each line is there once, and its cells lie in a row', () => {
  for (const { rules } of playthroughs.filter((each) => !each.rules.nested)) {
    const board = geometry(rules);
    const all = lines(rules);
    assert.equal(new Set(all.map((line) => [...line].sort().join(' '))).size, all.length);
    for (const line of all) {
      assert.equal(line.length, inARow(rules));
      const cells = line.map((text) => board.cells.get(text));
      const steps = cells.slice(1).map((cell, i) => {
        const before = cells[i];
        return [cell.grid - before.grid, cell.row - before.row, cell.column - before.column].join();
      });
      assert.equal(new Set(steps).size, 1);
    }
  }
});

test('games are won on lines of the page', () => {
  for (const { rules, games } of playthroughs.filter((each) => !each.rules.nested)) {
    const all = lines(rules);
    for (const { line } of games.filter((game) => game.winner)) {
      // What won may be several lines at once.
      const won = all.filter((cells) => cells.every((cell) => line.includes(cell)));
      assert.deepEqual([...new Set(won.flat())].sort(), line);
    }
  }
});

test('on an exact board a line that would be too long is no threat', () => {
  const rules = { id: 'mnk:7,4,4,exact', dimensions: [7, 4], nested: false };
  // c1 would make five of a1 to e1, and a4 four of a1 to a4.
  const marks = new Map(['a1', 'b1', 'd1', 'e1', 'a2', 'a3'].map((cell) => [cell, 'x']));
  assert.deepEqual([...threats(lines(rules), true, marks)], [['a4', 'x']]);
  assert.deepEqual([...threats(lines(rules), false, marks)].sort(), [
    ['a4', 'x'],
    ['c1', 'x'],
  ]);
});

test('who can still complete a line', () => {
  const four = [
    ['a1', 'b1', 'c1'],
    ['c1', 'c2', 'c3'],
    ['a3', 'b2', 'c1'],
    ['a1', 'a2', 'a3'],
  ];
  const marks = new Map([
    ['a1', 'x'],
    ['b1', 'x'],
    ['c2', 'o'],
    ['c3', 'o'],
    ['b2', 'x'],
    ['a3', 'o'],
  ]);
  const names = { x: 'X', o: 'O' };
  const through = linesThrough(four, marks, 'c1');
  assert.deepEqual([...threats(four, false, marks)], [['c1', 'xo']]);
  assert.deepEqual(
    through.map((line) => line.state),
    ['x', 'o', 'dead'],
  );
  assert.equal(linesWords(through, names), '3 lines (1 for X, 1 for O, 1 blocked)');
  assert.equal(linesWords(linesThrough([four[0]], new Map(), 'b1'), names), '1 line (1 open)');
  assert.equal(stateOfLine(four[3], marks), 'dead');
});

test('a stroke goes through what has won, wherever it lies', () => {
  const struck = (/** @type {any} */ rules, /** @type {string} */ cells) =>
    strikes(geometry(rules), new Set(cells.split(' ').filter(Boolean)), inARow(rules) ?? 3);
  assert.deepEqual(struck(TICTACTOE, ''), []);
  assert.deepEqual(struck(TICTACTOE, 'a3 b3 c3'), [{ grid: 0, path: 'M0.18 0.5l2.64 0' }]);
  assert.deepEqual(struck(TICTACTOE, 'a1 a2 a3'), [{ grid: 0, path: 'M0.5 0.18l0 2.64' }]);
  assert.equal(struck(TICTACTOE, 'a3 b2 c1 a1 c3').length, 2); // both diagonals at once
  assert.equal(struck(GOMOKU, 'a1 b1 c1 d1').length, 0); // four are none
  assert.equal(struck(GOMOKU, 'a1 b1 c1 d1 e1 f1').length, 1); // six are one stroke
  assert.deepEqual(struck(QUBIC, 'a4.2 b4.2 c4.2 d4.2'), [{ grid: 1, path: 'M0.18 0.5l3.64 0' }]);
  assert.deepEqual(struck(QUBIC, 'a1.1 a1.2 a1.3 a1.4'), []); // from level to level: the cube shows it
  assert.deepEqual(struck(nested('nine-board'), '2/1 2/5 2/9'), [{ grid: 1, path: 'M0.18 0.18l2.64 2.64' }]);
  const whole = (/** @type {number} */ board) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((square) => `${board}/${square}`).join(' ');
  assert.deepEqual(struck(nested('ultimate'), [3, 5, 7].map(whole).join(' ')), [
    { grid: null, path: 'M2.82 0.18l-2.64 2.64' },
  ]);
});
