import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { botName, Catalog, firstBot, isLevels, searchesOf } from '../../client/web/net/catalog.ts';

const random = { family: 'random', parameters: [] };
const alphabeta = { family: 'alphabeta', parameters: [] };
const level = {
  family: 'level',
  name: 'level:3',
  parameters: [{ name: 'level', min: 1, max: 8, default: 3 }],
};

test('the bot that is offered first', () => {
  assert.equal(firstBot([random, alphabeta, level]), level);
  assert.equal(firstBot([random, alphabeta]), alphabeta);
  assert.equal(firstBot([random]), random);
});

test("a bot's name with its parameters", () => {
  assert.equal(botName(level, ['5']), 'level:5');
  assert.equal(botName(level, []), 'level:3');
});

test('levels have a highest one', () => {
  assert.equal(isLevels(level), true);
  assert.equal(isLevels({ ...level, parameters: [] }), false);
  assert.equal(isLevels(alphabeta), false);
});

test('what bots found is told of those that searched', () => {
  const move = { ply: 0, move: 'a1', by: 'x', at_ms: 0, think_ms: 1 };
  const searched = { ...move, ply: 1, depth: 3, nodes: 9, value: 0.5, pv: ['b2'] };
  assert.deepEqual(searchesOf({ moves: [move, searched, { ...move, ply: 2, depth: 1 }] }), {
    1: { depth: 3, nodes: 9, value: 0.5, win_in: null, pv: ['b2'] },
    2: { depth: 1, nodes: 0, value: null, win_in: null, pv: [] },
  });
  assert.deepEqual(searchesOf({}), {});
});

test('a game that was asked for alone is the same object in the list', async (run) => {
  const game = { id: 'tictactoe' };
  const answers = { '/api/rules': [game, { id: 'qubic' }], '/api/rules?game=tictactoe': game };
  run.mock.method(globalThis, 'fetch', async (path) => Response.json(answers[path]));
  const catalog = new Catalog();
  const alone = await catalog.rules('tictactoe');
  const [listed] = await catalog.games();
  assert.equal(listed, alone);
  assert.equal(await catalog.rules('tictactoe'), alone);
});

test('and one that was asked for alone while the list came is the object of the list', async (run) => {
  const answers = {};
  run.mock.method(globalThis, 'fetch', (path) => new Promise((tell) => (answers[path] = tell)));
  const catalog = new Catalog();
  const alone = catalog.rules('tictactoe');
  const games = catalog.games();
  answers['/api/rules'](Response.json([{ id: 'tictactoe' }]));
  const [listed] = await games;
  answers['/api/rules?game=tictactoe'](Response.json({ id: 'tictactoe' }));
  assert.equal(await alone, listed);
  assert.equal(await catalog.rules('tictactoe'), listed);
});
