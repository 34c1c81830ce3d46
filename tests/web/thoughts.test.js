import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expected, isOfNow, shareOfX, thought } from '../../client/web/room/thoughts.ts';
import { searchWords } from '../../client/web/room/words.ts';
import { aRoom, spaced } from './examples.js';

const FOUND = { nodes: 10, depth: 3, value: 0.5, win_in: null, pv: ['b2', 'a1', 'c3'] };

test('what the bot to move thinks', () => {
  const thinking = {
    nodes: 99,
    depth: 5,
    value: -999_999_998,
    win_in: -6,
    pv: ['c1', 'c2'],
    by: /** @type {const} */ ('x'),
  };
  const told = thought({ ...aRoom(), thinking }, {});
  assert.deepEqual(expected(told), ['c1', 'c2']);
  assert.equal(told && spaced(searchWords(told)), 'depth 5 · 99 positions · loses within 6');
  assert.equal(told && shareOfX(told), 0);
});

test('an end that is not proven has no plies', () => {
  const room = aRoom({ moves: ['b2'], to_move: 'o' });
  const told = thought(room, { 0: { ...FOUND, value: -999_999_998 } });
  assert.equal(told && spaced(searchWords(told)), 'depth 3 · 10 positions · losing');
});

test('what was found last, without the move it was found at, also once the game is over', () => {
  const room = aRoom({ moves: ['b2'], to_move: 'o' });
  const told = thought(room, { 0: FOUND });
  assert.deepEqual(expected(told), ['a1', 'c3']);
  assert.deepEqual([told?.by, told?.ply], ['x', 0]);
  assert.equal(told && isOfNow(room, told), true);
  assert.equal(thought(room, { 1: FOUND }), null, 'a move that was taken back');
  const answered = aRoom({ moves: ['b2', 'a1'], to_move: 'x' });
  assert.equal(thought(answered, { 0: FOUND })?.ply, 0);
  assert.equal(told && isOfNow(answered, told), false);
  const over = aRoom({ moves: ['b2'], to_move: null, result: { winner: 'x' } });
  assert.equal(thought(over, { 0: FOUND })?.ply, 0);
  assert.equal(told && isOfNow(over, told), false);
});

test('what was found at the move that somebody points at comes before what a bot thinks', () => {
  const thinking = { nodes: 99, depth: 5, value: 1, pv: [], by: /** @type {const} */ ('x') };
  const room = { ...aRoom({ moves: ['b2', 'a1'], to_move: 'x' }), thinking };
  const searches = { 0: FOUND, 1: { ...FOUND, depth: 7 } };
  assert.equal(thought(room, searches)?.depth, 5);
  assert.equal(thought(room, searches, 0)?.depth, 3);
  assert.equal(thought(room, searches, 5)?.depth, 5, 'nothing was found there');
});

test('whose move it was counts the moves that were set up', () => {
  const room = aRoom({ start: ['b2'], moves: ['a1'], to_move: 'x' });
  assert.equal(thought(room, { 0: FOUND })?.by, 'o');
});

test('the share of the value bar that is X', () => {
  const by = (/** @type {'x' | 'o'} */ side, /** @type {number | null} */ value) =>
    shareOfX({ ...FOUND, ply: 0, by: side, value, win_in: null });
  assert.equal(by('x', 0), 0.5);
  for (const value of [0.5, 55, 1877, 40_000]) {
    const share = by('x', value) ?? 0;
    assert.ok(share > 0.5 && share < 0.8, `${value} is no win yet, and is shown as ${share}`);
    assert.ok(Math.abs((by('o', value) ?? 0) + share - 1) < 1e-9);
    assert.ok((by('x', 2 * value) ?? 0) > share);
  }
  assert.equal(by('x', 999_999_995), 1);
  assert.equal(by('x', null), null);
  assert.equal(shareOfX({ ...FOUND, ply: 0, by: 'o', win_in: 7 }), 0);
});
