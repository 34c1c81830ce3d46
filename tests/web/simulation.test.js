import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, figures, gamesWanted, series, stopped, wantsGame } from '../../client/web/room/simulation.ts';
import { aRoom } from './examples.js';

const RANDOM = 'random';
const LEVEL = 'level:1';

/** A room of two bots after a game. @param {number} serial @param {object} [game] @param {[string, string]} [bots] */
function over(serial, game = {}, bots = [RANDOM, LEVEL]) {
  const [x, o] = bots.map((bot) => ({ id: bot, name: bot, kind: 'bot', bot, present: true }));
  const result = { winner: 'x', termination: 'line' };
  return {
    ...aRoom({ serial, result, to_move: null, moves: ['a1', 'b1', 'a2', 'b2', 'a3'], ...game }),
    seats: { x, o },
  };
}

/** Every event of a game, by the times of its moves. @param {ReturnType<typeof series>} now */
function played(now, room, times) {
  const running = { ...room, game: { ...room.game, result: null } };
  let next = after(now, running, { e: 'started' });
  times.forEach((think_ms, ply) => {
    next = after(next, running, { e: 'moved', by: ply % 2 ? 'o' : 'x', think_ms });
  });
  return after(next, room, { e: 'ended' });
}

test('a series asks for one game after the other until it has them', () => {
  let now = series(2, over(3));
  assert.ok(wantsGame(now, over(3)));
  now = played(now, over(4), [1, 2, 3, 4, 5]);
  assert.deepEqual([now.games.length, now.running, wantsGame(now, over(4))], [1, true, true]);
  assert.ok(!wantsGame(now, over(5, { result: null })), 'not while one is running');
  now = played(now, over(5), [1, 2, 3, 4, 5]);
  assert.deepEqual([now.games.length, now.running, wantsGame(now, over(5))], [2, false, false]);
});

test('a game that is asked for after the last of a series is none of them', () => {
  const now = played(series(1, over(1)), over(2), [1, 1, 1, 1, 1]);
  assert.equal(played(now, over(3), [1, 1, 1, 1, 1]).games.length, 1);
});

test('one that was stopped counts the game that was running and asks for no other', () => {
  const now = played(stopped(series(9, over(1)), over(2, { result: null })), over(2), [1, 1, 1, 1, 1]);
  assert.deepEqual([now.games.length, wantsGame(now, over(2))], [1, false]);
  assert.equal(played(now, over(3), [1, 1, 1, 1, 1]).games.length, 1, 'and counts none that comes later');
});

test('a game is counted once, also when a snapshot tells of it', () => {
  let now = played(series(9, over(1)), over(2), [1, 1, 1, 1, 1]);
  now = after(now, over(2), null);
  assert.equal(now.games.length, 1);
  now = after(now, over(3), null); // its moves were missed
  assert.equal(now.games.length, 2);
  assert.equal(figures(now).movesToEnd, 5);
  assert.equal(figures(now).gameMs, 5, 'the times of the game that was seen');
  assert.equal(figures(now).x.moves, 3, 'its moves');
});

test('an aborted game ends the series and is not counted', () => {
  const now = after(series(9, over(1)), over(2, { result: { winner: null, termination: 'aborted' } }), { e: 'ended' });
  assert.deepEqual([now.games.length, now.running], [0, false]);
});

test('figures are those of the sides, and of the bots whichever side they had', () => {
  let now = series(3, over(1));
  now = played(now, over(2), [10, 20, 30, 40, 50]);
  const lost = { winner: 'o', termination: 'line' };
  const six = ['a1', 'b1', 'a2', 'b2', 'c3', 'b3'];
  now = played(now, over(3, { result: lost, moves: six }, [LEVEL, RANDOM]), [1, 2, 3, 4, 5, 6]);
  const tie = { winner: null, termination: 'board_full' };
  const nine = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'];
  now = played(now, over(4, { result: tie, moves: nine }), [1, 1, 1, 1, 1, 1, 1, 1, 1]);
  const found = figures(now);
  assert.deepEqual(found.x, { wins: 1, moves: 11, ms: 104, moveMs: 104 / 11, movesToWin: 3 });
  assert.deepEqual(found.o, { wins: 1, moves: 9, ms: 76, moveMs: 76 / 9, movesToWin: 3 });
  assert.deepEqual([found.games, found.ties, found.gameMs, found.movesToEnd], [3, 1, 60, 20 / 3]);
  assert.deepEqual(found.first, { name: RANDOM, other: LEVEL, won: 2, drawn: 1, lost: 0 });
});

test('the same bot on both sides has no figures of its own', () => {
  const now = played(series(1, over(1)), over(2, {}, [RANDOM, RANDOM]), [1, 1, 1, 1, 1]);
  assert.equal(figures(now).first, null);
});

test('a game that a bot forfeited is won, and its moves are none to a win', () => {
  const now = played(series(1, over(1)), over(2, { result: { winner: 'o', termination: 'crash' } }), [1, 1, 1, 1, 1]);
  assert.deepEqual([figures(now).o.wins, figures(now).o.movesToWin], [1, null]);
});

test('with O to move after the start, O has the odd move', () => {
  const now = after(series(1, over(1)), over(2, { start: ['c3'], result: { winner: 'o', termination: 'line' } }), null);
  assert.equal(figures(now).o.movesToWin, 3);
});

test('before any game there is nothing to average', () => {
  const found = figures(series(1, over(1)));
  assert.deepEqual([found.gameMs, found.movesToEnd, found.x.moveMs, found.first], [null, null, null, null]);
});

test('from 1 to 100 games may be asked for', () => {
  assert.deepEqual(['1', ' 20 ', '100'].map(gamesWanted), [1, 20, 100]);
  assert.deepEqual(['0', '101', '', '-1', '2.5', 'ten', '1e2'].map(gamesWanted), Array(7).fill(null));
});
