import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { botFullName, playerName } from '../../client/web/i18n/botWords.ts';

test('bots are called by names that people say', () => {
  assert.equal(botFullName('level:2'), 'Level 2');
  assert.equal(botFullName('random'), 'Random');
  assert.equal(botFullName('strongest'), 'Strongest');
  assert.equal(botFullName('alphabeta:3'), 'Alpha-beta (3)');
  assert.equal(botFullName('altekar-minimax:5,zero'), 'Altekar, minimax (5, zero)');
});

test('what no bot of this page is called stays as it is', () => {
  for (const name of ['level:two', 'level:', 'random:', 'somebody:2', 'toString', ':', ''])
    assert.equal(botFullName(name), name);
});

test('only bots are renamed', () => {
  assert.equal(playerName({ name: 'level:2', kind: 'bot' }), 'Level 2');
  assert.equal(playerName({ name: 'Level 2', kind: 'person' }), 'Level 2');
  assert.equal(playerName({ name: 'level:2', kind: 'person' }), 'level:2');
  assert.equal(playerName({ name: 'level:2' }), 'level:2');
  assert.equal(playerName({ name: 'Ann', bot: 'random' }), 'Random');
});
