import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, number, pieces, spoken, t } from '../../client/web/i18n/language.ts';
import { refusal } from '../../client/web/net/errors.ts';

test('the language that was chosen, else the first that there is', () => {
  assert.equal(spoken('de', ['en'], ['de', 'en']), 'de');
  assert.equal(spoken(null, ['fr-CA', 'de-AT', 'en'], ['de', 'en']), 'de');
  assert.equal(spoken('xx', ['yy'], ['de', 'en']), 'en');
  assert.equal(spoken(null, [], ['de', 'en']), 'en');
});

test('a text holds what is put in', () => {
  assert.equal(t('levels.at', { level: 2, highest: 8, strength: 'fair' }), '2 of 8 · fair');
  assert.deepEqual(
    pieces('figures.percent', { percent: 50 }).filter((part) => part !== ''),
    ['50', ' %'],
  );
});

test('what holds right-to-left letters does not turn the sentence around it', () => {
  const said = (/** @type {string} */ name) => t('status.other', { name });
  assert.equal(said('שלום עולם 123 abc'), '\u2068שלום עולם 123 abc\u2069 is to move.');
  assert.equal(said('سلام'), '\u2068سلام\u2069 is to move.');
  assert.equal(said('Ann 123'), 'Ann 123 is to move.');
});

test('numbers and lists as they are written here', () => {
  assert.equal(number(1234.5), '1,234.5');
  assert.equal(list(['a', 'b', 'c']), 'a, b, and c');
});

test('what the server says of the time to wait is told in any language', () => {
  assert.match(t('errors.too_fast', { sentence: 'Try again in 174 s.' }), /174 s/); // others have the same places
});

test('what the server words for programs is told in words of the page', () => {
  assert.equal(refusal('not_now', 'It is not your turn to offer.'), 'It is not your turn to offer.');
  assert.equal(refusal('stale', 'The next ply is 5, not 4.'), 'The game has moved on since.');
  assert.match(refusal('bad_game', "a board is written 'mnk:6,5,4'"), /^There is no such game\. A board of any size/);
});
