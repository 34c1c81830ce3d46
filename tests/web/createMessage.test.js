import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clockOf,
  createMessage,
  limitWrong,
  PRESETS,
  presetOf,
  refusedField,
  usableChoices,
  wrongField,
} from '../../client/web/lobby/createMessage.ts';
import { choicesFor, fittingSeeks } from '../../client/web/lobby/quickStart.ts';
import { playOnMessage, takesStart, usable } from '../../client/web/room/playOnMessage.ts';

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
  assert.equal(limitWrong({ limit: 'none', limitValue: Number.NaN }), '');
  assert.equal(limitWrong({ limit: 'seconds', limitValue: 0.5 }), '');
  assert.equal(limitWrong({ limit: 'nodes', limitValue: 1000 }), '');
  for (const [limit, limitValue] of [
    ['seconds', 0],
    ['seconds', 86_401],
    ['nodes', 1.5],
    ['depth', 0],
    ['depth', Number.NaN],
  ]) {
    assert.notEqual(limitWrong({ limit, limitValue }), '');
  }
});

test('what was stored is used as far as it makes sense', () => {
  const kept = { who: 'self', minutes: 7, rated: true, game: 'qubic' };
  assert.deepEqual(usableChoices({ ...kept, seat: 'up', clock: '<b>', increment: '3', bot: 9, human: null }), kept);
  assert.equal(usableChoices({ ...kept, human: true }).human, true);
  for (const nonsense of [{ toString: 1, minutes: [] }, 'nonsense', []]) assert.deepEqual(usableChoices(nonsense), {});
});

test('presets are clocks like any other', () => {
  assert.deepEqual(made(clockOf('3+2')).clock, { initial_ms: 180_000, increment_ms: 2_000 });
  assert.deepEqual(made(clockOf('10+5')).clock, { initial_ms: 600_000, increment_ms: 5_000 });
  assert.ok(!('clock' in made(clockOf('none'))));
  for (const preset of [...PRESETS, 'none']) assert.equal(presetOf({ ...CHOICES, ...clockOf(preset) }), preset);
  assert.equal(presetOf({ ...CHOICES, clock: 'game', minutes: 7 }), 'game');
  assert.equal(presetOf({ ...CHOICES, clock: 'move', minutes: 5, increment: 3 }), 'move');
});

test('what a field does not take is said in its own unit', () => {
  const wrong = (changes) => wrongField({ ...CHOICES, limit: 'none', ...changes });
  assert.equal(wrong({}), null);
  assert.deepEqual(wrong({ who: 'player', player: '' })?.[0], 'player');
  for (const minutes of [0, -1, 181, Number.NaN, 1e99])
    assert.deepEqual(wrong({ clock: 'game', minutes }), ['minutes', 'Enter a number from 0.1 to 180.']);
  assert.deepEqual(wrong({ clock: 'game', increment: 200 }), ['increment', 'Enter a number from 0 to 180.']);
  assert.deepEqual(wrong({ clock: 'move', perMove: 0 }), ['perMove', 'Enter a number from 0.1 to 86,400.']);
  assert.equal(wrong({ clock: 'none', minutes: 0, perMove: 0 }), null, 'what is not sent may be anything');
  assert.deepEqual(wrong({ limit: 'depth', limitValue: 2.5 }), ['limitValue', 'Enter a whole number from 1 to 1,000.']);
  assert.equal(wrong({ who: 'invite', limit: 'depth', limitValue: 2.5 }), null);
});

test('a refusal of the server is shown at its field, in the unit of the field', () => {
  const refused = (name, least, most, changes) =>
    refusedField({ message: 'No.', field: { name, least, most } }, { ...CHOICES, ...changes });
  assert.deepEqual(refused('clock.initial_ms', 1000, 10_800_000), ['minutes', 'Enter a number from 0.017 to 180.']);
  assert.deepEqual(refused('clock.increment_ms', 0, 180_000), ['increment', 'Enter a number from 0 to 180.']);
  assert.deepEqual(refused('clock.move_ms', 100, 86_400_000), ['perMove', 'Enter a number from 0.1 to 86,400.']);
  assert.deepEqual(refused('limit.move_ms', 1, 86_400_000, { limit: 'seconds' }), [
    'limitValue',
    'Enter a number from 0.001 to 86,400.',
  ]);
  assert.deepEqual(refused('limit.depth', 1, 1000, { limit: 'depth' }), [
    'limitValue',
    'Enter a number from 1 to 1,000.',
  ]);
  assert.deepEqual(refused('opponent.bot'), ['bot', 'No.']);
  assert.deepEqual(refused('game'), ['game', 'No.']);
  assert.deepEqual(refused('opponent.player'), ['player', 'No.']);
  assert.equal(refused('start'), null);
  assert.equal(refusedField(new Error('No line.'), CHOICES), null);
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

test('an engine that follows each game from its start takes up none at a later position', () => {
  assert.ok(takesStart({}, 9));
  assert.ok(takesStart({ opening_plies: 1 }, 1));
  assert.ok(!takesStart({ opening_plies: 0 }, 1));
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
