// Words about a ladder's list and about a player. Pure.

import { botFullName } from '../i18n/botWords.ts';
import { joined, t } from '../i18n/language.ts';
import type { ListAnswer, ListPageAnswer, StandingAnswer } from '../types/page.d.ts';
import { percentWords, plain } from '../ui/figures.ts';

export type Standing = StandingAnswer;
export type Rated = Standing & { rating: number; low: number; high: number };

const SURE = 0.95;
/** The most openings that the server counts in a list. */
const OPENINGS_TOLD = 1000;

/** The list to show by default: the one with most games, among those being played, else in the newest ladder. */
export function firstList(lists: ListAnswer[]): ListAnswer | null {
  const running = lists.filter((list) => list.running);
  const among = running.length ? running : lists.filter((list) => list.ladder === lists[0]?.ladder);
  return among.reduce((best, list) => (list.games > (best?.games ?? -1) ? list : best), null as ListAnswer | null);
}

/** With the list's own name if it has one: several lists may share a game and limit. */
export function named({ list, game }: Pick<ListAnswer, 'list' | 'game'>, told: string) {
  return joined([told, list !== game && list], ' · ');
}

/** Games from the same opening resemble each other, so few openings prove little. @param openings different ones */
export function ofOpenings(openings: number) {
  if (!openings) return '';
  return t(openings >= OPENINGS_TOLD ? 'ladder.openings.most' : 'ladder.openings', { count: openings });
}

/** How certain the order is, in a sentence or two. */
export function howSure(list: Pick<ListPageAnswer, 'standings'>) {
  const rated = list.standings.filter(isRated);
  if (rated.length < 2) return '';
  const [first, second] = rated;
  const chance = first.superiority ?? 0; // the last one has nobody below to compare with
  const values = { first: botName(first), second: botName(second), chance: percentWords(chance) };
  const leads = t(chance >= SURE ? 'ladder.leads' : chance > 0.5 ? 'ladder.leads.maybe' : 'ladder.level', values);
  const steps = rated.length - 1;
  const told = rated.filter((one) => (one.superiority ?? 0) >= SURE).length;
  if (steps === 1) return leads;
  const rest =
    told === steps ? t('ladder.steps.all') : t(told ? 'ladder.steps' : 'ladder.steps.none', { steps, count: told });
  return `${leads} ${rest}`;
}

export function isRated(one: Standing): one is Rated {
  return one.rating !== null;
}

/** A bot's name in words, with its version where there are several. */
export function botName(one: Standing) {
  const bot = botFullName(one.bot);
  return one.versions > 1 ? t('ladder.bot.version', { bot, version: one.version }) : bot;
}

/** What a chart of ratings shows, for screen readers. */
export function chartWords(game: string, points: { rating: number }[]) {
  const values = points.map((point) => Math.round(point.rating));
  const [first, last, lowest, highest] = [
    values[0],
    values[values.length - 1],
    Math.min(...values),
    Math.max(...values),
  ].map(plain);
  return t('player.chart', { game, count: values.length, first, last, lowest, highest });
}
