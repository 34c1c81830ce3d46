// A move as people type it: `c3`, `5/3`, `a1.2`, in any case, with spaces or other separators. Pure.

import type { Geometry } from './geometry.ts';

/** @returns `form`: not a move at all; `place`: a cell that this board does not have */
export function parseMove(text: string, board: Geometry): { cell: string } | { wrong: 'form' | 'place' } {
  const cell = spelled(text.trim().toLowerCase(), board.kind);
  if (!cell) return { wrong: 'form' };
  return board.cells.has(cell) ? { cell } : { wrong: 'place' };
}

function spelled(text: string, kind: 'flat' | 'cube' | 'nested'): string | null {
  if (kind === 'nested') {
    const found = /^(\d)[\s/.,:-]*(\d)$/.exec(text);
    return found && `${found[1]}/${found[2]}`;
  }
  if (kind === 'flat') {
    const found = /^([a-z])\s*(\d{1,2})$/.exec(text);
    return found && `${found[1]}${Number(found[2])}`;
  }
  const found = /^([a-z])\s*(\d)[\s/.,:-]*(\d)$/.exec(text);
  return found && `${found[1]}${found[2]}.${found[3]}`;
}

/** An example of a move: the last open cell, or the last of all cells if none is open. */
export function exampleMove(board: Geometry, open: ReadonlySet<string>) {
  return [...(open.size ? open : board.cells.keys())].at(-1) as string;
}
