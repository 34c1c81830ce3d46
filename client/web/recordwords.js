// @ts-check
// Words about a recorded game. Pure.

import { clockWords } from './clock.js';
import { resultSentence } from './words.js';

/** @typedef {import('./types.js').Side} Side */

/** "640 ms", "1.25 s", "12.3 s", "2:05 min". @param {number} ms */
export function timeWords(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}

/** What a bot may spend on a move. @param {{move_ms?: number, nodes?: number, depth?: number}|undefined} limit */
export function limitWords(limit) {
  if (limit?.nodes) return `${limit.nodes.toLocaleString('en')} nodes a move`;
  if (limit?.depth) return `depth ${limit.depth}`;
  return limit?.move_ms ? `${timeWords(limit.move_ms)} a move` : '';
}

/** The clock and the limits of a game in one line. @param {any} record */
export function limitsWords(record) {
  const [x, o] = [limitWords(record.x_limit), limitWords(record.o_limit)];
  const limits = x === o ? [x] : [x && `X ${x}`, o && `O ${o}`];
  const none = record.source === 'ladder' ? 'each bot’s own' : 'none';
  return [record.clock ? clockWords(record.clock) : '', ...limits].filter(Boolean).join(' · ') || none;
}

/** Where a game was played. @param {any} record */
export function sourceWords(record) {
  if (record.source === 'ladder' && record.run) {
    const [ladder, list] = record.run.split('/');
    return `ladder ${ladder}, list ${list}`;
  }
  /** @type {Record<string, string>} */
  const words = { room: record.private ? 'by invitation' : 'in a room', match: 'a match of bots', experiment: 'an experiment', ladder: 'a ladder' };
  return words[record.source] ?? record.source;
}

/** How a recorded game ended, or that it did not. @param {any} record @param {{x: string, o: string}} marks */
export function recordSentence(record, marks) {
  if (!record.termination) return 'Still running.';
  const seat = (/** @type {any} */ who) => ({ id: who.id, name: who.name, kind: who.kind, present: true });
  const game = { game: record.game, result: { winner: record.winner ?? null, termination: record.termination } };
  return resultSentence(/** @type {any} */ ({ game, seats: { x: seat(record.x), o: seat(record.o) }, you: null }), marks);
}

/** "21 November 2026, 18:02" in the reader's own time. @param {number} ms */
export function dateWords(ms) {
  return new Date(ms).toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** Of so many games, how many in per cent: "12 %", "<1 %". @param {number} part @param {number} whole */
export function percent(part, whole) {
  if (!whole || !part) return '0 %';
  const share = (100 * part) / whole;
  if (share < 1) return '<1 %';
  return share > 99 && part < whole ? '>99 %' : `${Math.round(share)} %`;
}
