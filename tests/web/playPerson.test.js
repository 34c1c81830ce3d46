import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playPerson } from '../../client/web/lobby/playPerson.ts';
import { ServerError } from '../../client/web/net/connection.ts';
import { observe } from '../../client/web/net/observe.ts';

Object.assign(globalThis, { location: { pathname: '/' } });

const seek = (/** @type {string} */ room, /** @type {string} */ by, more = {}) => ({
  room,
  game: 'qubic',
  rated: false,
  by: { id: by },
  ...more,
});
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A page whose player `me` waits in a room of its own. @param {string[]} [taken] rooms that refuse it */
async function waiting(taken = []) {
  /** @type {string[]} */
  const asked = [];
  const own = observed({ state: { room: 'mine', game: { started: false } } });
  const rooms = {
    join: async (/** @type {{ room: string }} */ { room }) => {
      asked.push(`join ${room}`);
      if (taken.includes(room)) throw new ServerError('seat_taken', 'Taken.');
      return { state: { room } };
    },
    act: async (/** @type {any} */ room, /** @type {string} */ action) => asked.push(`${action} ${room.state.room}`),
    leave: (/** @type {string} */ room) => asked.push(`leave ${room}`),
  };
  const lobby = observed({ state: null });
  lobby.follow = () => {
    asked.push('follow');
    return () => asked.push('unfollow');
  };
  const app = observed({ path: '/' });
  const attempt = async (/** @type {() => Promise<unknown>} */ work) => {
    await work();
    return true;
  };
  const enter = (/** @type {string} */ room) => {
    app.path = `/room/${room}`;
  };
  const arrive = async (/** @type {Promise<any>} */ coming) => {
    const room = await coming;
    enter(room.state.room);
    return room;
  };
  const make = () => arrive(Promise.resolve(own));
  Object.assign(app, { connection: { player: { id: 'me' } }, rooms, lobby, attempt, enter, arrive, make });
  await playPerson(app, [], { game: 'qubic' });
  /** The lobby lists these, the newest first. */
  const listed = async (/** @type {any[]} */ ...seeks) => {
    lobby.state = { seeks, people: ['me', 'ann', 'bob'].map((id) => ({ id })), players: 3 };
    await settled();
  };
  return { app, asked, own, listed };
}

/** @param {any} values @returns {any} */
function observed(values) {
  const target = {};
  observe(target, values);
  return target;
}

test('of two who wait for each other the one with the younger room goes to the older', async () => {
  const { app, asked, listed } = await waiting();
  await listed(seek('mine', 'me'), seek('hers', 'ann'));
  assert.deepEqual(asked, ['follow', 'join hers', 'unfollow', 'abort mine', 'leave mine']);
  assert.equal(app.path, '/room/hers');
});

test('whoever has the older room stays, and so does whoever would not have sat down', async () => {
  const { app, asked, listed } = await waiting();
  await listed(seek('hers', 'ann'), seek('mine', 'me'));
  await listed(seek('mine', 'me'), seek('another', 'ann', { rated: true }), seek('gone', 'cyd'));
  await listed(seek('hers', 'ann')); // not listed yet oneself
  assert.deepEqual(asked, ['follow']);
  assert.equal(app.path, '/room/mine');
});

test('who is refused goes on waiting, and asks for that seat no more', async () => {
  const { app, asked, listed } = await waiting(['hers']);
  await listed(seek('mine', 'me'), seek('hers', 'ann'));
  await listed(seek('mine', 'me'), seek('hers', 'ann'));
  assert.deepEqual(asked, ['follow', 'join hers']);
  assert.equal(app.path, '/room/mine');
  await listed(seek('mine', 'me'), seek('his', 'bob'));
  assert.equal(app.path, '/room/his');
});

test('whoever plays already, or has gone elsewhere, is not called away', async () => {
  const { app, asked, own, listed } = await waiting();
  app.path = '/stats';
  await listed(seek('mine', 'me'), seek('hers', 'ann'));
  own.state = { room: 'mine', game: { started: true } };
  app.path = '/room/mine';
  await settled();
  assert.deepEqual(asked, ['follow', 'unfollow']);
});
