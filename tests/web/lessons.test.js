import './page.js';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { hasText } from '../../client/web/i18n/language.ts';
import { lessonFor } from '../../client/web/learn/lessons.ts';
import { Table } from '../../client/web/learn/position.ts';
import { playthroughs } from './examples.js';
import { LESSONS, lessonsText } from './makeLessons.js';

test('the lessons that the terminal reads are those of the page: run `node makeLessons.js`', async () => {
  assert.equal(await readFile(LESSONS, 'utf8'), lessonsText());
});

const SIZES = '3,3,3 4,3,3 3,4,3 5,5,5 6,5,4 3,5,5 5,3,5 6,6,6 19,19,6 19,19,19 19,3,19 3,19,18 7,5,6 3,19,3';

test('whoever follows a guided game wins it by its last move, in a few steps that have their texts', () => {
  const sized = SIZES.split(' ').map((size) => ({
    id: `mnk:${size}`,
    dimensions: size.split(',').slice(0, 2).map(Number),
    nested: false,
  }));
  for (const rules of [...playthroughs.map((each) => each.rules), ...sized]) {
    const { moves, steps } = lessonFor(rules);
    const table = new Table(rules); // learnPosition.test.js compares it with the engine
    const before = moves.map((_, ply) => table.after(moves.slice(0, ply)));
    for (const [ply, move] of moves.entries()) assert.ok(before[ply].legal.includes(move), `${rules.id} ${move}`);
    assert.equal(table.after(moves).winner, 'x', rules.id);
    const plies = steps.map((step) => step.ply);
    assert.deepEqual(
      plies,
      [...new Set(plies)].sort((a, b) => a - b).filter((ply) => ply % 2 === 0),
      rules.id,
    );
    assert.equal(plies.at(-1), moves.length - 1, rules.id);
    assert.ok(plies.length >= 3 && plies.length <= 8, rules.id);
    for (const { ply, key, traps = {} } of steps) {
      for (const trap of Object.keys(traps)) assert.ok(before[ply].legal.includes(trap), `${rules.id} ${trap}`);
      for (const text of [key, ...Object.values(traps)]) assert.ok(hasText(text), text);
    }
  }
});
