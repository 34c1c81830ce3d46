// @ts-check
// Words about a recorded game.

import { date, hasText, number, t } from '../i18n/language.js';
import { clockWords } from '../room/clock.js';
import { resultSentence } from '../room/words.js';
import { decimals } from '../ui/figures.js';

/** @typedef {import('../types/page.js').Side} Side */

/** "640 ms", "1.25 s", "12.3 s", "2:05 min". @param {number} ms */
export function timeWords(ms) {
  if (ms < 1000) return t('figures.time.ms', { ms: Math.round(ms) });
  if (ms < 59_950) return t('figures.time.s', { seconds: decimals(ms / 1000, ms < 9_995 ? 2 : 1) });
  const seconds = Math.round(ms / 1000);
  return t('record.time.min', { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` });
}

/** What a bot may spend on a move. @param {import('../types/page.js').BotLimit|null|undefined} limit */
export function limitWords(limit) {
  if (limit?.nodes) return t('record.limit.nodes', { count: limit.nodes });
  if (limit?.depth) return t('record.limit.depth', { depth: limit.depth });
  return limit?.move_ms ? t('record.limit.time', { time: timeWords(limit.move_ms) }) : '';
}

/** The clock and the limits of a game in one line. @param {import('../types/page.js').GameAnswer} record */
export function limitsWords(record) {
  const [x, o] = [limitWords(record.x_limit), limitWords(record.o_limit)];
  const limits =
    x === o
      ? [x]
      : [x && t('record.limit.side', { side: 'X', limit: x }), o && t('record.limit.side', { side: 'O', limit: o })];
  const none = t(record.source === 'ladder' ? 'record.limit.own' : 'record.limit.none');
  return [record.clock ? clockWords(record.clock) : '', ...limits].filter(Boolean).join(' · ') || none;
}

/** Where a game was played. @param {import('../types/page.js').GameAnswer} record */
export function sourceWords(record) {
  if (record.source === 'ladder' && record.run) {
    const [ladder, list] = record.run.split('/');
    return t('record.source.list', { ladder, list });
  }
  const key = `record.source.${record.source === 'room' && record.private ? 'private' : record.source}`;
  return hasText(key) ? t(key) : record.source;
}

/**
 * How a recorded game ended, or that it did not.
 * @param {import('../types/page.js').GameAnswer} record @param {{x: string, o: string}} marks
 */
export function recordSentence(record, marks) {
  if (!record.termination) return t('record.running');
  const seat = (/** @type {import('../types/page.js').Player} */ who) => ({ ...who, present: true });
  const game = { game: record.game, result: { winner: record.winner ?? null, termination: record.termination } };
  return resultSentence({ game, seats: { x: seat(record.x), o: seat(record.o) }, you: null }, marks);
}

/** "21 November 2026, 18:02" in the reader's own time. @param {number} ms */
export function dateWords(ms) {
  return date(ms, { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** Of so many games, how many in per cent: "12 %", "<1 %". @param {number} part @param {number} whole */
export function percent(part, whole) {
  const shown = (/** @type {string} */ share) => t('figures.percent', { percent: share });
  if (!whole || !part) return shown(number(0));
  const share = (100 * part) / whole;
  if (share < 1) return shown(`<${number(1)}`);
  return shown(share > 99 && part < whole ? `>${number(99)}` : number(Math.round(share)));
}
