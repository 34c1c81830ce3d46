// A move as somebody types it: `c3`, `5/3`, `a1.2`, in any case, with spaces or other signs between. Pure.

import type { Geometry } from './geometry.ts';

/** @returns `form`: no move at all; `place`: a cell that this board has not */
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

/** A move as an example: the last of those that are open, or of all cells where none is. */
export function exampleMove(board: Geometry, open: ReadonlySet<string>) {
  return [...(open.size ? open : board.cells.keys())].at(-1) as string;
}
