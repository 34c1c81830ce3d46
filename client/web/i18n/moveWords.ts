// Moves and evaluations of bots in words.

import type { Values } from './language.ts';
import { number, t } from './language.ts';

export function spokenMove(move: string) {
  const nested = /^(\d)\/(\d)$/.exec(move);
  if (nested) return t('move.nested', { board: nested[1], square: nested[2] });
  const cube = /^([a-e]\d+)\.(\d)$/.exec(move);
  return cube ? t('move.cube', { cell: cube[1], level: cube[2] }) : move;
}

/** A sentence that may begin with a cell. */
export function capital(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence about a move, which may begin with that move. */
export function aboutMove(key: string, move: string, values?: Values) {
  return capital(t(key, { move: spokenMove(move), ...values }));
}

/** Values from here on are not estimates: a search that has seen the end counts down from a billion. */
export const PROVEN = 500_000_000;

/** An evaluation on the bot's own scale, for the side that moved; a proven end has no readable number. */
export function valueWords(value: number) {
  const size = Math.abs(value);
  if (size >= PROVEN) return t(value > 0 ? 'search.winning' : 'search.losing');
  const shown = size >= 100 ? number(Math.round(size)) : number(size, { maximumSignificantDigits: 3 });
  return (value > 0 ? '+' : value < 0 ? '−' : '') + shown;
}
