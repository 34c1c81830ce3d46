import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploreLink } from '../../client/web/explore/link.ts';

test('a link to the explorer holds the game and its moves', () => {
  assert.equal(exploreLink('qubic', []), '/explorer?game=qubic');
  const url = new URL(exploreLink('mnk:4,4,4', ['a1', '5/3']), 'https://example.org');
  assert.equal(url.searchParams.get('game'), 'mnk:4,4,4');
  assert.equal(url.searchParams.get('moves'), 'a1,5/3');
});
