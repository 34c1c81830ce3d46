import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, unstored, write } from '../../client/web/ui/storage.ts';

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

test('why something is not stored: a full storage is not a denied one', () => {
  const refuse = (/** @type {string} */ name) => {
    window.localStorage.setItem = () => {
      throw new DOMException('', name);
    };
    write('token', 'mine');
    return unstored('token');
  };
  assert.equal(unstored('token'), null);
  assert.equal(refuse('QuotaExceededError'), 'full');
  assert.equal(read('token'), 'mine');
  assert.equal(refuse('SecurityError'), 'denied');
  assert.equal(unstored('marks'), null);
  Object.assign(window, { localStorage: null });
  write('token', 'mine');
  assert.equal(unstored('token'), 'denied', 'as where it is switched off in the settings');
});
