import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsOf, timesDrawn, timesSentence, valuesDrawn } from '../../client/web/record/chartSeries.ts';

const MARKS = { x: 'X', o: 'O' };
const MOVES = [
  { by: 'x', think_ms: 400 },
  { by: 'o', think_ms: 90 },
  { by: 'x', think_ms: 1_500 },
];

test('the times of X go up and those of O down, each at its move', () => {
  const { x, y, series } = timesDrawn(MOVES, {}, MARKS);
  assert.deepEqual(x.values, [1, 2, 3]);
  assert.deepEqual(
    series.map(({ label, values }) => [label, values]),
    [
      ['X', [400, null, 1_500]],
      ['O', [null, -90, null]],
    ],
  );
  assert.equal(y.words(-90), '90 ms');
});

test('the middle of the axis of times is zero, and its lines are whole milliseconds', () => {
  const of = (/** @type {number} */ think_ms) => timesDrawn([{ by: 'x', think_ms }], {}, MARKS).y;
  assert.deepEqual([-1, 0, 1].map(of(1).tick), ['1 ms', '0', '1 ms']);
  assert.equal(of(0).words(0), 'under 1 ms');
  assert.deepEqual(
    [1, 9, 3_600_000].map((ms) => of(ms).whole),
    [true, true, false],
  );
});

test('a limit is drawn where it does not press the bars flat', () => {
  const { series } = timesDrawn(MOVES, limitsOf({ clock: { move_ms: 2_000 }, o_limit: { move_ms: 60_000 } }), MARKS);
  assert.deepEqual(
    series.slice(2).map(({ label, values, dashed }) => [label, values, dashed]),
    [['X’s limit', [2_000, 2_000, 2_000], true]],
  );
});

test('what both sides used in a sentence', () => {
  assert.equal(timesSentence(MOVES, MARKS), 'In all: X 1.90 s, O 90 ms · longest move 1.50 s');
  assert.match(timesSentence([{ by: 'x', think_ms: 1 }], MARKS), /every move took less than 2 ms/);
});

test('values are from the side of X: what is proven reaches the edges, a blunder is marked', () => {
  const judged = new Map([
    [0, found(0, 'x', { verdict: 'drawn', value: 0, exact: true, best: ['b2'], could: 'drawn' })],
    [1, found(1, 'o', { verdict: 'lost', value: -1, exact: true, best: ['a1'], could: 'drawn' })],
    [2, found(2, 'x', { verdict: 'even', value: 0.4, exact: false, best: ['b2'], could: 'even' })],
  ]);
  const { series, y } = valuesDrawn(judged, 4, MARKS);
  assert.deepEqual(
    series.map(({ label, values }) => [label, values]),
    [
      ['proven', [0, 1, null, null]],
      ['estimated', [null, null, 0.34, null]],
      ['blunder', [null, 1, null, null]],
    ],
  );
  assert.deepEqual([1, 0.3, 0, -0.3, -1].map(y.words), ['X wins', 'X is better', 'draw', 'O is better', 'O wins']);
});

test('a game that stays drawn is a line at zero, since bars of no height are not seen', () => {
  const drawn = (/** @type {number} */ ply) =>
    found(ply, 'x', { verdict: 'drawn', value: 0, exact: true, best: ['b2'], could: 'drawn' });
  const won = found(1, 'o', { verdict: 'won', value: 1, exact: true, best: ['b2'], could: 'won' });
  const kinds = (/** @type {any[]} */ ...moves) =>
    valuesDrawn(new Map(moves.map((each) => [each.ply, each])), 3, MARKS).series.map(({ kind }) => kind);
  assert.deepEqual(kinds(drawn(0), drawn(1)), [undefined]);
  assert.deepEqual(kinds(drawn(0), won), ['bars']);
});

/** @param {number} ply @param {'x' | 'o'} side @param {any} judged */
function found(ply, side, judged) {
  return { ply, side, move: 'b2', judged: { ply, ...judged } };
}
