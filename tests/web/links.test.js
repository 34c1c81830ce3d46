import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorePath, roomPath } from '../../client/web/net/address.ts';

test('a link to the explorer holds the game and its moves', () => {
  assert.equal(explorePath('qubic', []), '/explorer?game=qubic');
  const url = new URL(explorePath('mnk:4,4,4', ['a1', '5/3']), 'https://example.org');
  assert.equal(url.searchParams.get('game'), 'mnk:4,4,4');
  assert.equal(url.searchParams.get('moves'), 'a1,5/3');
});

test('one address of a room, its code where no server sees it', () => {
  assert.equal(roomPath('r1', null), '/room/r1');
  assert.equal(roomPath('r1', 'c0de'), '/room/r1#c0de');
  assert.equal(roomPath('a/b', 'x#y'), '/room/a%2Fb#x%23y');
});
