// @ts-check
// Games and bots as the server lists them, fetched once.

/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Bot} Bot */

/**
 * @param {string} path @param {string|null} [token] shows who asks: games of invite rooms are listed to their players
 * @returns {Promise<any>}
 */
export async function getJson(path, token) {
  let response;
  try {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    response = await fetch(path, { headers });
  } catch {
    throw new Error('The server cannot be reached at the moment.');
  }
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) {
    const sentence = typeof body?.error === 'string' ? body.error : body?.message;
    throw new Error(sentence ?? `The server answered ${response.status}.`);
  }
  return body;
}

export class Catalog {
  constructor() {
    /** @type {Map<string, Rules>} */
    this.known = new Map();
    /** @type {Promise<Rules[]>|null} */
    this.listed = null;
    /** @type {Promise<Bot[]>|null} */
    this.listedBots = null;
  }

  /** The games offered to people who choose one. @returns {Promise<Rules[]>} */
  games() {
    this.listed ??= getJson('/api/rules').then(
      (list) => {
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
    const rules = await getJson(`/api/rules?game=${encodeURIComponent(id)}`);
    this.known.set(id, rules);
    this.known.set(rules.id, rules);
    return rules;
  }

  /** @returns {Promise<Bot[]>} */
  bots() {
    this.listedBots ??= getJson('/api/bots').catch((error) => {
      this.listedBots = null;
      throw error;
    });
    return this.listedBots;
  }

  /** A name at once, for lists: the id in words where the rules are not here yet. @param {string} id */
  name(id) {
    const known = this.known.get(id);
    if (known) return known.name;
    const mnk = /^mnk:(\d+),(\d+),(\d+)$/.exec(id);
    if (mnk) return `${mnk[1]} x ${mnk[2]}, ${mnk[3]} in a row`;
    return id.charAt(0).toUpperCase() + id.slice(1);
  }
}

/** The bots that say they play this game; one that is wrong about it is refused by the server.
 * @param {Bot[]} bots @param {string} game */
export function botsFor(bots, game) {
  return bots.filter((bot) => /^(all|every game)$/.test(String(bot.games)) || bot.games.includes(game));
}

/** The bot to offer first: one that thinks, not the one that plays at random. @param {Bot[]} bots @param {string} game */
export function firstBot(bots, game) {
  const able = botsFor(bots, game);
  return able.find((bot) => bot.family === 'alphabeta') ?? able.find((bot) => bot.family !== 'random') ?? able[0];
}

/** A bot's name with its parameters: `alphabeta:2`. @param {Bot} bot @param {(string|number)[]} values */
export function botName(bot, values) {
  return values.length ? `${bot.family}:${values.join(',')}` : bot.name;
}
