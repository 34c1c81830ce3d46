import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyEvent,
  applyNote,
  fromSnapshot,
  hasTakebacks,
  isMyTurn,
  isRunning,
  order,
  other,
} from '../../client/web/room/state.ts';
import { aRoom } from './examples.js';

const SEARCH = { nodes: 1_234_567, depth: 9, value: 0.351, win_in: null, pv: ['a1', 'b2'] };
const RATINGS = {
  x: { before: 1500, after: 1662, deviation: 290, provisional: true },
  o: { before: 1600, after: 1588, deviation: 60 },
};

/** @param {object} state */
function frozen(state) {
  for (const value of Object.values(state)) if (value && typeof value === 'object') frozen(value);
  return Object.freeze(state);
}

test('events are applied in order and once', () => {
  const state = aRoom();
  assert.deepEqual(
    [6, 7, 8, 9].map((seq) => order(state, seq)),
    ['known', 'known', 'next', 'gap'],
  );
});

test('a move changes the board, the clock and the offers', () => {
  const offers = [
    { by: 'o', what: 'draw' },
    { by: 'o', what: 'takeback' },
  ];
  const clock = { x_ms: 2, o_ms: 3, running: 'o' };
  const moved = { seq: 8, ts: 5, e: 'moved', ply: 0, move: 'a1', by: 'x', think_ms: 1, to_move: 'o', clock };
  const after = applyEvent({ ...aRoom(), offers }, moved, '1');
  assert.deepEqual([after.seq, after.ts, after.game.moves, after.game.legal], [8, 5, ['a1'], null]);
  assert.deepEqual(after.offers, []); // a draw offer lapses with the opponent's move
  assert.deepEqual(after.clock, { ...clock, initial_ms: 1 });

  const back = { seq: 9, ts: 6, e: 'takenback', ply: 0, moves: [], clock: null, to_move: 'x' };
  const again = applyEvent(after, back, '1');
  assert.deepEqual([again.game.moves, again.game.last, again.game.to_move], [[], null, 'x']);
  const unknown = applyEvent(again, { seq: 10, ts: 7, e: 'of a later version' }, '1');
  assert.deepEqual(unknown, { ...again, seq: 10 });
});

test("one's own draw offer outlives one's own move", () => {
  const offers = [{ by: 'x', what: 'draw' }];
  const moved = { seq: 8, ts: 5, e: 'moved', ply: 0, move: 'a1', by: 'x', clock: null, to_move: 'o' };
  assert.deepEqual(applyEvent({ ...aRoom(), offers }, moved, '1').offers, offers);
});

test('what bots found stays with its ply', () => {
  let state = applyNote(aRoom(), { t: 'thinking', room: 'r', nodes: 5, depth: 2, value: 1, pv: [] });
  assert.deepEqual([state.thinking.depth, state.thinking.by], [2, 'x']);
  for (const [ply, by] of [...'xoxo'].entries()) {
    const event = {
      seq: 8 + ply,
      ts: 5,
      e: 'moved',
      ply,
      move: 'a1',
      by,
      clock: null,
      think_ms: 1,
      to_move: other(by),
    };
    state = applyEvent(state, { ...event, ...(by === 'o' && { search: SEARCH }) }, '1');
  }
  assert.deepEqual([state.thinking, Object.keys(state.searches)], [null, ['1', '3']]);
  const back = { seq: 12, ts: 6, e: 'takenback', ply: 2, moves: ['a1', 'a1'], clock: null, to_move: 'x' };
  assert.deepEqual(applyEvent(state, back, '1').searches, { 1: SEARCH });
});

test('a rematch turns the seats', () => {
  let state = aRoom();
  const { seats } = state;
  for (const [seq, side] of [
    [8, 'x'],
    [9, 'o'],
  ]) {
    state = applyEvent(state, { seq, e: 'seated', side, seat: seats[other(side)] }, '1');
  }
  assert.equal(state.you, 'o');
});

test('a rated end changes the ratings of seats', () => {
  const ended = { seq: 8, ts: 5, e: 'ended', winner: 'x', termination: 'flag', clock: null, ratings: RATINGS };
  const after = applyEvent({ ...aRoom(), rated: true }, ended, '1');
  assert.deepEqual(after.game.result, { winner: 'x', termination: 'flag' });
  assert.deepEqual(after.seats.x.rating, { value: 1662, deviation: 290, provisional: true, change: 162 });
  assert.deepEqual(after.seats.o.rating, { value: 1588, deviation: 60, provisional: false, change: -12 });
});

test('a challenge that was declined is over, and says so', () => {
  const ended = { seq: 8, ts: 5, e: 'ended', winner: null, termination: 'aborted', clock: null, declined: true };
  assert.deepEqual(applyEvent(aRoom(), ended, '1').game.result, {
    winner: null,
    termination: 'aborted',
    declined: true,
  });
});

test('offers come, go and replace each other', () => {
  const event = (seq, e, by) => ({ seq, ts: 5, e, by, what: 'takeback' });
  let state = applyEvent(aRoom(), event(8, 'offered', 'o'), '1');
  state = applyEvent(state, event(9, 'offered', 'o'), '1');
  assert.equal(state.offers.length, 1);
  state = applyEvent(state, event(10, 'offered', 'x'), '1');
  assert.equal(state.offers.length, 2);
  // Declining is the other side's: the asker's own stays.
  state = applyEvent(state, event(11, 'declined', 'x'), '1');
  assert.deepEqual(
    state.offers.map((offer) => offer.by),
    ['x'],
  );
});

test('moves are taken back in casual games of players who can go back', () => {
  assert.ok(hasTakebacks(aRoom()));
  assert.ok(!hasTakebacks({ ...aRoom(), rated: true }));
  assert.ok(!hasTakebacks({ ...aRoom(), takebacks: false }));
});

test('only the newest lines of a chat are kept', () => {
  let state = aRoom();
  for (let seq = 8; seq < 208; seq++) {
    const said = { seq, ts: seq, e: 'said', by: { id: '2', name: 'Bob' }, text: String(seq) };
    state = applyEvent(state, said, '1');
  }
  assert.equal(state.chat.length, 100);
  assert.equal(state.chat.at(-1).text, '207');
});

test('notes change who is here and nothing else', () => {
  const state = frozen(aRoom());
  const gone = applyNote(state, { t: 'present', room: 'r', side: 'o', present: false });
  assert.equal(gone.seats.o.present, false);
  assert.equal(gone.seats.x.present, true);
  assert.equal(applyNote(state, { t: 'spectators', room: 'r', count: 3 }).spectators, 3);
  const empty = { ...aRoom(), seats: { x: null, o: null } };
  assert.equal(applyNote(empty, { t: 'present', room: 'r', side: 'o', present: true }), empty);
  assert.equal(applyNote(state, { t: 'of a later version' }), state);
});

test('what an engine did that lost it the game is known until the next one', () => {
  const event = { seq: 8, ts: 5, e: 'ended', winner: 'x', termination: 'crash', clock: null };
  const fault = 'The engine ended with an error.';
  const after = applyEvent(aRoom(), { ...event, fault }, '1');
  assert.equal(after.game.fault, fault);
  assert.ok(!applyEvent(after, { seq: 9, ts: 6, e: 'started', game: aRoom().game }, '1').game.fault);
  assert.ok(!applyEvent(aRoom(), event, '1').game.fault);
});

test('nothing is changed in place', () => {
  const seat = { id: '3', name: 'Cy', kind: 'person', present: true };
  const events = [
    { e: 'seated', side: 'o', seat },
    { e: 'started', game: aRoom().game },
    { e: 'moved', ply: 0, move: 'a1', by: 'x', clock: null, to_move: 'o', search: SEARCH },
    { e: 'offered', by: 'o', what: 'draw' },
    { e: 'declined', by: 'x', what: 'draw' },
    { e: 'takenback', ply: 0, moves: [], clock: null, to_move: 'x' },
    { e: 'said', by: { id: '1', name: 'Ann' }, text: 'hi' },
    { e: 'ended', winner: 'x', termination: 'flag', clock: null, ratings: RATINGS },
  ];
  let state = frozen(aRoom());
  events.forEach((event, i) => {
    state = frozen(applyEvent(state, frozen({ seq: 8 + i, ts: i, ...event }), '1'));
    assert.equal(state.seq, 8 + i);
  });
});

test('whose turn it is', () => {
  const state = aRoom();
  assert.equal(isMyTurn(state), true);
  assert.equal(isMyTurn({ ...state, you: 'o' }), false);
  assert.equal(isMyTurn({ ...state, you: 'both' }), true);
  assert.equal(isMyTurn({ ...state, you: null }), false);
  assert.equal(isMyTurn(aRoom({ to_move: null })), false);
  assert.equal(isRunning(state), true);
  assert.equal(isRunning(aRoom({ result: { winner: null, termination: 'agreement' } })), false);
  assert.equal(isRunning(aRoom({ started: false })), false);
});

test('a snapshot may leave out what is not there', () => {
  const { clock, you, thinking, searches, ...rest } = aRoom();
  const state = fromSnapshot({ t: 'room', ...rest });
  assert.deepEqual([state.clock, state.you, state.thinking, state.searches], [null, null, null, {}]);
});
