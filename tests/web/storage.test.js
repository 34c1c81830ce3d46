import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, write } from '../../client/web/ui/storage.ts';

const kept = new Map();
const window = {
  localStorage: {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => kept.set(key, text),
  },
};
Object.assign(globalThis, { window });

test('what another tab removes is gone', () => {
  write('token', 'mine');
  assert.equal(read('token'), 'mine');
  kept.clear();
  assert.equal(read('token'), null);
});
