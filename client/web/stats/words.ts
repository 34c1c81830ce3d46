// Prepares the statistics for drawing. Pure.

import { t } from '../i18n/language.ts';
import type { KindStats, StatsAnswer } from '../types/page.d.ts';

/** Column headings, by name. */
export function heads(...names: string[]) {
  return names.map((name) => t(`stats.head.${name}`));
}

const DAY_MS = 86_400_000;
/** The fewest days shown, so that a single day is not as wide as the chart. */
const DAYS_LEAST = 14;
/** The most bars in a chart of lengths. */
const BINS = 40;

export type Results = { x: number; drawn: number; o: number; games: number };
export type Bin = { first: number; last: number; games: number };

export function resultsOf(kinds: Pick<KindStats, 'results'>[]): Results {
  const count = (winner: 'x' | 'o' | null) =>
    kinds
      .flatMap(({ results }) => results)
      .reduce((sum, result) => sum + (result.winner === winner ? result.games : 0), 0);
  const [x, drawn, o] = [count('x'), count(null), count('o')];
  return { x, drawn, o, games: x + drawn + o };
}

/** Every day from the first to the last, as a number of days since 1970, including days without games. */
export function everyDay(days: StatsAnswer['days']): { day: number; games: number }[] {
  const games = new Map(days.map((one) => [one.day_ms / DAY_MS, one.games]));
  const last = Math.max(...games.keys());
  const first = Math.min(last + 1 - DAYS_LEAST, ...games.keys());
  return Array.from({ length: last - first + 1 }, (_, i) => ({ day: first + i, games: games.get(first + i) ?? 0 }));
}

export function momentOf(day: number) {
  return day * DAY_MS;
}

/** The terminations that occurred, the most frequent first. */
export function endingsOf(kinds: Pick<KindStats, 'results'>[]): string[] {
  const counts = new Map<string, number>();
  for (const { termination, games } of kinds.flatMap(({ results }) => results))
    counts.set(termination, (counts.get(termination) ?? 0) + games);
  return [...counts].sort(([, a], [, b]) => b - a).map(([termination]) => termination);
}

export function endedBy({ results }: Pick<KindStats, 'results'>, termination: string) {
  return results.reduce((sum, one) => sum + (one.termination === termination ? one.games : 0), 0);
}

/** Games by length, in bins if there are many lengths. */
export function binned(lengths: KindStats['lengths']): Bin[] {
  if (!lengths.length) return [];
  const least = lengths[0].plies;
  const most = lengths[lengths.length - 1].plies;
  const width = Math.ceil((most - least + 1) / BINS);
  const bins = Array.from({ length: Math.floor((most - least) / width) + 1 }, (_, i) => ({
    first: least + i * width,
    last: least + (i + 1) * width - 1,
    games: 0,
  }));
  for (const { plies, games } of lengths) bins[Math.floor((plies - least) / width)].games += games;
  return bins;
}

/** The median length. */
export function medianLength(lengths: KindStats['lengths']) {
  const all = lengths.reduce((sum, one) => sum + one.games, 0);
  let counted = 0;
  for (const { plies, games } of lengths) {
    counted += games;
    if (2 * counted >= all) return plies;
  }
  return 0;
}
