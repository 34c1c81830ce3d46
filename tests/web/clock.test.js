import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText, clockWords, remaining_ms } from '../../client/web/room/clock.ts';

test('a clock shows minutes, and tenths at the end', () => {
  const shown = {
    0: '0.0',
    1: '0.1',
    9940: '10.0',
    9900: '9.9',
    10000: '0:10',
    59001: '1:00',
    3599999: '1:00:00',
  };
  for (const [ms, text] of Object.entries(shown)) assert.equal(clockText(Number(ms)), text);
});

test('zero is shown only when the time is up', () => {
  for (let ms = 1; ms < 100_000; ms += 7) assert.doesNotMatch(clockText(ms), /^0[.:]0+$/);
});

test('the clock of the side to move runs, and not below zero', () => {
  const clock = { x_ms: 5_000, o_ms: 7_000, running: 'x' };
  assert.equal(remaining_ms(clock, 'x', 1_000, 3_500), 2_500);
  assert.equal(remaining_ms(clock, 'o', 1_000, 3_500), 7_000);
  assert.equal(remaining_ms(clock, 'x', 1_000, 99_000), 0);
  assert.equal(remaining_ms(clock, 'x', 1_000, 500), 5_000); // our estimate was a little behind
  assert.equal(remaining_ms(clock, 'x', 1_000, null), 5_000); // nobody knows the time yet
});

test('a clock in words', () => {
  assert.equal(clockWords({ initial_ms: 300_000, increment_ms: 3_000 }), '5 min + 3 s');
  assert.equal(clockWords({ move_ms: 86_400_000 }), '24 h a move');
  assert.equal(clockWords(null), 'no clock');
});
