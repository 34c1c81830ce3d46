import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretIn, shareLink } from '../../client/web/net/address.ts';

test('the secret of a link comes out of it as it was put in', () => {
  const link = new URL(shareLink('https://example.org', '17', 'a-B_9'));
  assert.equal(link.pathname, '/game/17');
  assert.equal(secretIn(link.hash.slice(1)), 'a-B_9');
});

test('what is no secret opens nothing, and what was altered is asked for in vain', () => {
  assert.equal(secretIn(''), null);
  assert.equal(secretIn('puzzles'), null);
  for (const hash of ['share=', 'share=a b', 'share=<script>', `share=${'a'.repeat(201)}`, 'share=ä'])
    assert.equal(secretIn(hash), '-', hash);
});
