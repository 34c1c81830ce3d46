// Numbers as text, for the pages of ladders, players and statistics. Pure.

import { date, number, t } from '../i18n/language.ts';
import type { BotLimit } from '../types/page.d.ts';

/** "21 Nov 2026, 18:05" in this browser's time zone. @param ms Unix time */
export function whenWords(ms: number) {
  return date(ms, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** A number with a fixed number of decimals. */
export function decimals(value: number, digits: number) {
  return number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number without separators of thousands: for ids and ratings. */
export function plain(value: number) {
  return number(value, { useGrouping: false });
}

/** "12½" */
export function pointsWords(points: number) {
  const whole = Math.floor(points);
  return points > whole ? `${whole ? number(whole) : ''}½` : number(whole);
}

/** A rating or a difference of ratings, rounded: "+31", "−180", "0". */
export function eloWords(elo: number) {
  const rounded = Math.round(elo);
  return rounded > 0 ? `+${plain(rounded)}` : rounded < 0 ? `−${plain(-rounded)}` : plain(0);
}

/** "62 %", without a line break; rounded to "100 %" or "0 %" only if exact. @param share from 0 to 1 */
export function percentWords(share: number) {
  const percent = share * 100;
  const nearly = (percent > 99 && percent < 100) || (percent > 0 && percent < 1);
  const rounded = nearly ? Math.min(99.9, Math.max(0.1, Number(percent.toFixed(1)))) : Math.round(percent);
  return t('figures.percent', { percent: number(rounded) }).replace(' ', '\u00A0');
}

/** Games won by X, drawn, and won by O. */
export function outcomeWords({ x, drawn, o }: { x: number; drawn: number; o: number }) {
  const share = (games: number) => percentWords(games / (x + drawn + o));
  return { x: share(x), drawn: share(drawn), o: share(o) };
}

/**
 * The expected share of points for a bot that is `elo` ahead, averaged over who moves first, by Davidson's model as in
 * the ratings.
 * @param drawing draws to wins of either side between equals
 */
export function shareAt(elo: number, drawing: number) {
  const lead = Math.exp((elo * Math.LN10) / 800);
  return (lead + drawing / 2) / (lead + drawing + 1 / lead);
}

/** X's share of points with its 95 % interval, after Wilson: 1.9208 is half of 1.96 squared. */
export function shareOfX(x: number, drawn: number, o: number) {
  const all = x + drawn + o;
  const share = (x + drawn / 2) / all;
  const variance = (x * (1 - share) ** 2 + drawn * (0.5 - share) ** 2 + o * share ** 2) / all;
  // Games with one result say nothing about their spread: each counts as won or lost.
  const half = (1.9208 * (variance / (share * (1 - share)) || 1)) / all;
  const least = (of: number) => of ** 2 / (of + half + Math.sqrt(half * (2 * of * (1 - of) + half)));
  return { share, low: least(share), high: 1 - least(1 - share) };
}

/** A bot's limit per move. */
export function limitWords(limit: BotLimit | null | undefined) {
  if (limit?.nodes) return t('figures.limit.nodes', { count: limit.nodes });
  if (limit?.depth) return t('figures.limit.depth', { count: limit.depth });
  if (limit?.move_ms) return t('figures.limit.seconds', { seconds: limit.move_ms / 1000 });
  return t('figures.limit.own');
}

/** "under 1 ms", "640 ms", "1.25 s", "12.3 s", "2:05 min"; records are precise to a millisecond. */
export function timeWords(ms: number) {
  if (ms < 1) return t('figures.time.instant');
  if (ms < 1000) return t('figures.time.ms', { ms: Math.round(ms) });
  if (ms < 59_950) return t('figures.time.s', { seconds: decimals(ms / 1000, ms < 9_995 ? 2 : 1) });
  const seconds = Math.round(ms / 1000);
  return t('figures.time.min', { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` });
}

/** How certain it is who is stronger, in a word or two. @param superiority from 0 to 1 */
export function sureWords(superiority: number) {
  if (superiority >= 0.99) return t('figures.sure.almost');
  if (superiority >= 0.95) return t('figures.sure.very');
  if (superiority >= 0.8) return t('figures.sure.likely');
  return superiority >= 0.6 ? t('figures.sure.perhaps') : t('figures.sure.open');
}
