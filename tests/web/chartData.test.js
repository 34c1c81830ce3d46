import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said, stepped } from '../../client/web/ui/chartData.ts';

test('keys lead along the values of a chart and not beyond', () => {
  const steps = [
    ['ArrowRight', 3, 4],
    ['ArrowUp', 3, 4],
    ['ArrowLeft', 3, 2],
    ['ArrowDown', 3, 2],
    ['Home', 3, 0],
    ['End', 3, 9],
    ['ArrowRight', 9, 9],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', -1, 0],
    ['a', 3, null],
  ];
  for (const [key, at, to] of steps) assert.equal(stepped(key, at, 9), to, key);
});

test('a place in a chart in words', () => {
  const chart = {
    x: { label: 'Move', values: [1, 2], words: String },
    y: { label: 'Time', words: (value) => `${value} s` },
    series: [
      { label: 'X', values: [1.5, null], colour: 'x' },
      { label: 'limit', values: [3, 3], colour: 'ink-soft' },
    ],
  };
  assert.equal(said(chart, 0), 'Move 1: X 1.5 s, limit 3 s');
  assert.equal(said(chart, 1), 'Move 2: limit 3 s');
  assert.equal(said(chart, 2), '');
});
