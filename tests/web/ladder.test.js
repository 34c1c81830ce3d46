import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstList, howSure, named, ofOpenings } from '../../client/web/ladder/words.ts';
import { shareOfX } from '../../client/web/ui/figures.ts';

/** @param {number} found @param {number} expected */
const close = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-6 * expected, `${found} ${expected}`);

test('what moving first made', () => {
  const won = shareOfX(3, 0, 0);
  assert.deepEqual([won.share, won.high], [1, 1]);
  close(won.low, 3 / (3 + 1.96 ** 2));
  assert.deepEqual([shareOfX(0, 0, 3).low, shareOfX(0, 0, 3).share], [0, 0]);
  close(shareOfX(0, 0, 3).high, 1 - won.low);
  const even = shareOfX(50, 0, 50);
  assert.equal(even.share, 0.5);
  close(even.high - even.low, (2 * 1.96 * 0.05) / Math.sqrt(1 + 1.96 ** 2 / 100));
  assert.deepEqual(shareOfX(0, 100, 0), even); // they say nothing of how games vary
  const drawn = shareOfX(10, 80, 10);
  assert.ok(drawn.high - drawn.low < even.high - even.low);
});

test('how many openings that holds for', () => {
  const holds = [
    [1, 'the one opening that'],
    [8, 'the 8 different'],
    [999, 'the 999 different'],
    [1000, 'the 1,000 or more'],
  ];
  for (const [openings, words] of holds) assert.ok(ofOpenings(openings).includes(words));
  assert.equal(ofOpenings(0), '');
});

test('the list that is shown first', () => {
  const first = (...lists) =>
    firstList(lists.map(([ladder, games, running], run) => ({ run, ladder, games, running })))?.run;
  assert.equal(firstList([]), null);
  assert.equal(first(['new', 0, false]), 0);
  assert.equal(first(['new', 2, false], ['new', 9, false], ['old', 99, false]), 1);
  assert.equal(first(['new', 2, false], ['old', 0, true], ['old', 1, true]), 2);
});

test('a list with a name of its own is told from others of its game', () => {
  assert.equal(named({ list: 'qubic', game: 'qubic' }, 'night'), 'night');
  assert.equal(named({ list: 'qubic-100ms', game: 'qubic' }, 'night'), 'night · qubic-100ms');
});

test('how sure in words', () => {
  const told = (...superiorities) =>
    howSure({
      standings: superiorities.map((superiority, i) => ({ bot: `b${i}`, versions: 1, rating: -i, superiority })),
    });
  assert.equal(told(), '');
  assert.equal(told(null), '');
  assert.equal(told(0.96, null), 'b0 leads; the chance that it is stronger than b1 is 96\u00A0%.');
  assert.ok(
    told(0.6, null).startsWith('b0 leads, but b1 may be as strong: the chance that b0 is stronger is 60\u00A0%'),
  );
  assert.equal(told(0.5, null), 'b0 and b1 are level so far.');
  assert.equal(told(0.48, null), 'b0 and b1 are level so far.');
  assert.ok(
    told(0.96, 0.5, null).endsWith(
      '1 of 2 neighbouring pairs is separated at 95\u00A0%; play more games to separate the rest.',
    ),
  );
  assert.match(told(0.5, 0.5, null), /None of the 2 neighbouring pairs is separated/);
  assert.ok(told(0.96, 0.99, null).endsWith('All neighbouring pairs are separated at 95\u00A0%.'));
});
