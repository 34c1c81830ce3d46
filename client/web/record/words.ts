// Words about a recorded game.

import { playerName } from '../i18n/botWords.ts';
import { date, hasText, joined, number, t } from '../i18n/language.ts';
import { clockWords } from '../room/clock.ts';
import { resultSentence } from '../room/words.ts';
import type { BotLimit, GameAnswer, Marks, Player } from '../types/page.d.ts';
import { decimals } from '../ui/figures.ts';

/** "640 ms", "1.25 s", "12.3 s", "2:05 min". */
export function timeWords(ms: number) {
  if (ms < 1000) return t('figures.time.ms', { ms: Math.round(ms) });
  if (ms < 59_950) return t('figures.time.s', { seconds: decimals(ms / 1000, ms < 9_995 ? 2 : 1) });
  const seconds = Math.round(ms / 1000);
  return t('record.time.min', { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` });
}

/** What a bot may spend on a move. */
export function limitWords(limit: BotLimit | null | undefined) {
  if (limit?.nodes) return t('record.limit.nodes', { count: limit.nodes });
  if (limit?.depth) return t('record.limit.depth', { depth: limit.depth });
  return limit?.move_ms ? t('record.limit.time', { time: timeWords(limit.move_ms) }) : '';
}

/** The clock and the limits of a game in one line. */
export function limitsWords(record: GameAnswer) {
  const [x, o] = [limitWords(record.x_limit), limitWords(record.o_limit)];
  const limits =
    x === o
      ? [x]
      : [x && t('record.limit.side', { side: 'X', limit: x }), o && t('record.limit.side', { side: 'O', limit: o })];
  const none = t(record.source === 'ladder' ? 'record.limit.own' : 'record.limit.none');
  return joined([record.clock ? clockWords(record.clock) : '', ...limits], ' · ') || none;
}

/** Where a game was played. */
export function sourceWords(record: GameAnswer) {
  if (record.source === 'ladder' && record.run) {
    const [ladder, list] = record.run.split('/');
    return t('record.source.list', { ladder, list });
  }
  const key = `record.source.${record.source === 'room' && record.private ? 'private' : record.source}`;
  return hasText(key) ? t(key) : record.source;
}

/** How a recorded game ended, or that it did not. */
export function recordSentence(record: GameAnswer, marks: Marks) {
  if (!record.termination) return t('record.running');
  const seat = (who: Player) => ({ ...who, name: playerName(who), present: true });
  const game = { game: record.game, result: { winner: record.winner ?? null, termination: record.termination } };
  return resultSentence({ game, seats: { x: seat(record.x), o: seat(record.o) }, you: null }, marks);
}

/** "21 November 2026, 18:02" in the reader's own time. */
export function dateWords(ms: number) {
  return date(ms, { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** Of so many games, how many in per cent: "12 %", "<1 %". */
export function percent(part: number, whole: number) {
  const shown = (share: string) => t('figures.percent', { percent: share });
  if (!whole || !part) return shown(number(0));
  const share = (100 * part) / whole;
  if (share < 1) return shown(`<${number(1)}`);
  return shown(share > 99 && part < whole ? `>${number(99)}` : number(Math.round(share)));
}
