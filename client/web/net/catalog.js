// @ts-check
// Games and bots as the server lists them, fetched once and told in the page's language.

import { botInWords } from '../i18n/botWords.js';
import { gameInWords, gameName } from '../i18n/gameWords.js';
import { t } from '../i18n/language.js';
import { refusal } from './errors.js';

/** What statuses of HTTP mean, as codes of the protocol. @type {Record<number, string>} */
const CODES = { 401: 'unauthorised', 404: 'not_found', 413: 'too_large', 429: 'too_fast', 503: 'busy' };

/** @typedef {import('../types/page.js').Rules} Rules */
/** @typedef {import('../types/page.js').Bot} Bot */

/**
 * @template {string} Path
 * @param {Path} path @param {string|null} [token] shows who asks: games of invite rooms are listed to their players
 * @param {string} [malformed] the code of what cannot be, where that is known better
 * @returns {Promise<import('../types/page.js').Answer<Path>>}
 */
export async function getJson(path, token, malformed = 'malformed') {
  let response;
  try {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    response = await fetch(path, { headers });
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

/**
 * What bots found, by ply.
 * @param {import('../types/page.js').GameAnswer} record @returns {Record<number, import('../types/page.js').Search>}
 */
export function searchesOf(record) {
  /** @type {Record<number, import('../types/page.js').Search>} */
  const searches = {};
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
  constructor() {
    /** @type {Map<string, Rules>} */
    this.known = new Map();
    /** @type {Promise<Rules[]>|null} */
    this.listed = null;
    /** By the id that was asked for. @type {Map<string, Promise<Bot[]>>} */
    this.botsOf = new Map();
    /** Whether bots answer at once; not asked again once they do. */
    this.warm = false;
  }

  /** The games offered to people who choose one. @returns {Promise<Rules[]>} */
  games() {
    this.listed ??= getJson('/api/rules').then(
      (told) => {
        const list = told.map(gameInWords);
        for (const rules of list) this.known.set(rules.id, rules);
        return list;
      },
      (error) => {
        this.listed = null; // so that the next caller tries again
        throw error;
      },
    );
    return this.listed;
  }

  /** Any game; rejects with a sentence for an impossible id. @param {string} id @returns {Promise<Rules>} */
  async rules(id) {
    const known = this.known.get(id);
    if (known) return known;
    const rules = gameInWords(await getJson(`/api/rules?game=${encodeURIComponent(id)}`, null, 'bad_game'));
    this.known.set(id, rules);
    this.known.set(rules.id, rules);
    return rules;
  }

  /** The bots that play a game, ours first. @param {string} game @returns {Promise<Bot[]>} */
  bots(game) {
    let asked = this.botsOf.get(game);
    if (!asked) {
      asked = getJson(`/api/bots?game=${encodeURIComponent(game)}`).then((bots) => bots.map(botInWords));
      this.botsOf.set(game, asked);
      asked.catch(() => this.botsOf.delete(game)); // so that the next caller tries again
    }
    return asked;
  }

  /**
   * How far the server's first compile is, null once it is over.
   * @returns {Promise<{done: number, of: number}|null>}
   */
  async warmUp() {
    if (this.warm) return null;
    const answer = await getJson('/api/warm-up');
    this.warm = answer.warm;
    return answer.warm ? null : answer;
  }

  /** A name at once, for lists: also where the rules are not here yet. @param {string} id */
  name(id) {
    return gameName(this.known.get(id) ?? { id });
  }
}

/** Whether the bot is one of graded strength. @param {Bot} bot */
export function isLevels(bot) {
  return bot.family === 'level' && bot.parameters[0]?.max !== undefined;
}

/** The bot to offer first: a level, else one that thinks, not the one that plays at random. @param {Bot[]} bots */
export function firstBot(bots) {
  return (
    bots.find(isLevels) ??
    bots.find((bot) => bot.family === 'alphabeta') ??
    bots.find((bot) => bot.family !== 'random') ??
    bots[0]
  );
}

/** A bot's name with its parameters: `alphabeta:2`. @param {Bot} bot @param {(string|number)[]} values */
export function botName(bot, values) {
  return values.length ? `${bot.family}:${values.join(',')}` : bot.name;
}
