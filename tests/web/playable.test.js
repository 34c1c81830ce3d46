import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometry } from '../../client/web/board/geometry.ts';
import { mayPlan, plan, plannable, resolvePremove } from '../../client/web/room/playable.ts';
import { aRoom, nested, TICTACTOE } from './examples.js';

/** A room where O looks on while X thinks. */
const waitingFor = (game) => ({ ...aRoom(game), you: 'o' });
const waiting = waitingFor({ moves: ['a1', 'b2'] });
const OVER = { winner: 'x', termination: 'line' };

/** What becomes of c3, planned while O waited. */
const fate = (state, { away = false, legal = ['c3'] } = {}) =>
  resolvePremove(plan(waiting, 'c3'), state, new Set(legal), away);

test('what may be planned is empty, while one waits', () => {
  const board = geometry(TICTACTOE);
  assert.deepEqual([...plannable(waiting, board)].sort(), ['a2', 'a3', 'b1', 'b3', 'c1', 'c2', 'c3']);
  for (const you of ['x', 'both', null]) {
    assert.equal(mayPlan({ ...waiting, you }), false);
    assert.equal(plannable({ ...waiting, you }, board).size, 0);
  }
  assert.equal(plannable(waitingFor({ result: OVER }), board).size, 0);
});

test('nothing is planned in a closed board', () => {
  const moves = ['5/1', '1/5', '5/2', '2/5', '5/3', '3/1']; // X has board 5
  const open = [...plannable(waitingFor({ game: 'ultimate', moves }), geometry(nested('ultimate')))];
  assert.equal(open.length, 72 - 3);
  assert.ok(!open.some((name) => name.startsWith('5/')));
});

test('a plan is kept while the opponent thinks', () => {
  assert.equal(fate(waiting), 'kept');
  assert.equal(fate(waiting, { away: true }), 'kept');
});

test("a plan is played after the opponent's move", () => {
  const answered = waitingFor({ moves: ['a1', 'b2', 'a2'], to_move: 'o' });
  assert.equal(fate(answered), 'play');
  assert.equal(fate(answered, { legal: ['b1'] }), 'illegal');
  assert.equal(fate(answered, { away: true }), 'gone');
});

test('a plan goes with the position it was made in', () => {
  const gone = [
    { moves: ['a1'], to_move: 'o' }, // taken back
    { moves: ['a1', 'b3', 'a2'], to_move: 'o' }, // and played otherwise
    { moves: ['a1', 'b2', 'a2', 'b1', 'c1'], to_move: 'o' },
    { moves: ['a1', 'b2', 'a2'], to_move: 'o', serial: 2 },
    { moves: ['a1', 'b2', 'a2'], to_move: null, result: { winner: null, termination: 'agreement' } },
  ];
  for (const game of gone) assert.equal(fate(waitingFor(game)), 'gone');
});
