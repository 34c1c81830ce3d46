// Quick starts: a game of the chosen kind in one click, with the settings of the last game made here, and what the
// buttons say. Pure but for what this browser remembers, and `settledRating`.

import { joined, t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import { levelWords } from '../room/words.ts';
import type { Bot, Lobby, Seek } from '../types/page.d.ts';
import { lastChoices, marks } from '../ui/settings.ts';
import type { Choices } from './createMessage.ts';
import { createMessage, FIRST_CHOICES, usableChoices } from './createMessage.ts';
import type { Pick } from './levels.ts';

/** Ratings with a larger deviation are provisional. */
const SETTLED = 110;

/** The settings of the last game made here; by default a game against a bot. */
export function choicesFor(game: string, asked: Partial<Choices>): Choices {
  return {
    ...FIRST_CHOICES,
    ...(asked.who === 'bot' && { seat: 'x' }),
    ...usableChoices(lastChoices()),
    ...asked,
    game,
  };
}

/**
 * Open games to join: of this game, by other players who are present, rated only if the player chose rated games. The
 * one that has waited longest comes first.
 * @param lobby newest first
 */
export function fittingSeeks(lobby: Lobby | null, game: string, me: string | null, rated: boolean): Seek[] {
  if (!lobby) return [];
  // The list of people may be cut; then everybody who waits is assumed to be present.
  const all = lobby.people.length < lobby.players;
  const here = new Set(lobby.people.map((player) => player.id));
  return lobby.seeks
    .filter((seek) => seek.game === game && seek.by.id !== me && seek.rated === rated && (all || here.has(seek.by.id)))
    .reverse();
}

/** The room that the player would have joined instead of making one, had it been listed earlier. */
export function olderSeek(lobby: Lobby | null, room: string) {
  const own = lobby?.seeks.find((seek) => seek.room === room);
  const [oldest] = own ? fittingSeeks(lobby, own.game, null, own.rated) : [];
  return oldest?.by.id === own?.by.id ? undefined : oldest?.room;
}

/** The side that the player gets. */
export function sideWords(seat: Choices['seat']) {
  return seat === 'random' ? t('lobby.side.random') : t('lobby.side', { mark: marks()[seat] });
}

/** The free side of an open game. */
export function freeSide({ seat }: Seek) {
  return seat === 'x' ? 'o' : 'x';
}

/** The settings that all quick starts share, besides the clock: "unrated · bots at a human pace". */
export function settingsWords(c: Choices) {
  const { rated, limit } = createMessage({ ...c, who: 'bot' });
  const spend =
    limit &&
    (limit.move_ms
      ? t('lobby.settings.seconds', { seconds: limit.move_ms / 1000 })
      : limit.nodes
        ? t('lobby.settings.nodes', { count: limit.nodes })
        : t('lobby.settings.depth', { count: limit.depth }));
  const stakes = t(rated ? 'lobby.settings.rated' : 'lobby.settings.unrated');
  return joined([stakes, spend, c.human && t('lobby.settings.human')], ' · ');
}

/** The opponent, and the reason for the choice. */
export function pickWords({ title, level, highest, rating, why }: Pick, mine: number | null) {
  if (why === 'rating') return t('lobby.pick.rating', { name: title, rating: String(rating), mine: String(mine) });
  if (level === null || highest === null) return t('lobby.pick.only', { name: title });
  return t(`lobby.pick.${why}`, { level: levelWords(level, highest) });
}

/**
 * A player's rating in a game; null if it is unknown, provisional, or cannot be loaded now. Requested only if it would
 * be compared.
 */
export async function settledRating(player: string | null, game: string, bots: Bot[]): Promise<number | null> {
  const comparable = bots.some((bot) => Object.values(bot.ratings ?? {}).some((rating) => !rating.provisional));
  if (player === null || !comparable) return null;
  try {
    const { ratings } = await getJson(`/api/players/${encodeURIComponent(player)}`);
    const found = ratings.find((rating) => rating.game === game);
    return found && found.deviation <= SETTLED ? Math.round(found.rating) : null;
  } catch {
    return null; // the level last played will do
  }
}
