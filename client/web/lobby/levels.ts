// Which bot suits a player: by rating if both have one, else by the level last played in that game, one up after a win
// and one down after a loss. Pure but for `followLevels`.

import { botFullName } from '../i18n/botWords.ts';
import { isLevels } from '../net/catalog.ts';
import type { Rooms } from '../net/rooms.ts';
import { isRunning, other } from '../room/state.ts';
import type { Bot, RoomState } from '../types/page.d.ts';
import { setLevelPlayed } from '../ui/settings.ts';

export type Result = 'won' | 'lost' | 'drawn';
export type Pick = {
  name: string;
  title: string;
  level: number | null;
  highest: number | null;
  rating: number | null;
  why: 'rating' | 'first' | 'up' | 'down' | 'same' | 'only';
};

/** The largest difference in rating for a match: beyond it the result of the last game says more. */
const NEAR = 200;
/** The first level for a new player, of eight; the same share where there are fewer. */
const CASUAL = 3;
const LEVELS = 8;

/**
 * @param bots those that play the game
 * @param rating the player's, null if unknown or provisional
 * @param played the level last played in this game
 */
export function pickBot(
  bots: Bot[],
  rating: number | null,
  played: { level: number; result: Result } | null,
): Pick | null {
  const rated = rating === null ? null : nearest(bots, rating);
  if (rated) return rated;
  const family = bots.find(isLevels);
  if (!family) return bots.length ? { ...pick(bots[0], bots[0].name), why: 'only' } : null;
  const highest = family.parameters[0].max as number;
  const { level, why } = nextLevel(highest, played);
  return { ...pick(family, levelName(family, level)), level, highest, why };
}

export function nextLevel(
  highest: number,
  played: { level: number; result: Result } | null,
): { level: number; why: 'first' | 'up' | 'down' | 'same' } {
  if (!played) return { level: 1 + Math.round(((CASUAL - 1) / (LEVELS - 1)) * (highest - 1)), why: 'first' };
  const step = { won: 1, lost: -1, drawn: 0 }[played.result];
  const before = Math.min(played.level, highest);
  const level = Math.max(1, Math.min(highest, before + step));
  return { level, why: level > before ? 'up' : level < before ? 'down' : 'same' };
}

/** A full name from the family of levels. */
export function levelName(family: Bot, level: number) {
  return `${family.family}:${level}`;
}

function nearest(bots: Bot[], mine: number): Pick | null {
  const known = bots.flatMap((bot) =>
    Object.entries(bot.ratings ?? {})
      .filter(([, rating]) => !rating.provisional)
      .map(([name, { value }]) => ({ bot, name, value })),
  );
  known.sort((a, b) => Math.abs(a.value - mine) - Math.abs(b.value - mine));
  const [best] = known;
  return best && Math.abs(best.value - mine) <= NEAR
    ? { ...pick(best.bot, best.name), rating: best.value, why: 'rating' }
    : null;
}

function pick(bot: Bot, name: string) {
  return {
    name,
    title: name === bot.name && !isLevels(bot) ? bot.title : botFullName(name),
    level: null,
    highest: null,
    rating: null,
  };
}

/** Records the results against levels, as long as the page is open. */
export function followLevels(rooms: Rooms) {
  /** Games that were seen running, so that an old one opened later does not count again. */
  const running: Set<string> = new Set();
  rooms.addEventListener('change', () => {
    for (const [id, { state }] of rooms.live) {
      const game = `${id} ${state.game.serial}`;
      if (isRunning(state)) running.add(game);
      else if (running.delete(game)) keep(state);
    }
  });
}

function keep({ game, seats, you }: RoomState) {
  if (you !== 'x' && you !== 'o') return;
  const level = /^level:(\d+)$/.exec(seats[other(you)]?.bot ?? '')?.[1];
  if (!level || !game.result || game.result.termination === 'aborted') return;
  const { winner } = game.result;
  setLevelPlayed(game.game, {
    level: Number(level),
    result: winner === null ? 'drawn' : winner === you ? 'won' : 'lost',
  });
}
