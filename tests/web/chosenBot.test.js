import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenBot, withValue } from '../../client/web/lobby/chosenBot.ts';

const parameter = (name, most, fallback) => ({ name, min: 1, max: most, default: fallback });
const level = { family: 'level', name: 'level:3', parameters: [parameter('level', 4, 3)] };
const deep = { family: 'alphabeta', name: 'alphabeta:4', parameters: [parameter('ply', 20, 4)] };
const two = {
  family: 'osipa',
  name: 'osipa',
  parameters: [parameter('ply', 9, 3), { name: 'eval', choices: ['zero'], default: 'zero' }],
};
const random = { family: 'random', name: 'random', parameters: [] };
const bots = [random, level, deep, two];

test('a bot is chosen by its full name', () => {
  assert.equal(chosenBot(bots, 'alphabeta:7').name, 'alphabeta:7');
  assert.equal(chosenBot(bots, 'alphabeta').name, 'alphabeta:4');
  assert.equal(chosenBot(bots, 'random').name, 'random');
  assert.equal(chosenBot(bots, 'osipa:5').name, 'osipa:5,zero');
});

test('what cannot be had becomes the first to offer', () => {
  for (const wanted of ['', 'nobody:3', ':', '<b>']) assert.equal(chosenBot(bots, wanted).name, 'level:3');
  assert.equal(chosenBot([random], 'level:2').name, 'random');
  assert.equal(chosenBot([], 'level:2'), null);
});

test('a level is kept as far as there are so many', () => {
  assert.equal(chosenBot(bots, 'level:2').name, 'level:2');
  assert.equal(chosenBot(bots, 'level:8').name, 'level:4');
  assert.equal(chosenBot(bots, 'level:x').name, 'level:1');
});

test('a value that is being typed is not rewritten', () => {
  const chosen = chosenBot(bots, 'osipa:5,zero');
  assert.equal(withValue(chosen, 0, ' 7 '), 'osipa:7,zero');
  assert.deepEqual(chosenBot(bots, withValue(chosen, 0, '')).values, ['', 'zero']);
});
