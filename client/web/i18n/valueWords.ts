// Values that bots give positions, in words.

import { number, t } from './language.ts';

/** From here on a value is no estimate: a search that has seen the end counts down from a thousand million. */
const PROVEN = 500_000_000;

/** A value in the bot's own scale, for the side that moved; what has seen the end is no number to read. */
export function valueWords(value: number) {
  const size = Math.abs(value);
  if (size >= PROVEN) return t(value > 0 ? 'search.winning' : 'search.losing');
  const shown = size >= 100 ? number(Math.round(size)) : number(size, { maximumSignificantDigits: 3 });
  return (value > 0 ? '+' : value < 0 ? '−' : '') + shown;
}
