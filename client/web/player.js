// @ts-check
// A player's page: who it is, ratings over time, places in ladders, time use, and games.

import { getJson } from './catalog.js';
import { el, fill, personName } from './dom.js';
import { across } from './ladder.js';
import { eloWords, limitWords, lineChart, percentWords, timeWords, whenWords } from './figures.js';
import { GameList } from './gamelist.js';
import { plural } from './words.js';

export class PlayerView {
  /** @param {import('./main.js').App} app @param {string} id */
  constructor(app, id) {
    this.app = app;
    this.id = id;
    this.title = 'Player';
    this.mounted = true;
    this.node = el('div', { class: 'records' }, el('h1', { tabindex: -1 }, 'Looking …'));
    void this.load();
  }

  unmount() {
    this.mounted = false;
  }

  async load() {
    try {
      await this.app.catalog.games().catch(() => {}); // names of games only
      if (!/^\d{1,18}$/.test(this.id)) throw new Error('There is no such player.');
      const [player, lists] = await Promise.all([getJson(`/api/players/${this.id}`), getJson('/api/ladder')]);
      this.player = player;
      this.limits = new Map(lists.lists.map((/** @type {any} */ list) => [list.run, list.limit]));
    } catch (error) {
      if (this.mounted) this.app.missing(null, /** @type {Error} */ (error).message);
      return;
    }
    if (this.mounted) this.build();
  }

  build() {
    const { player } = this;
    const games = new GameList(this.app.catalog, { caption: 'The newest first', mine: player.id, kinds: true });
    fill(
      this.node,
      el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, personName(player.name)), el('small', { class: 'muted' }, player.kind === 'bot' ? 'bot' : `here since ${whenWords(player.since_ms)}`)),
      player.bot && this.botPart(),
      player.ratings.length > 0 && el('section', { class: 'panel stack', 'aria-labelledby': 'ratings-title' }, el('h2', { id: 'ratings-title' }, 'Online ratings'), player.ratings.map((/** @type {any} */ one) => this.ratingPart(one))),
      player.ladder.length > 0 && this.ladderPart(),
      player.times.length > 0 && this.timesPart(),
      el('section', { class: 'panel stack', 'aria-labelledby': 'games-title' }, el('h2', { id: 'games-title' }, 'Games'), games.node),
    );
    void games.show({ player: player.id });
    this.app.setTitle(player.name);
    this.app.settle(/** @type {HTMLElement} */ (this.node.querySelector('h1')));
  }

  botPart() {
    const { bot } = this.player;
    const version = bot.current ? `Version ${bot.version}.` : `Version ${bot.version}, which this server plays no more.`;
    const others = bot.versions > 1 ? ` The records know ${bot.versions} versions of it; each has a page of its own.` : '';
    return el(
      'section',
      { class: 'panel stack', 'aria-label': 'The bot' },
      el('p', null, el('strong', null, bot.title), ` ${bot.character}`),
      el('p', { class: 'muted' }, `${version}${others}${bot.source === 'ours' ? '' : ` Source: ${bot.source}`}`),
    );
  }

  /** @param {any} one */
  ratingPart(one) {
    const name = this.app.catalog.name(one.game);
    const spread = Math.round(2 * one.deviation);
    const points = one.history.map((/** @type {any} */ p) => ({ value: p.rating, low: p.rating - 2 * p.deviation, high: p.rating + 2 * p.deviation }));
    return el(
      'figure',
      { class: 'rating' },
      el('figcaption', null, el('strong', null, name), ` ${Math.round(one.rating)} ± ${spread}`, el('small', { class: 'muted' }, ` after ${plural('rated game', one.games)}; the ± is an interval of 95 %`)),
      points.length > 1 && lineChart(points, chartWords(name, points), 'public rated games'),
    );
  }

  ladderPart() {
    const rows = this.player.ladder.map((/** @type {any} */ entry) =>
      el(
        'tr',
        null,
        el('th', { scope: 'row' }, el('a', { href: `/ladder?run=${encodeURIComponent(entry.run)}` }, `${this.app.catalog.name(entry.game)}, ${limitWords(this.limits?.get(entry.run) ?? null)}`), el('small', { class: 'muted' }, ` ${entry.ladder}`)),
        el('td', { class: 'num' }, `${entry.place} of ${entry.of}`, entry.retired && el('small', { class: 'bad' }, ' retired')),
        el('td', { class: 'num' }, el('strong', null, eloWords(entry.rating))),
        el('td', { class: 'num' }, `${eloWords(entry.low)} to ${eloWords(entry.high)}`),
        el('td', { class: 'num' }, entry.games ? percentWords(entry.points / entry.games) : ''),
        el('td', { class: 'num' }, entry.games.toLocaleString('en')),
      ),
    );
    return el(
      'section',
      { class: 'panel', 'aria-labelledby': 'ladder-title' },
      el('h2', { id: 'ladder-title' }, 'On ladders'),
      across('On ladders', table('Places in lists of ladders, the newest first', ['List', 'Place', 'Rating', '95 % interval', 'Points', 'Games'], rows)),
    );
  }

  timesPart() {
    const rows = this.player.times.map((/** @type {any} */ one) =>
      el(
        'tr',
        null,
        el('th', { scope: 'row' }, this.app.catalog.name(one.game)),
        el('td', { class: 'num' }, timeWords(one.median_ms)),
        el('td', { class: 'num' }, timeWords(one.p90_ms)),
        el('td', { class: 'num' }, one.games.toLocaleString('en')),
        el('td', { class: 'num' }, one.moves.toLocaleString('en')),
      ),
    );
    const games = this.player.times.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.games, 0);
    return el(
      'section',
      { class: 'panel', 'aria-labelledby': 'times-title' },
      el('h2', { id: 'times-title' }, 'Time for a move'),
      across('Time for a move', table(timesCaption(games), ['Game', 'Half took at most', 'Nine of ten at most', 'Games', 'Moves'], rows)),
    );
  }
}

/** @param {string} caption @param {string[]} heads the first is of the row's head @param {any[]} rows */
function table(caption, heads, rows) {
  return el(
    'table',
    { class: 'data' },
    el('caption', null, caption),
    el('thead', null, el('tr', null, heads.map((text, i) => el('th', { scope: 'col', class: i ? 'num' : null }, text)))),
    el('tbody', null, rows),
  );
}

/** Time use is counted over the newest games only: which those are. Pure. @param {number} games */
export function timesCaption(games) {
  return games === 1 ? 'Over one game' : `Over the newest ${games.toLocaleString('en')} games`;
}

/** What a chart of ratings shows, for those who do not see it. Pure. @param {string} game @param {{value: number}[]} points */
export function chartWords(game, points) {
  const values = points.map((point) => Math.round(point.value));
  return `Rating in ${game} over ${values.length} public rated games: from ${values[0]} to ${values[values.length - 1]}, lowest ${Math.min(...values)}, highest ${Math.max(...values)}.`;
}
