import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinished } from '../../client/web/board/finished.ts';
import { playthroughs } from './examples.js';

test('a position is finished where the rules say so', () => {
  for (const { rules, games } of playthroughs) {
    for (const { moves } of games) {
      for (let ply = 0; ply <= moves.length; ply++) {
        const over = ply === moves.length;
        assert.equal(isFinished(rules, moves.slice(0, ply)), over, `${rules.id} ${ply}`);
      }
    }
  }
});
