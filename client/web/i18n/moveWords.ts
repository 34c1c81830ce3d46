// Moves as one says them.

import { t } from './language.ts';

export function spokenMove(move: string) {
  const nested = /^(\d)\/(\d)$/.exec(move);
  if (nested) return t('move.nested', { board: nested[1], square: nested[2] });
  const cube = /^([a-s]\d+)\.(\d)$/.exec(move);
  return cube ? t('move.cube', { cell: cube[1], level: cube[2] }) : move;
}

/** A sentence that may begin with a cell. */
export function capital(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
