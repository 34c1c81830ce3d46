import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WEB } from './bundle.js';
import { NEW, sizes, sum } from './size.js';

/** What the same modules took before the page was drawn by components: `node size.js` of the page at b550319. */
const BEFORE = 227_866;

const sent = await sizes(WEB);

test('the code for what the page did before stays smaller than it was', () => {
  const old = new Map([...sent].filter(([name]) => !NEW.includes(name)));
  const bytes = sum(old, /\.tsx?$/);
  assert.ok(bytes > BEFORE / 2 && bytes < BEFORE, `${bytes} bytes are not less than ${BEFORE}`);
});

test('what is called new is there', () => {
  assert.deepEqual(
    NEW.filter((name) => !sent.has(name)),
    [],
  );
});
