import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crosses, isDrawn, noughts, STROKES } from '../../client/web/board/marks.ts';

test('X and O are drawn, whatever else was chosen is text', () => {
  assert.equal(isDrawn('X'), true);
  assert.equal(isDrawn('O'), true);
  for (const name of ['', 'x', 'XO', '0', '🍎', 'toString', '__proto__']) assert.equal(isDrawn(name), false, name);
  assert.equal(STROKES.X.length, 2);
  assert.equal(STROKES.O.length, 1);
});

test('many marks are one path', () => {
  const places = [
    { x: 0.5, y: 0.5 },
    { x: 1.5, y: 2.5 },
  ];
  assert.equal(crosses([], 0.25), '');
  assert.equal(crosses(places, 0.25), 'M0.25 0.25l0.5 0.5m0 -0.5l-0.5 0.5M1.25 2.25l0.5 0.5m0 -0.5l-0.5 0.5');
  assert.equal(noughts(places, 0.25).match(/M/g)?.length, 2);
  assert.equal(noughts(places.slice(0, 1), 0.25), 'M0.5 0.25a0.25 0.25 0 1 0 0 0.5a0.25 0.25 0 1 0 0 -0.5');
});
