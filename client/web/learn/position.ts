// A complete position without a server, for games played in the page only: legal moves, and how it ended. Pure.

import type { Geometry } from '../board/geometry.ts';
import { geometry } from '../board/geometry.ts';
import { completed, inARow, isExact, linesOf } from '../board/lines.ts';
import { forcedAfter, LINES, marksAfter, sideAt, smallBoards } from '../board/position.ts';
import type { Rules, Side } from '../types/page.d.ts';

/** `toMove` is null when the game is over; `line` has all winning cells. */
export type Position = {
  moves: string[];
  marks: Map<string, Side>;
  toMove: Side | null;
  legal: string[];
  last: string | null;
  line: string[];
  winner: Side | null;
  forced: number | null | undefined;
};

/** The cells and lines of a game, computed once. */
export class Table {
  rules: Rules;
  geometry: Geometry;
  lines: string[][];

  constructor(rules: Rules) {
    this.rules = rules;
    this.geometry = geometry(rules);
    this.lines = linesOf(this.geometry, inARow(rules));
  }

  after(moves: string[]): Position {
    const marks = marksAfter(moves);
    const last = moves.at(-1) ?? null;
    const mover = sideAt(moves.length);
    const line = last === null ? [] : this.wonBy(moves, last, marks);
    const closed = this.rules.nested ? smallBoards(this.rules.id, moves).closed : [];
    const forced = line.length ? null : forcedAfter(this.rules, moves);
    const free = [...this.geometry.cells.values()].filter(
      (cell) => !marks.has(cell.text) && !closed[cell.grid] && (!forced || cell.grid === forced - 1),
    );
    const legal = line.length ? [] : free.map((cell) => cell.text);
    const winner = line.length ? sideAt(moves.length - 1) : legal.length ? null : this.byCount(moves);
    return {
      moves,
      marks,
      toMove: legal.length ? mover : null,
      legal,
      last,
      line,
      winner,
      forced,
    };
  }

  /** The cells of the lines that the last move completed. */
  wonBy(moves: string[], last: string, marks: Map<string, Side>) {
    const side = marks.get(last);
    if (!this.rules.nested) return cellsOf(completed(this.lines, isExact(this.rules), marks, last));
    const board = last[0];
    if (this.rules.id === 'nine-board') {
      const small = LINES.map((line) => line.map((square) => `${board}/${square}`));
      return cellsOf(completed(small, false, marks, last));
    }
    const { owners } = smallBoards(this.rules.id, moves);
    const won = LINES.filter((line) => line.includes(board) && line.every((each) => owners[Number(each) - 1] === side));
    return cellsOf(won).flatMap((each) => [...'123456789'].map((square) => `${each}/${square}`));
  }

  /** Who won a game without moves left. */
  byCount(moves: string[]): Side | null {
    if (this.rules.id !== 'ultimate:count') return null;
    const { owners } = smallBoards(this.rules.id, moves);
    const more = owners.filter((owner) => owner === 'x').length - owners.filter((owner) => owner === 'o').length;
    return more > 0 ? 'x' : more < 0 ? 'o' : null;
  }
}

/** @returns each cell once */
function cellsOf(lines: string[][]): string[] {
  return [...new Set(lines.flat())];
}
