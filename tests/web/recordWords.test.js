import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsWords, percent, recordSentence, sourceWords, timeWords } from '../../client/web/record/words.ts';

const LIMITED = { depth: 3 };
const MANY_NODES = { nodes: 20_000 };

test('times in words', () => {
  const times = [
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.00 s'],
    [9_994, '9.99 s'],
    [9_996, '10.0 s'],
    [59_960, '1:00 min'],
    [125_000, '2:05 min'],
  ];
  for (const [ms, words] of times) assert.equal(timeWords(ms), words);
});

test('shares in words: whole only where they are', () => {
  const shares = [
    [0, 0, '0 %'],
    [0, 9, '0 %'],
    [1, 1000, '<1 %'],
    [1, 3, '33 %'],
    [999, 1000, '>99 %'],
    [5, 5, '100 %'],
  ];
  for (const [part, whole, words] of shares) assert.equal(percent(part, whole), words);
});

test('clock and limits in one line', () => {
  const limits = [
    [{ clock: null }, 'none'],
    [{ clock: null, source: 'ladder' }, 'each bot’s own'],
    [{ clock: null, source: 'ladder', x_limit: LIMITED, o_limit: LIMITED }, 'depth 3'],
    [{ clock: { initial_ms: 60_000 } }, '1 min'],
    [{ clock: null, x_limit: MANY_NODES, o_limit: MANY_NODES }, '20,000 nodes a move'],
    [{ clock: { move_ms: 500 }, o_limit: LIMITED }, '0.5 s a move · O depth 3'],
  ];
  for (const [record, words] of limits) assert.equal(limitsWords(record), words);
});

test('where a game was played', () => {
  assert.equal(sourceWords({ source: 'ladder', run: 'night/small/3f' }), 'ladder night, list small');
  assert.equal(sourceWords({ source: 'room', private: true }), 'by invitation');
});

test('how a recorded game ended', () => {
  const [x, o] = ['Ann', 'Bob'].map((name, i) => ({ id: String(i), name, kind: 'person' }));
  const record = { game: 'qubic', x, o, winner: null, termination: null };
  const marks = { x: 'X', o: 'O' };
  const running = recordSentence(record, marks);
  const won = recordSentence({ ...record, winner: 'o', termination: 'resignation' }, marks);
  const drawn = recordSentence({ ...record, termination: 'agreement' }, marks);
  assert.equal(new Set([running, won, drawn]).size, 3);
  assert.match(won, /Bob/);
});
