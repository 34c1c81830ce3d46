// @ts-check
// Moves as one says them.

import { t } from './language.js';

/** @param {string} move */
export function spokenMove(move) {
  const nested = /^(\d)\/(\d)$/.exec(move);
  if (nested) return t('move.nested', { board: nested[1], square: nested[2] });
  const cube = /^([a-s]\d+)\.(\d)$/.exec(move);
  return cube ? t('move.cube', { cell: cube[1], level: cube[2] }) : move;
}

/** A sentence that may begin with a cell. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
