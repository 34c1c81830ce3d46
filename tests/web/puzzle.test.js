import './page.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Table } from '../../client/web/learn/position.ts';
import { begun, hinted, played, shown, takenBack, taskWords } from '../../client/web/learn/puzzle.ts';

const FILE = new URL('../../client/web/learn/puzzles.json', import.meta.url);
const PUZZLES = JSON.parse(readFileSync(FILE, 'utf8')).games.tictactoe;
const TABLE = new Table(/** @type {any} */ ({ id: 'tictactoe', dimensions: [3, 3], in_a_row: 3, nested: false }));
const MARKS = { x: 'X', o: 'O' };

test('every puzzle is solved by its moves, and its solution is the same', () => {
  for (const puzzle of PUZZLES) {
    let at = begun(puzzle);
    while (at.turn) at = played(puzzle, at, Object.keys(at.turn.right)[0], TABLE, MARKS);
    assert.equal(at.focus, 'next');
    assert.match(at.told, /Solved!$/);
    assert.deepEqual(shown(puzzle, MARKS).moves, at.moves);
  }
});

test('a wrong move is refuted, and taken back with its refutation', () => {
  const [puzzle] = PUZZLES;
  const start = begun(puzzle);
  const wrong = TABLE.after(puzzle.moves).legal.find((cell) => !(cell in puzzle.turn.right)) ?? '';
  const refuted = played(puzzle, start, wrong, TABLE, MARKS);
  assert.equal(refuted.moves.length, puzzle.moves.length + refuted.wrong);
  assert.equal(refuted.focus, 'retry');
  assert.equal(played(puzzle, refuted, 'a2', TABLE, MARKS), refuted); // nothing is played on from it
  const back = takenBack(puzzle, refuted, MARKS);
  assert.deepEqual(back.moves, puzzle.moves);
  assert.equal(back.told, taskWords(puzzle, MARKS));
});

test('a hint names cells that can be played, the right one among them', () => {
  for (const puzzle of PUZZLES) {
    const { pointed } = hinted(puzzle, begun(puzzle), TABLE, MARKS);
    const { legal } = TABLE.after(puzzle.moves);
    assert.ok(pointed.includes(Object.keys(puzzle.turn.right)[0]));
    assert.ok(pointed.every((cell) => legal.includes(cell)));
  }
});
