import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelName, nextLevel, pickBot } from '../../client/web/lobby/levels.ts';

const level = {
  family: 'level',
  name: 'level:3',
  title: 'Levels',
  parameters: [{ name: 'level', min: 1, max: 8, default: 3 }],
};
const other = { family: 'random', name: 'random', title: 'Random', parameters: [] };

test('the next level follows how the last game ended', () => {
  assert.deepEqual(nextLevel(8, null), { level: 3, why: 'first' });
  assert.deepEqual(nextLevel(8, { level: 3, result: 'won' }), { level: 4, why: 'up' });
  assert.deepEqual(nextLevel(8, { level: 3, result: 'lost' }), { level: 2, why: 'down' });
  assert.deepEqual(nextLevel(8, { level: 3, result: 'drawn' }), { level: 3, why: 'same' });
  assert.deepEqual(nextLevel(8, { level: 8, result: 'won' }), { level: 8, why: 'same' });
  assert.deepEqual(nextLevel(8, { level: 1, result: 'lost' }), { level: 1, why: 'same' });
  assert.deepEqual(nextLevel(4, { level: 8, result: 'won' }), { level: 4, why: 'same' }); // the highest of this game
  assert.deepEqual(
    [8, 4, 1].map((highest) => nextLevel(highest, null)),
    [3, 2, 1].map((level) => ({ level, why: 'first' })),
  );
});

test('a level is always one that there is', () => {
  for (const highest of [1, 3, 8]) {
    for (const result of ['won', 'lost', 'drawn']) {
      for (let played = 1; played < 12; played++) {
        const { level: next } = nextLevel(highest, { level: played, result });
        assert.ok(Number.isInteger(next) && next >= 1 && next <= highest);
      }
    }
    const { level: first } = nextLevel(highest, null);
    assert.ok(Number.isInteger(first) && first >= 1 && first <= highest);
  }
});

test('a bot is picked by rating where both have a settled one', () => {
  const ratings = {
    'level:2': { value: 1400 },
    'level:4': { value: 1590 },
    'level:5': { value: 1500, provisional: true },
  };
  const strongest = { ...other, family: 'strongest', name: 'strongest', ratings: { strongest: { value: 1900 } } };
  const bots = [strongest, { ...level, ratings }];
  const picked = (rating) => {
    const { name, why } = pickBot(bots, rating, { level: 3, result: 'won' });
    return [name, why];
  };
  assert.deepEqual(picked(1520), ['level:4', 'rating']); // a provisional rating is none
  assert.deepEqual(picked(1850), ['strongest', 'rating']);
  assert.deepEqual(picked(null), [levelName(level, 4), 'up']);
  assert.deepEqual(picked(700), ['level:4', 'up']); // nobody is near
});

test('without levels the first bot will do, without bots none', () => {
  const played = { level: 3, result: 'won' };
  const { name, why } = pickBot([other], 1500, played);
  assert.deepEqual([name, why], ['random', 'only']);
  assert.equal(pickBot([], null, null), null);
});
