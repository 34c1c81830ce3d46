import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capital, spokenMove } from '../../client/web/i18n/moveWords.ts';

test('moves as one says them', () => {
  assert.equal(spokenMove('c3'), 'c3');
  assert.notEqual(spokenMove('5/3'), '5/3');
  assert.notEqual(spokenMove('a1.2'), 'a1.2');
  assert.equal(capital('c3 is taken'), 'C3 is taken');
  assert.equal(capital(''), '');
});
