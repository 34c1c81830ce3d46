// Games and bots as the server lists them, fetched once and told in the page's language.

import { botInWords } from '../i18n/botWords.ts';
import { gameInWords, gameName } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import type { Answer, Bot, GameAnswer, Rules, Search } from '../types/page.d.ts';
import { refusal } from './errors.ts';

/** What statuses of HTTP mean, as codes of the protocol. */
const CODES: Record<number, string> = {
  401: 'unauthorised',
  404: 'not_found',
  409: 'not_now',
  413: 'too_large',
  429: 'too_fast',
  503: 'busy',
};

/** `malformed` is the code of what cannot be, where that is known better; `share` the secret of a link to a private game. */
export type How = { method?: 'POST' | 'DELETE'; malformed?: string; share?: string | null };

/** @param token shows who asks: games of invite rooms are listed to their players */
export async function getJson<Path extends string>(
  path: Path,
  token?: string | null,
  { method, malformed = 'malformed', share }: How = {},
): Promise<Answer<Path>> {
  let response;
  try {
    response = await fetch(path, { method, headers: { accept: 'application/json', ...asking(token, share) } });
  } catch {
    throw new Error(t('errors.unreachable'));
  }
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) {
    const sentence = typeof body?.error === 'string' ? body.error : body?.message;
    const code = response.status === 400 ? malformed : (CODES[response.status] ?? '');
    throw Object.assign(
      new Error(sentence ? refusal(code, sentence) : t('errors.status', { status: response.status })),
      { status: response.status },
    );
  }
  return body;
}

/** The headers that say who asks. */
export function asking(token?: string | null, share?: string | null): Record<string, string> {
  return { ...(token && { authorization: `Bearer ${token}` }), ...(share && { 'x-share': share }) };
}

/** What bots found, by ply. */
export function searchesOf(record: GameAnswer): Record<number, Search> {
  const searches: Record<number, Search> = {};
  for (const move of record.moves ?? []) {
    // A bot that did not search tells no depth.
    if (move.depth)
      searches[move.ply] = {
        nodes: move.nodes ?? 0,
        depth: move.depth,
        value: move.value ?? null,
        win_in: move.win_in ?? null,
        pv: move.pv ?? [],
      };
  }
  return searches;
}

export class Catalog {
  known = new Map<string, Rules>();
  /** Lists by their paths. */
  readonly #listed = new Map<string, Promise<unknown>>();
  /** Whether bots answer at once; not asked again once they do. */
  warm = false;

  /** The games offered to people who choose one. */
  games() {
    return this.#once('/api/rules', (told) => {
      const list = told.map(gameInWords);
      for (const rules of list) this.known.set(rules.id, rules);
      return list;
    });
  }

  /** Any game; rejects with a sentence for an impossible id. */
  async rules(id: string): Promise<Rules> {
    const known = this.known.get(id);
    if (known) return known;
    const rules = gameInWords(
      await getJson(`/api/rules?game=${encodeURIComponent(id)}`, null, { malformed: 'bad_game' }),
    );
    this.known.set(id, rules);
    this.known.set(rules.id, rules);
    return rules;
  }

  /** The bots that play a game, ours first. */
  bots(game: string) {
    return this.#once(`/api/bots?game=${encodeURIComponent(game)}`, (bots) => bots.map(botInWords));
  }

  #once<Path extends string, List>(path: Path, inWords: (told: Answer<Path>) => List) {
    let list = this.#listed.get(path) as Promise<List> | undefined;
    if (!list) {
      list = getJson(path).then(inWords);
      this.#listed.set(path, list);
      list.catch(() => this.#listed.delete(path)); // so that the next caller tries again
    }
    return list;
  }

  /** How far the server's first compile is, null once it is over. */
  async warmUp(): Promise<{ done: number; of: number } | null> {
    if (this.warm) return null;
    const answer = await getJson('/api/warm-up');
    this.warm = answer.warm;
    return answer.warm ? null : answer;
  }

  /** A name at once, for lists: also where the rules are not here yet. */
  name(id: string) {
    return gameName(this.known.get(id) ?? { id });
  }
}

/** Whether the bot is one of graded strength. */
export function isLevels(bot: Bot) {
  return bot.family === 'level' && bot.parameters[0]?.max !== undefined;
}

/** The bot to offer first: a level, else one that thinks, not the one that plays at random. */
export function firstBot(bots: Bot[]) {
  return (
    bots.find(isLevels) ??
    bots.find((bot) => bot.family === 'alphabeta') ??
    bots.find((bot) => bot.family !== 'random') ??
    bots[0]
  );
}

/** A bot's name with its parameters: `alphabeta:2`. */
export function botName(bot: Bot, values: (string | number)[]) {
  return values.length ? `${bot.family}:${values.join(',')}` : bot.name;
}
