import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnValue, gradeOf, isProven, note, sentence } from '../../client/web/record/reviewWords.ts';

const MARKS = { x: 'X', o: 'O' };
const GOOD = { exact: true, value: 1.0, best: ['a1'], at_most: false };

/** What a review says of X's move a1, the sentence about it, and what stands in the list. */
const SENTENCES = [
  [{ verdict: 'won', win_in: 7, could: 'won', could_in: 7 }, 'Wins in 7.', ''],
  [{ verdict: 'won', could: 'won' }, 'Wins.', ''],
  [{ verdict: 'won', win_in: 7, at_most: true, could: 'won' }, 'Wins in at most 7.', ''],
  [
    { verdict: 'won', win_in: 7, could: 'won', could_in: 3, best: ['b2'] },
    'A slower win: in 7 instead of 3.',
    'a slower win: 7 instead of 3',
  ],
  [
    { verdict: 'won', win_in: 7, at_most: true, could: 'won', could_in: 3, best: ['b2'] },
    'Wins in at most 7. With b2 it was a win in 3.',
    '',
  ],
  [
    { verdict: 'lost', win_in: -2, could: 'lost', could_in: -6, best: ['b2'] },
    'A faster loss: in 2 instead of 6.',
    'a faster loss: 2 instead of 6',
  ],
  [
    { verdict: 'lost', win_in: -6, could: 'won', could_in: 7, best: ['b2'] },
    'Threw away the win in 7: lost in 6 now.',
    'threw away the win in 7',
  ],
  [
    { verdict: 'drawn', value: 0.0, could: 'won', best: ['b2'] },
    'Threw away the win: a draw now.',
    'threw away the win',
  ],
  [{ verdict: 'lost', could: 'drawn', best: ['b2'] }, 'Threw away the draw: lost now.', 'threw away the draw'],
  [
    { verdict: 'lost', win_in: -6, at_most: true, could: 'lost', could_in: -14, best: ['b2'] },
    'Lost in at most 6. With b2 in 14.',
    '',
  ],
  [{ verdict: 'lost', win_in: -2, at_most: true, could: 'lost' }, 'Lost in 2, and no move was better.', ''],
  [
    { verdict: 'even', exact: false, could: 'won', could_in: 1, best: ['b2'] },
    'Probably missed a win in 1. Estimated: even.',
    'probably missed a win in 1',
  ],
  [{ verdict: 'lost', win_in: -4, could: 'even', best: ['b2'] }, 'Lost in 4. b2 looked even.', 'probably a mistake'],
  [{ verdict: 'even', exact: false, could: 'better', best: ['b2'] }, 'Estimated: even. b2 looked better.', ''],
  [
    { verdict: 'better', exact: false, could: 'won', could_in: 9, best: ['b2'] },
    'Estimated: X is better. With b2 it was a win in at most 9.',
    '',
  ],
  [
    { verdict: 'better', exact: false, could: 'better', best: ['b2'] },
    'Estimated: X is better. b2 looked a little better.',
    '',
  ],
  [
    { verdict: 'worse', exact: false, could: 'drawn', best: ['b2'] },
    'Estimated: O is better. With b2 it was a sure draw.',
    '',
  ],
  [{ verdict: 'drawn', value: 0.0, could: 'drawn', best: [] }, 'Keeps the draw.', ''],
];

test('what is said of a move', () => {
  for (const [judged, told, listed] of SENTENCES) {
    const move = { ply: 0, side: 'x', move: 'a1', judged: { ...GOOD, ...judged } };
    assert.equal(sentence(move, MARKS), told);
    assert.equal(note(move), listed);
  }
});

test('the only move is no mistake', () => {
  const judged = { ...GOOD, verdict: 'lost', win_in: -2, could: 'lost' };
  const move = { ply: 0, side: 'o', move: 'a1', judged, only: true };
  assert.equal(gradeOf(move), 'only');
  assert.equal(note(move), 'the only move');
  assert.equal(sentence(move, MARKS), 'The only move. Lost in 2, and no move was better.');
});

test('the best move is always good', () => {
  for (const verdict of ['won', 'drawn', 'lost', 'better', 'even', 'worse']) {
    const judged = { ...GOOD, verdict, could: verdict, exact: isProven(verdict) };
    assert.equal(gradeOf({ ply: 0, side: 'x', move: 'a1', judged }), 'good');
  }
});

test('values are drawn from the side of X, estimates off the edges', () => {
  const drawn = (side, value, exact) => drawnValue({ ply: 0, side, move: 'a1', judged: { ...GOOD, value, exact } });
  assert.equal(drawn('x', 1, true), 1);
  assert.equal(drawn('o', 1, true), -1);
  for (const value of [-7, -1, -0.5, 0.5, 1, 7]) {
    assert.ok(Math.abs(drawn('x', value, false)) < 0.9);
    assert.equal(drawn('x', value, false), -drawn('o', value, false));
  }
});
