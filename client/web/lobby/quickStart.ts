// Quick starts: a game of the chosen kind in one click, with the settings of the last game made here, and what is said
// of each. Pure but for what this browser remembers, and `settledRating`.

import { joined, t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import { levelWords } from '../room/words.ts';
import type { Bot, Lobby, Seek } from '../types/page.d.ts';
import { lastChoices, marks } from '../ui/settings.ts';
import type { Choices } from './createMessage.ts';
import { createMessage, FIRST_CHOICES, usableChoices } from './createMessage.ts';
import type { Pick } from './levels.ts';

/** Above it a rating is provisional. */
const SETTLED = 110;

/** What the last game made here was like; who has made none begins against a bot. */
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
 * Open games that suit somebody: of this game, of others who are here, rated only for who plays rated games. The one
 * who has waited longest first.
 * @param lobby newest first
 */
export function fittingSeeks(lobby: Lobby | null, game: string, me: string | null, rated: boolean): Seek[] {
  if (!lobby) return [];
  // The list of people may be cut; then whoever waits is taken to be here.
  const all = lobby.people.length < lobby.players;
  const here = new Set(lobby.people.map((player) => player.id));
  return lobby.seeks
    .filter((seek) => seek.game === game && seek.by.id !== me && seek.rated === rated && (all || here.has(seek.by.id)))
    .reverse();
}

/** The room where one would have sat down instead of waiting in a room of one's own, had it been listed by then. */
export function olderSeek(lobby: Lobby | null, room: string) {
  const own = lobby?.seeks.find((seek) => seek.room === room);
  const [oldest] = own ? fittingSeeks(lobby, own.game, null, own.rated) : [];
  return oldest?.by.id === own?.by.id ? undefined : oldest?.room;
}

/** Which side one plays in a game made so. */
export function sideWords(seat: Choices['seat']) {
  return seat === 'random' ? t('lobby.side.random') : t('lobby.side', { mark: marks()[seat] });
}

/** The side that is free where somebody waits. */
export function freeSide({ seat }: Seek) {
  return seat === 'x' ? 'o' : 'x';
}

/** What holds for every quick start beside the clock: "unrated · bots at a human pace". */
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

/** Whom one would play, and why. */
export function pickWords({ title, level, highest, rating, why }: Pick, mine: number | null) {
  if (why === 'rating') return t('lobby.pick.rating', { name: title, rating: String(rating), mine: String(mine) });
  if (level === null || highest === null) return t('lobby.pick.only', { name: title });
  return t(`lobby.pick.${why}`, { level: levelWords(level, highest) });
}

/**
 * A player's rating in a game, null where it is unknown, provisional, or cannot be asked for now. Asked for only where
 * it would be compared.
 */
export async function settledRating(player: string | null, game: string, bots: Bot[]): Promise<number | null> {
  const comparable = bots.some((bot) => Object.values(bot.ratings ?? {}).some((rating) => !rating.provisional));
  if (player === null || !comparable) return null;
  try {
    const { ratings } = await getJson(`/api/players/${encodeURIComponent(player)}`);
    const found = ratings.find((rating) => rating.game === game);
    return found && found.deviation <= SETTLED ? Math.round(found.rating) : null;
  } catch {
    return null; // the level played last will do
  }
}
