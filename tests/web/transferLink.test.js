import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movesName, tokenIn, transferLink } from '../../client/web/identity/transferLink.ts';

const TOKEN = 'abcdefghij_klmnopq-rstuvw';

test('a token comes out of the link it went into', () => {
  const link = transferLink('https://example.org', TOKEN);
  assert.equal(tokenIn(link), TOKEN);
  assert.equal(tokenIn(` ${link}\n`), TOKEN);
  assert.equal(tokenIn(TOKEN), TOKEN);
  assert.equal(tokenIn(new URL(link).hash), TOKEN);
  assert.equal(movesName(new URL(link).hash), true);
  assert.equal(new URL(link).pathname + new URL(link).search, '/');
});

test('what holds no token is told', () => {
  for (const text of ['', 'short', `${TOKEN} and more`, '#become=', 'https://example.org/', '#become=<b>']) {
    assert.equal(tokenIn(text), null);
  }
  assert.equal(movesName('#create'), false);
});
