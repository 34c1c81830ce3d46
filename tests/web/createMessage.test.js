import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMessage, limitWrong } from '../../client/web/lobby/createMessage.js';
import { choicesFor, fittingSeeks } from '../../client/web/lobby/quickStart.js';
import { playOnMessage, usable } from '../../client/web/room/playOn.js';

const CHOICES = {
  game: 'qubic',
  who: 'bot',
  seat: 'o',
  bot: 'alphabeta:3',
  botX: 'random',
  botO: 'alphabeta:2',
  player: '17',
  clock: 'none',
  minutes: 5,
  increment: 2,
  perMove: 1.5,
  rated: true,
  limit: 'seconds',
  limitValue: 0.5,
  human: false,
};

/** @param {object} [changes] */
const made = (changes) => createMessage({ ...CHOICES, ...changes });

test('a create message for every way to sit', () => {
  assert.deepEqual(made(), {
    game: 'qubic',
    seat: 'o',
    opponent: { kind: 'bot', bot: 'alphabeta:3' },
    limit: { move_ms: 500 },
  });
  assert.deepEqual(made({ who: 'bots', limit: 'depth', limitValue: 2 }), {
    game: 'qubic',
    seat: 'none',
    bots: { x: 'random', o: 'alphabeta:2' },
    limit: { depth: 2 },
  });
  assert.equal(made({ human: true }).pace, 'human');
  assert.equal(made({ who: 'bots', human: true }).pace, 'human');
  assert.ok(!('pace' in made({ who: 'invite', human: true })));
  assert.deepEqual(made({ who: 'self', clock: 'move' }), {
    game: 'qubic',
    opponent: { kind: 'self' },
    clock: { move_ms: 1500 },
  });
  assert.deepEqual(made({ who: 'player', clock: 'game' }), {
    game: 'qubic',
    seat: 'o',
    opponent: { kind: 'player', player: '17' },
    clock: { initial_ms: 300_000, increment_ms: 2_000 },
    rated: true,
  });
  assert.deepEqual(made({ who: 'open', seat: 'random' }), {
    game: 'qubic',
    seat: 'random',
    opponent: { kind: 'open' },
  });
  assert.deepEqual(made({ who: 'invite' }).opponent, { kind: 'invite' });
  assert.equal(made({ who: 'bots', clock: 'game' }).rated, true);
});

test('what cannot be rated is not', () => {
  for (const unfit of [{ who: 'self' }, { who: 'bots', botX: 'random', botO: 'random' }, { clock: 'none' }]) {
    assert.ok(!('rated' in made({ clock: 'game', ...unfit })));
  }
});

test('what a bot may spend has bounds', () => {
  assert.equal(limitWrong('none', Number.NaN), '');
  assert.equal(limitWrong('seconds', 0.5), '');
  assert.equal(limitWrong('nodes', 1000), '');
  for (const [limit, value] of [
    ['seconds', 0],
    ['seconds', 86_401],
    ['nodes', 1.5],
    ['depth', 0],
    ['depth', Number.NaN],
  ]) {
    assert.notEqual(limitWrong(limit, value), '');
  }
});

test('choices to play on that make no sense are not kept', () => {
  const fresh = { who: 'bot', seat: 'o', bot: '', limit: 'none', limitValue: 1 };
  assert.deepEqual(usable({}, 'o'), fresh);
  const nonsense = { who: '<b>', seat: 7, bot: null, limit: [], limitValue: '-1' };
  assert.deepEqual(usable(nonsense, 'o'), fresh);
  assert.deepEqual(usable({ ...fresh, who: 'invite', seat: 'random' }, 'x'), {
    ...fresh,
    who: 'invite',
    seat: 'random',
  });
  const given = { game: 'qubic', start: ['a1.1'] };
  assert.deepEqual(playOnMessage(given, { ...fresh, bot: 'level:3' }), {
    ...given,
    seat: 'o',
    opponent: { kind: 'bot', bot: 'level:3' },
  });
});

test('a quick start is for the game that was chosen', () => {
  assert.equal(choicesFor('qubic', { who: 'bot' }).game, 'qubic');
  assert.equal(choicesFor('qubic', { who: 'bot' }).seat, 'x');
  assert.equal(choicesFor('qubic', { who: 'open' }).seat, 'random');
});

test('who waits longest is met first', () => {
  const seek = (room, id, changes) => ({ room, game: 'qubic', rated: false, by: { id }, ...changes });
  const people = ['me', 'ann', 'bob'].map((id) => ({ id }));
  const seeks = [seek('r4', 'bob'), seek('r3', 'ann'), seek('r2', 'me'), seek('r1', 'gone')];
  seeks.push(seek('r0', 'ann', { rated: true }), seek('r-', 'ann', { game: 'super' }));
  const fitting = (rated, players = 3) =>
    fittingSeeks({ seeks, people, players }, 'qubic', 'me', rated).map((each) => each.room);
  assert.deepEqual(fitting(false), ['r3', 'r4']);
  assert.deepEqual(fitting(true), ['r0']);
  assert.deepEqual(fitting(false, 60), ['r1', 'r3', 'r4']); // the list of people is cut
  assert.deepEqual(fittingSeeks(null, 'qubic', 'me', false), []);
});
