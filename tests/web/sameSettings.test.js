import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameSettings } from '../../client/web/room/sameSettings.ts';
import { aRoom } from './examples.js';

const BOT = { id: '9', name: 'level:3', kind: 'bot', present: true, bot: 'level:3' };

test('what made the room is asked again', () => {
  const asked = { game: 'qubic', opponent: { kind: 'invite' } };
  assert.equal(sameSettings(aRoom(), asked), asked);
  assert.deepEqual(sameSettings({ ...aRoom(), rated: true }, { game: 'super' }), { game: 'super' });
});

test('the same clock, start and kind of opponent', () => {
  const room = { ...aRoom({ start: ['a1'] }), rated: true };
  const like = { game: 'tictactoe', clock: { initial_ms: 1, increment_ms: 0 }, start: ['a1'], seat: 'random' };
  assert.deepEqual(sameSettings(room, null), { ...like, rated: true, opponent: { kind: 'open' } });
  assert.deepEqual(sameSettings({ ...room, code: 'secret' }, null), {
    ...like,
    rated: true,
    opponent: { kind: 'invite' },
  });
  const perMove = { ...room, rated: false, clock: { x_ms: 1, o_ms: 1, running: null, move_ms: 500 } };
  assert.deepEqual(sameSettings(perMove, null).clock, { move_ms: 500 });
  assert.ok(!('clock' in sameSettings({ ...room, clock: null }, null)));
  assert.ok(!('start' in sameSettings(aRoom(), null)));
});

test('the same bots', () => {
  const room = { ...aRoom(), clock: null };
  const { x } = room.seats;
  const against = sameSettings({ ...room, seats: { x, o: BOT } }, null);
  assert.deepEqual(against, { game: 'tictactoe', seat: 'random', opponent: { kind: 'bot', bot: 'level:3' } });
  const clock = { x_ms: 1, o_ms: 1, running: null, initial_ms: 60_000, increment_ms: 500 };
  assert.deepEqual(sameSettings({ ...room, rated: true, clock, seats: { x, o: BOT } }, null), {
    ...against,
    rated: true,
    clock: { initial_ms: 60_000, increment_ms: 500 },
  });
  const watched = sameSettings({ ...room, you: null, seats: { x: { ...BOT, bot: 'random' }, o: BOT } }, null);
  assert.deepEqual(watched, { game: 'tictactoe', seat: 'none', bots: { x: 'random', o: 'level:3' } });
});

test('a bot of the network is not one to ask for: whoever is here may sit down', () => {
  const room = { ...aRoom(), clock: null };
  const coin = { id: '9', name: 'Coin', kind: 'bot', present: true };
  const open = { game: 'tictactoe', seat: 'random', opponent: { kind: 'open' } };
  assert.deepEqual(sameSettings({ ...room, seats: { x: room.seats.x, o: coin } }, null), open);
});

test('two at one screen stay so', () => {
  const room = { ...aRoom(), you: 'both', clock: null };
  assert.deepEqual(sameSettings(room, null), { game: 'tictactoe', opponent: { kind: 'self' } });
});
