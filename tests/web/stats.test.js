import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  binned,
  endedBy,
  endingsOf,
  everyDay,
  medianLength,
  momentOf,
  resultsOf,
} from '../../client/web/stats/words.ts';

const DAY_MS = 86_400_000;
const KINDS = [
  {
    results: [
      { winner: 'x', termination: 'line', games: 5 },
      { winner: 'x', termination: 'flag', games: 1 },
      { winner: null, termination: 'board_full', games: 3 },
    ],
  },
  {
    results: [
      { winner: 'o', termination: 'line', games: 2 },
      { winner: null, termination: 'agreement', games: 1 },
    ],
  },
];

test('results of one kind of game and of all', () => {
  assert.deepEqual(resultsOf(KINDS), { x: 6, drawn: 4, o: 2, games: 12 });
  assert.deepEqual(resultsOf([KINDS[1]]), { x: 0, drawn: 1, o: 2, games: 3 });
  assert.deepEqual(resultsOf([]), { x: 0, drawn: 0, o: 0, games: 0 });
});

test('ends, the most frequent first', () => {
  assert.deepEqual(endingsOf(KINDS), ['line', 'board_full', 'flag', 'agreement']);
  assert.equal(endedBy(KINDS[0], 'line'), 5);
  assert.equal(endedBy(KINDS[0], 'agreement'), 0);
});

test('days without games are days too', () => {
  const alone = everyDay([{ day_ms: 100 * DAY_MS, games: 7 }]);
  assert.equal(alone.length, 14);
  assert.deepEqual(alone.at(-1), { day: 100, games: 7 });
  assert.equal(alone[0].games, 0);
  const far = everyDay([
    { day_ms: 10 * DAY_MS, games: 1 },
    { day_ms: 40 * DAY_MS, games: 2 },
  ]);
  assert.equal(far.length, 31);
  assert.equal(momentOf(far[0].day), 10 * DAY_MS);
});

test('lengths of games in bars, each game in one', () => {
  assert.deepEqual(binned([]), []);
  assert.deepEqual(
    binned([
      { plies: 5, games: 2 },
      { plies: 7, games: 1 },
    ]),
    [
      { first: 5, last: 5, games: 2 },
      { first: 6, last: 6, games: 0 },
      { first: 7, last: 7, games: 1 },
    ],
  );
  const many = Array.from({ length: 217 }, (_, i) => ({ plies: i + 9, games: i + 1 }));
  const bins = binned(many);
  assert.ok(bins.length <= 40);
  assert.equal(
    bins.reduce((sum, bin) => sum + bin.games, 0),
    (217 * 218) / 2,
  );
  assert.ok(bins.every((bin, i) => i === 0 || bin.first === bins[i - 1].last + 1));
});

test('half of the games are at most as long as the median', () => {
  assert.equal(medianLength([]), 0);
  assert.equal(medianLength([{ plies: 9, games: 1 }]), 9);
  const lengths = [
    { plies: 5, games: 3 },
    { plies: 6, games: 2 },
    { plies: 9, games: 1 },
  ];
  assert.equal(medianLength(lengths), 5);
  assert.equal(medianLength(lengths.slice(1)), 6);
});
