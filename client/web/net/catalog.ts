// Games and bots from the server, fetched once and worded in the page's language.

import { botInWords } from '../i18n/botWords.ts';
import { gameInWords, gameName } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import type { Answer, Bot, GameAnswer, Rules, Search } from '../types/page.d.ts';
import { refusal } from './errors.ts';

/** The protocol's codes for HTTP statuses. */
const CODES: Record<number, string> = {
  401: 'unauthorised',
  404: 'not_found',
  409: 'not_now',
  413: 'too_large',
  429: 'too_fast',
  503: 'busy',
};

/** `malformed` is a more precise code for an invalid request; `share` the secret of a link to a private game. */
export type How = { method?: 'POST' | 'DELETE'; malformed?: string; share?: string | null };

/** @param token identifies the player: games of invite rooms are listed for their players */
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

/** The headers that identify the player. */
export function asking(token?: string | null, share?: string | null): Record<string, string> {
  return { ...(token && { authorization: `Bearer ${token}` }), ...(share && { 'x-share': share }) };
}

/** The bots' searches, by ply. */
export function searchesOf(record: GameAnswer): Record<number, Search> {
  const searches: Record<number, Search> = {};
  for (const move of record.moves ?? []) {
    // Only a bot that searched reports a depth.
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
  /** Lists, by path. */
  readonly #listed = new Map<string, Promise<unknown>>();
  /** Whether the bots are ready; not asked again once they are. */
  warm = false;

  /** The games offered for a new game. */
  games() {
    return this.#once('/api/rules', (told) => {
      // A game that is shown stays the same object: its board would be built anew, without the focus.
      const list = told.map((rules) => this.known.get(rules.id) ?? gameInWords(rules));
      for (const rules of list) this.known.set(rules.id, rules);
      return list;
    });
  }

  /** Any game; rejects with a sentence for an impossible id. */
  async rules(id: string): Promise<Rules> {
    const known = this.known.get(id);
    if (known) return known;
    const told = await getJson(`/api/rules?game=${encodeURIComponent(id)}`, null, { malformed: 'bad_game' });
    const rules = this.known.get(told.id) ?? gameInWords(told);
    this.known.set(id, rules).set(rules.id, rules);
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

  /** The progress of the server's first compile, null once it is over. */
  async warmUp(): Promise<{ done: number; of: number } | null> {
    if (this.warm) return null;
    const answer = await getJson('/api/warm-up');
    this.warm = answer.warm;
    return answer.warm ? null : answer;
  }

  /** A game's name without waiting, even if its rules have not loaded yet. */
  name(id: string) {
    return gameName(this.known.get(id) ?? { id });
  }
}

/** Whether the bot has graded levels. */
export function isLevels(bot: Bot) {
  return bot.family === 'level' && bot.parameters[0]?.max !== undefined;
}

/** The bot to offer first: a level, else one that searches, not the random one. */
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
