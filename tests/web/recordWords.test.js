import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsWords, recordSentence, sourceWords } from '../../client/web/record/words.ts';

const LIMITED = { depth: 3 };
const MANY_NODES = { nodes: 20_000 };

test('clock and limits in one line', () => {
  const limits = [
    [{ clock: null }, 'none'],
    [{ clock: null, source: 'ladder' }, 'each bot’s own'],
    [{ clock: null, source: 'ladder', x_limit: LIMITED, o_limit: LIMITED }, '3 plies deep'],
    [{ clock: { initial_ms: 60_000 } }, '1 min'],
    [{ clock: null, x_limit: MANY_NODES, o_limit: MANY_NODES }, '20,000 positions a move'],
    [{ clock: { move_ms: 500 }, o_limit: LIMITED }, '0.5 s a move · O 3 plies deep'],
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
  assert.equal(
    recordSentence({ ...record, winner: 'o', termination: 'flag' }, marks),
    'Bob wins: Ann ran out of time.',
  );
});
