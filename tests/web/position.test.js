import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometry } from '../../client/web/board/geometry.ts';
import {
  forcedAfter,
  leadsTo,
  marksAfter,
  onlyMove,
  shownBoards,
  smallBoards,
} from '../../client/web/board/position.ts';
import { playable } from '../../client/web/room/playable.ts';
import { aRoom, nested, playthroughs, TICTACTOE } from './examples.js';

const onNineBoards = playthroughs.filter(({ rules }) => rules.nested);

/** @param {(string|null)[]} owners */
const letters = (owners) => owners.map((owner) => owner ?? '.').join('');

test('small boards are owned and closed as the rules say', () => {
  assert.ok(onNineBoards.length >= 4);
  for (const { rules, games } of onNineBoards) {
    for (const { moves, boards } of games) {
      boards.forEach(({ owners, closed }, ply) => {
        const small = smallBoards(rules.id, moves.slice(0, ply));
        assert.equal(letters(small.owners), owners);
        if (ply < moves.length) assert.equal(small.closed.map((one) => (one ? 'x' : '.')).join(''), closed);
      });
    }
  }
});

test('the forced board is found as the rules find it', () => {
  for (const { rules, games } of onNineBoards) {
    for (const { moves, boards } of games) {
      for (let ply = 0; ply < moves.length; ply++) {
        assert.equal(forcedAfter(rules, moves.slice(0, ply)), boards[ply].forced, `${rules.id} ${ply}`);
      }
    }
  }
});

test('a position that leaves one move is found', () => {
  for (const { rules, games } of playthroughs) {
    let found = 0;
    for (const { moves, boards } of games) {
      const cells = rules.dimensions.reduce((product, size) => product * size, 1);
      for (let ply = 0; ply < moves.length; ply++) {
        const only = (boards ? boards[ply].legal : cells - ply) === 1;
        assert.equal(onlyMove(rules, moves.slice(0, ply)), only, `${rules.id} ${ply}`);
        found += Number(only);
      }
    }
    if (['tictactoe', 'nine-board', 'ultimate', 'super'].includes(rules.id)) assert.ok(found > 0, rules.id);
  }
});

test('the cells that may be played are as many as the rules allow', () => {
  for (const { rules, games } of onNineBoards) {
    const board = geometry(rules);
    for (const { moves, boards } of games) {
      for (let ply = 0; ply < moves.length; ply++) {
        const told = { game: rules.id, moves: moves.slice(0, ply), to_move: 'x', legal: null };
        const open = playable(aRoom({ ...told, forced: boards[ply].forced }), board);
        assert.equal(open.size, boards[ply].legal, `${rules.id} ${ply}`);
        assert.ok(open.has(moves[ply]));
      }
    }
  }
});

test('where a move leads', () => {
  for (const game of ['ultimate', 'super', 'nine-board']) assert.equal(leadsTo(nested(game), [], '5/3'), 3);
  const xHas5 = ['5/1', '1/5', '5/2', '2/5', '5/3', '3/1'];
  assert.equal(leadsTo(nested('ultimate'), xHas5, '4/5'), null);
  assert.equal(leadsTo(nested('super'), xHas5, '4/5'), 5); // won, and still open
  assert.equal(leadsTo(nested('nine-board'), xHas5.slice(0, 4), '5/3'), undefined); // the line wins the game
});

test('a move leads where the next one is forced to', () => {
  for (const { rules, games } of onNineBoards) {
    for (const { moves, boards } of games) {
      moves.forEach((move, ply) => {
        const last = ply === moves.length - 1;
        assert.equal(leadsTo(rules, moves.slice(0, ply), move), last ? undefined : boards[ply + 1].forced);
      });
    }
  }
});

test('marks take turns', () => {
  assert.deepEqual(
    [...marksAfter(['a1', 'b2', 'c3'])],
    [
      ['a1', 'x'],
      ['b2', 'o'],
      ['c3', 'x'],
    ],
  );
});

test('in nine-board nobody owns a board', () => {
  const moves = ['5/1', '1/5', '5/2', '2/5', '5/3'];
  assert.equal(letters(smallBoards('nine-board', moves).owners), '....x....');
  assert.equal(letters(shownBoards(nested('nine-board'), moves).owners), '.........');
  assert.deepEqual(shownBoards(TICTACTOE, []), { owners: [], closed: [] });
});

test('only who is to move may play', () => {
  const board = geometry(TICTACTOE);
  const free = aRoom({ legal: null, moves: ['a1', 'b2'] });
  assert.deepEqual([...playable(free, board)].sort(), ['a2', 'a3', 'b1', 'b3', 'c1', 'c2', 'c3']);
  assert.deepEqual([...playable(aRoom(), board)], ['a1']); // the server's list counts
  assert.equal(playable({ ...free, you: 'o' }, board).size, 0);
  assert.equal(playable(aRoom({ started: false }), board).size, 0);
});
