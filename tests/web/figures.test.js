import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eloWords, limitWords, percentWords, pointsWords, shareAt, timeWords } from '../../client/web/ui/figures.ts';
import { shares } from './examples.js';

/** @param {(value: number) => string} words @param {[number, string][]} cases */
function tells(words, cases) {
  for (const [value, text] of cases) assert.equal(words(value), text);
}

test('figures in words', () => {
  tells(percentWords, [
    [0, '0\u00A0%'],
    [0.004, '0.4\u00A0%'],
    [0.5, '50\u00A0%'],
    [0.994, '99.4\u00A0%'],
    [0.9999, '99.9\u00A0%'],
    [1, '100\u00A0%'],
  ]);
  tells(pointsWords, [
    [0, '0'],
    [0.5, '½'],
    [12, '12'],
    [12.5, '12½'],
  ]);
  tells(eloWords, [
    [0.4, '0'],
    [-0.4, '0'],
    [31.5, '+32'],
    [-180.2, '−180'],
  ]);
  tells(timeWords, [
    [0, 'under 1 ms'],
    [12, '12 ms'],
    [999, '999 ms'],
    [1_000, '1.00 s'],
    [9_994, '9.99 s'],
    [9_996, '10.0 s'],
    [59_960, '1:00 min'],
    [125_000, '2:05 min'],
  ]);
});

test('limits in words', () => {
  assert.equal(limitWords({ depth: 1 }), '1 ply deep');
  assert.equal(limitWords({ depth: 3 }), '3 plies deep');
  assert.equal(limitWords({ move_ms: 100 }), '0.1 s a move');
  assert.equal(limitWords(null), 'each bot’s own limit');
});

test('a share is whole only where nothing is missing', () => {
  for (let share = 0.0001; share < 1; share += 0.0007) assert.doesNotMatch(percentWords(share), /^(0|100)\s%$/);
});

test('what a lead in rating makes is what the engine says', () => {
  assert.ok(shares.length > 0);
  for (const [elo, drawing, share] of shares) assert.ok(Math.abs(shareAt(elo, drawing) - share) < 1e-12);
});

test('two share what there is', () => {
  for (let elo = -800; elo <= 800; elo += 50) {
    for (const drawing of [0, 0.4, 3]) assert.ok(Math.abs(shareAt(elo, drawing) + shareAt(-elo, drawing) - 1) < 1e-12);
  }
});
