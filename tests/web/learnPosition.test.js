import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Table } from '../../client/web/learn/position.ts';
import { playthroughs } from './examples.js';

test('whole positions are those of the engine', () => {
  for (const { rules, games } of playthroughs) {
    const table = new Table(rules);
    const cells = table.geometry.cells.size;
    for (const { moves, boards, winner, line } of games) {
      for (let ply = 0; ply < moves.length; ply++) {
        const position = table.after(moves.slice(0, ply));
        assert.equal(position.legal.length, boards ? boards[ply].legal : cells - ply, `${rules.id} ${ply}`);
        assert.ok(position.legal.includes(moves[ply]));
        assert.equal(position.toMove, 'xo'[ply % 2]);
        assert.equal(position.winner, null);
      }
      const end = table.after(moves);
      assert.deepEqual([end.toMove, end.legal, end.winner], [null, [], winner]);
      assert.deepEqual([...end.line].sort(), line);
    }
  }
});
