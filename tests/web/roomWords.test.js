import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEvent } from '../../client/web/room/state.ts';
import {
  countWords,
  eventSentence,
  levelWords,
  ratedSentence,
  ratingWords,
  searchWords,
  seatName,
  statusSentence,
  warmingWords,
} from '../../client/web/room/words.ts';
import { aRoom, spaced } from './examples.js';

const SEARCH = { nodes: 1_234_567, depth: 9, value: 0.351, win_in: null, pv: ['a1', 'b2'] };
const MARKS = { x: 'X', o: 'O' };

test('what a bot found in words', () => {
  assert.equal(spaced(searchWords(SEARCH)), 'depth 9 · 1.2 M positions · value +0.351');
  for (const [changes, words] of [
    [{ win_in: 7, nodes: 9_999 }, 'depth 9 · 9,999 positions · wins within 7'],
    [{ win_in: -2, nodes: 34_500 }, 'depth 9 · 34.5 k positions · loses in 2'],
    [{ win_in: -6, nodes: 34_500 }, 'depth 9 · 34.5 k positions · loses within 6'],
    [{ win_in: -6, at_most: false, nodes: 34_500 }, 'depth 9 · 34.5 k positions · loses in 6'],
    [{ win_in: 7, at_most: false, nodes: 34_500 }, 'depth 9 · 34.5 k positions · wins in 7'],
    [{ value: -1234.4, nodes: 1 }, 'depth 9 · 1 position · value −1,234'],
    [{ value: 0, nodes: 2_500_000_000 }, 'depth 9 · 2.5 G positions · value 0'],
    [{ value: -999_999_998, nodes: 1 }, 'depth 9 · 1 position · losing'],
    [{ value: 999_999_997, nodes: 1 }, 'depth 9 · 1 position · winning'],
    [{ value: null, nodes: 250_000 }, 'depth 9 · 250 k positions'],
    [{ value: null, nodes: 999_700 }, 'depth 9 · 1.0 M positions'],
  ]) {
    assert.equal(spaced(searchWords({ ...SEARCH, ...changes })), words);
  }
});

test('a line of figures breaks between two of them alone', () => {
  assert.deepEqual(searchWords(SEARCH).split(' '), [
    'depth\u00A09\u00A0·',
    '1.2\u00A0M\u00A0positions\u00A0·',
    'value\u00A0+0.351',
  ]);
});

test('a number never needs more than four digits', () => {
  for (let count = 1; count < 1e13; count = Math.ceil(count * 1.37)) {
    assert.match(countWords(count), /^\d{1,3}(\.\d)?( [kMG])?$|^\d,\d{3}( [kMG])?$/);
  }
});

test('levels in words', () => {
  const words = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => levelWords(level, 8));
  assert.equal(new Set(words).size, 8);
  assert.equal(words[0], '1 of 8 · a beginner');
  assert.equal(words[7], '8 of 8 · the strongest');
  assert.equal(levelWords(3, 3), '3 of 3 · the strongest');
});

test('warming up in words', () => {
  assert.equal(warmingWords({ done: 2, of: 5 }), 'Bots are starting: 2 of 5.');
  assert.equal(warmingWords({ done: 0, of: 0 }), 'Bots are starting.');
});

test('what the end of a game means for ratings', () => {
  const ratings = {
    x: { before: 1500, after: 1662, deviation: 290, provisional: true },
    o: { before: 1600, after: 1588, deviation: 60 },
  };
  const ended = { seq: 8, ts: 5, e: 'ended', winner: 'x', termination: 'flag', clock: null, ratings };
  const after = applyEvent({ ...aRoom(), rated: true }, ended, '1');
  assert.equal(ratedSentence(after), 'Your rating is now 1662.');
  assert.equal(ratedSentence({ ...after, you: null }), '');
  const short = applyEvent({ ...aRoom(), rated: true }, { ...ended, ratings: null }, '1');
  assert.match(ratedSentence(short), /too short/);
  assert.equal(ratedSentence({ ...short, rated: false }), '');
});

test('ratings in words', () => {
  const rating = { value: 1512, deviation: 60 };
  assert.equal(ratingWords(rating), '1512');
  assert.equal(ratingWords({ ...rating, provisional: true }), '1512?');
  assert.equal(ratingWords({ ...rating, change: null }), '1512');
  assert.equal(ratingWords({ ...rating, change: 12 }), '1512 (+12)');
  assert.equal(ratingWords({ ...rating, change: 0 }), '1512 (+0)');
  assert.equal(ratingWords({ ...rating, provisional: true, change: -88 }), '1512? (−88)');
});

test('two of one name are told apart by their marks', () => {
  const room = aRoom();
  assert.equal(seatName(room, 'x', MARKS), 'Ann');
  room.seats.o.name = 'Ann';
  assert.equal(seatName(room, 'x', MARKS), 'Ann (X)');
  assert.equal(seatName({ ...room, seats: { x: null, o: null } }, 'x', MARKS), 'X');
});

test('what happened is told to whoever did it too, and of bots by what people call them', () => {
  const room = aRoom();
  const offered = { e: 'offered', by: 'x', what: 'draw' };
  assert.equal(eventSentence({ ...room, you: 'x' }, offered, MARKS), 'You offer a draw.');
  assert.equal(eventSentence({ ...room, you: 'o' }, offered, MARKS), 'Ann offers a draw.');
  const seat = { id: '3', name: 'level:2', kind: 'bot', present: true };
  assert.equal(
    eventSentence({ ...room, you: 'x' }, { e: 'seated', side: 'o', seat }, MARKS),
    'Level 2 sits down as O.',
  );
  const withBot = { ...room, you: 'x', seats: { ...room.seats, o: seat } };
  assert.equal(eventSentence(withBot, offered, MARKS), '', 'it answers at once');
  const [first, second] = ['x', 'o'].map((by) => ({ e: 'offered', by, what: 'rematch' }));
  const asked = { ...room, you: 'x', offers: [first] };
  assert.equal(eventSentence(asked, first, MARKS), 'You asked for a rematch.');
  assert.equal(eventSentence({ ...asked, offers: [first, second] }, second, MARKS), '', 'the game starts at once');
});

test('what a game waits for', () => {
  const sentences = [
    statusSentence(aRoom(), MARKS),
    statusSentence(aRoom({ to_move: 'o' }), MARKS),
    statusSentence({ ...aRoom(), you: 'both' }, MARKS),
    statusSentence({ ...aRoom({ started: false }), seats: { x: null, o: null } }, MARKS),
    statusSentence(aRoom({ started: false }), MARKS),
    statusSentence(aRoom({ result: { winner: 'x', termination: 'line' } }), MARKS),
    statusSentence(aRoom({ result: { winner: null, termination: 'something new' } }), MARKS),
  ];
  assert.equal(new Set(sentences).size, sentences.length);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].*\.$/);
});
