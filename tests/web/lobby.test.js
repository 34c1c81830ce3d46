import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout } from '../../client/web/board/smallBoard.ts';
import { byStrength } from '../../client/web/lobby/chosenBot.ts';
import { LobbyFeed } from '../../client/web/lobby/feed.ts';
import { nextCards, places, toMove, worthALook } from '../../client/web/lobby/running.ts';
import { playthroughs } from './examples.js';

/** @param {string} before @param {string} listed @param {boolean} [held] */
const placed = (before, listed, held = false) =>
  places(before.split(' ').filter(Boolean), listed.split(' ').filter(Boolean), held).join(' ');

test('games keep their places in the list', () => {
  assert.equal(placed('', 'c b a'), 'c b a');
  assert.equal(placed('c b a', 'd c b a'), 'c b a d', 'what is there does not move');
  assert.equal(placed('c b a', 'd c a'), 'c d a', 'who comes takes the place of who left');
  assert.equal(placed('c b a', 'c a'), 'c a');
  assert.equal(placed('c b a', 'e d a'), 'e d a');
  assert.equal(placed('c b a', 'e d', true), 'c b a');
});

test('whatever comes and goes, who stays and is not held has no other before it than before', () => {
  const names = [...'abcdefgh'];
  for (let mask = 0; mask < 256; mask++) {
    const listed = names.filter((_, i) => (mask >> i) & 1);
    const shown = places(names.slice(0, 5), listed, false);
    assert.deepEqual([...shown].sort(), listed);
    const stayed = shown.filter((name) => names.indexOf(name) < 5);
    assert.deepEqual(stayed, [...stayed].sort());
  }
});

test('a card is over until its game is told again', () => {
  const room = (id, plies = 0) => ({ room: id, plies });
  const told = (cards) => cards.map((card) => `${card.room.room}${card.room.plies}${card.over ? ' over' : ''}`);
  const first = nextCards([], [room('a'), room('b')], false);
  const held = nextCards(first, [room('b', 1), room('c')], true);
  assert.deepEqual(told(held), ['a0 over', 'b1'], 'under a pointer nothing moves, and boards go on');
  assert.deepEqual(told(nextCards(held, [room('a', 2), room('b', 1)], true)), ['a2', 'b1']);
  assert.deepEqual(told(nextCards(held, [room('b', 1), room('c')], false)), ['c0', 'b1']);
});

test('whose turn it is can be seen on the board', () => {
  assert.equal(toMove('.........'), 'x');
  assert.equal(toMove('x........'), 'o');
  assert.equal(toMove('x.o......'), 'x');
});

test('the grids of a small board lie side by side within it', () => {
  for (const { rules } of playthroughs) {
    const { columns, rows, width, height, grids } = layout(rules);
    const cells = rules.dimensions.reduce((product, size) => product * size, 1);
    assert.equal(grids.length * columns * rows, cells);
    grids.forEach(({ x, y }, i) => {
      assert.ok(x > -0.01 && x < width - columns + 0.01, rules.id);
      assert.ok(y > -0.01 && y < height - rows + 0.01, rules.id);
      for (const before of grids.slice(0, i)) {
        assert.ok(Math.abs(x - before.x) > columns || Math.abs(y - before.y) > rows, rules.id);
      }
    });
  }
});

test('the strongest bots come first', () => {
  const bot = (family, level) => ({ family, name: family, ...(level && { measured: { [family]: level } }) });
  const some = [bot('random', 0.5), bot('alphabeta', 3), bot('level'), bot('strongest'), bot('osipa'), bot('perfect')];
  assert.deepEqual(
    byStrength(some).map((each) => each.family),
    ['strongest', 'perfect', 'level', 'alphabeta', 'random', 'osipa'],
  );
});

test('a finished game is looked for among those of the chosen kind', () => {
  const record = (id, plies, game = 'qubic', termination = 'line') => ({ id, plies, game, termination });
  const some = [record(5, null, 'qubic', null), record(4, 1, 'qubic', 'aborted'), record(3, 9), record(2, 20)];
  const all = [...some, record(1, 50, 'super')];
  assert.equal(worthALook(all, 'qubic').id, 2);
  assert.equal(worthALook(all, 'gomoku').id, 1);
  assert.equal(worthALook(some.slice(0, 2), 'qubic'), null);
});

/** @param {object} [player] */
function feed(player = { id: '2' }) {
  /** @type {object[]} */
  const asked = [];
  /** @type {string[]} */
  const told = [];
  const connection = Object.assign(new EventTarget(), {
    player,
    request: async (/** @type {object} */ request) => asked.push(request),
  });
  const lobby = new LobbyFeed(/** @type {any} */ (connection), ({ room }) => told.push(room));
  /** @param {string} type @param {object} [detail] */
  const happens = (type, detail) => connection.dispatchEvent(new CustomEvent(type, { detail }));
  /** @param {string[]} rooms */
  const challenged = (rooms, more = {}) =>
    happens('message', { t: 'lobby', challenges: rooms.map((room) => ({ room, by: { id: '1' } })), ...more });
  return { lobby, asked, told, happens, challenged };
}

test('without a view of the lobby only challenges are asked for, with one all of it', () => {
  const { lobby, asked, happens } = feed();
  happens('open');
  const stop = lobby.follow();
  happens('open');
  stop();
  const only = { t: 'lobby', on: true, only: 'challenges' };
  const whole = { t: 'lobby', on: true };
  assert.deepEqual(asked, [only, whole, whole, only]);
});

test('each challenge is told once, and what is only of challenges is not taken for the lobby', () => {
  const { lobby, told, challenged } = feed();
  challenged(['a'], { people: [] });
  const { state } = lobby;
  challenged(['b', 'a'], { only: 'challenges' });
  assert.equal(lobby.state, state);
  assert.deepEqual(
    lobby.challenges.map(({ room }) => room),
    ['b', 'a'],
  );
  challenged([]);
  challenged(['a']);
  assert.deepEqual(told, ['a', 'b', 'a']);
});

test('who was declined or put off interrupts no more, and is in the lobby still', () => {
  const { lobby, asked, told, challenged } = feed();
  challenged(['a']);
  assert.equal(lobby.urgent?.room, 'a');
  lobby.decline(/** @type {any} */ (lobby.urgent));
  assert.deepEqual(asked, [{ t: 'act', room: 'a', game: 1, action: 'decline_challenge' }]);
  challenged(['b']);
  assert.deepEqual([lobby.urgent, lobby.challenges.length, told], [undefined, 1, ['a']]);
});

test("one's own challenges to oneself are none", () => {
  const { lobby, told, challenged } = feed({ id: '1' });
  challenged(['a']);
  assert.deepEqual([lobby.challenges, told], [[], []]);
});
