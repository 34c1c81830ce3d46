// @ts-check
// Quick starts: a game of the chosen kind in one click, with the settings of the last game made here.

import { pieces, t } from '../i18n/language.js';
import { getJson } from '../net/catalog.js';
import { ServerError } from '../net/connection.js';
import { clockWords } from '../room/clock.js';
import { levelWords } from '../room/words.js';
import { button, el, fill, personName, setText } from '../ui/dom.js';
import { lastChoices, levelPlayed, marks } from '../ui/settings.js';
import { createMessage, FIRST_CHOICES, oneAtATime } from './createMessage.js';
import { pickBot } from './levels.js';

/** @typedef {import('../types/page.js').Bot} Bot */
/** @typedef {import('./createMessage.js').Choices} Choices */
/** @typedef {import('../types/page.js').Seek} Seek */

/** Above it a rating is provisional. */
const SETTLED = 110;

/**
 * What the last game made here was like; who has made none begins against a bot.
 * @param {string} game @param {Partial<Choices>} asked @returns {Choices}
 */
export function choicesFor(game, asked) {
  return { ...FIRST_CHOICES, ...(asked.who === 'bot' && { seat: 'x' }), ...lastChoices(), ...asked, game };
}

/**
 * Open games that suit somebody: of this game, of others who are here, rated only for who plays rated games. The one
 * who has waited longest first.
 * @param {import('../types/page.js').Lobby|null} lobby newest first @param {string} game @param {string|null} me @param {boolean} rated
 * @returns {Seek[]}
 */
export function fittingSeeks(lobby, game, me, rated) {
  if (!lobby) return [];
  // The list of people may be cut; then whoever waits is taken to be here.
  const all = lobby.people.length < lobby.players;
  const here = new Set(lobby.people.map((player) => player.id));
  return lobby.seeks
    .filter((seek) => seek.game === game && seek.by.id !== me && seek.rated === rated && (all || here.has(seek.by.id)))
    .reverse();
}

/** The settings in one line: "5 min + 3 s · unrated · you play X". @param {Choices} c */
export function settingsWords(c) {
  const { clock, rated, limit } = createMessage({ ...c, who: 'bot' });
  const seat = c.seat === 'random' ? t('lobby.settings.random') : t('lobby.settings.seat', { mark: marks()[c.seat] });
  const spend =
    limit &&
    (limit.move_ms
      ? t('lobby.settings.seconds', { seconds: limit.move_ms / 1000 })
      : limit.nodes
        ? t('lobby.settings.nodes', { count: limit.nodes })
        : t('lobby.settings.depth', { count: limit.depth }));
  return [
    clockWords(clock),
    t(rated ? 'lobby.settings.rated' : 'lobby.settings.unrated'),
    seat,
    spend,
    c.human && t('lobby.settings.human'),
  ]
    .filter(Boolean)
    .join(' · ');
}

export class QuickStart {
  /** @param {import('../main.js').App} app */
  constructor(app) {
    this.app = app;
    this.game = '';
    /** @type {import('./levels.js').Pick|null} */
    this.pick = null;
    /** @type {number|null} */
    this.rating = null;
    /** What makes or joins a room from the lobby goes through this. */
    this.only = oneAtATime();
    this.botHow = el('small');
    this.personHow = el('small');
    const way = (
      /** @type {string} */ label,
      /** @type {HTMLElement} */ how,
      /** @type {() => void} */ go,
      /** @type {string} */ more = '',
    ) => button([el('span', null, label), how], go, { class: `big way-button ${more}` });
    this.settings = el('p', { class: 'settings-line muted' });
    this.node = el(
      'div',
      { class: 'quick', hidden: true },
      el(
        'div',
        { class: 'hero-ways' },
        way(t('lobby.play.bot'), this.botHow, () => void this.only(() => this.playBot()), 'primary'),
        way(t('lobby.play.person'), this.personHow, () => void this.only(() => this.playPerson())),
        way(
          t('lobby.play.friend'),
          el('small', null, t('lobby.play.friend.how')),
          () => void this.only(() => this.create({ who: 'invite' })),
        ),
        el('a', { class: 'button big quiet', href: '/#create' }, t('lobby.play.more')),
      ),
      this.settings,
    );
  }

  /** @param {string} game */
  choose(game) {
    this.game = game;
    this.pick = null;
    fill(
      this.settings,
      pieces('lobby.settings', {
        settings: settingsWords(choicesFor(game, { who: 'bot' })),
        change: el('a', { href: '/#create' }, t('lobby.settings.change')),
      }),
    );
    this.update();
  }

  /** @param {Bot[]} bots those that play the game @param {number|null} rating one's own in it, where it is settled */
  offer(bots, rating) {
    this.rating = rating;
    this.pick = pickBot(bots, rating, levelPlayed(this.game));
    setText(this.botHow, this.pick ? pickWords(this.pick, rating) : t('lobby.pick.none'));
  }

  /** What the lobby's lists say. */
  update() {
    const [seek] = this.fitting();
    const key = seek ? seek.room + seek.by.name : '';
    if (this.personHow.dataset.key === key) return;
    this.personHow.dataset.key = key;
    fill(
      this.personHow,
      seek
        ? pieces('lobby.play.person.waiting', { name: personName(seek.by.name), clock: clockWords(seek.clock) })
        : t('lobby.play.person.how'),
    );
  }

  fitting() {
    const { lobby, connection } = this.app;
    return fittingSeeks(
      lobby.state,
      this.game,
      connection.player?.id ?? null,
      Boolean(createMessage(choicesFor(this.game, { who: 'open' })).rated),
    );
  }

  /** @param {Partial<Choices>} asked */
  create(asked) {
    return this.app.create(createMessage(choicesFor(this.game, asked)));
  }

  async playBot() {
    try {
      const bots = await this.app.catalog.bots(this.game); // not here yet, or asked for in vain
      if (!this.pick) this.offer(bots, null);
    } catch (error) {
      this.app.fail(error);
      return;
    }
    if (!this.pick) {
      this.app.fail(new Error(t('lobby.pick.none')));
      return;
    }
    this.app.say(pickWords(this.pick, this.rating));
    await this.create({ who: 'bot', bot: this.pick.name });
  }

  /** Sits down with whoever has waited longest; else waits, where one waits already if one does. */
  async playPerson() {
    const { app } = this;
    app.clearNotice();
    try {
      for (const seek of this.fitting()) {
        if (await this.sitDown(seek.room)) return;
      }
    } catch (error) {
      app.fail(error);
      return;
    }
    const own = app.lobby.state?.seeks.find(
      (seek) => seek.game === this.game && seek.by.id === app.connection.player?.id,
    );
    if (own) app.navigate(`/room/${encodeURIComponent(own.room)}`);
    else await this.create({ who: 'open' });
  }

  /** Whether the seat was still free. @param {string} id */
  async sitDown(id) {
    try {
      const room = await this.app.rooms.join({ room: id });
      this.app.navigate(`/room/${encodeURIComponent(room.state.room)}`);
      return true;
    } catch (error) {
      if (error instanceof ServerError && (error.code === 'seat_taken' || error.code === 'not_found')) return false;
      throw error;
    }
  }
}

/** Whom one would play, and why. @param {import('./levels.js').Pick} pick @param {number|null} mine */
function pickWords({ title, level, highest, rating, why }, mine) {
  if (why === 'rating') return t('lobby.pick.rating', { name: title, rating: String(rating), mine: String(mine) });
  if (level === null || highest === null) return t('lobby.pick.only', { name: title });
  return t(`lobby.pick.${why}`, { level: levelWords(level, highest) });
}

/** A player's rating in a game, null where it is unknown, provisional, or cannot be asked for now. Asked for only where
 * it would be compared. @param {string|null} player @param {string} game @param {Bot[]} bots @returns {Promise<number|null>} */
export async function settledRating(player, game, bots) {
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
