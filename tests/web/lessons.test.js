import './page.js';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { LESSONS, lessonsText } from './makeLessons.js';

test('the lessons that the terminal reads are those of the page: run `node makeLessons.js`', async () => {
  assert.equal(await readFile(LESSONS, 'utf8'), lessonsText());
});
