// @ts-check
// A player's page: who it is, ratings over time, places in ladders, time use, and games.

import { botCharacter, botTitle } from '../i18n/botWords.js';
import { number, pieces, t } from '../i18n/language.js';
import { getJson } from '../net/catalog.js';
import { GameList } from '../record/gameList.js';
import { across } from '../ui/across.js';
import { el, fill, personName } from '../ui/dom.js';
import { eloWords, limitWords, lineChart, percentWords, plain, timeWords, whenWords } from '../ui/figures.js';

const LADDER_HEADS = ['list', 'place', 'rating', 'interval', 'points', 'games'];
const TIME_HEADS = ['game', 'median', 'p90', 'games', 'moves'];

export class PlayerView {
  /** @param {import('../main.js').App} app @param {string} id */
  constructor(app, id) {
    this.app = app;
    this.id = id;
    this.title = t('player.title');
    this.mounted = true;
    this.node = el('div', { class: 'records' }, el('h1', { tabindex: -1 }, t('player.looking')));
    void this.load();
  }

  unmount() {
    this.mounted = false;
  }

  async load() {
    try {
      await this.app.catalog.games().catch(() => {}); // names of games only
      if (!/^\d{1,18}$/.test(this.id)) throw new Error(t('player.none'));
      const [player, lists] = await Promise.all([getJson(`/api/players/${this.id}`), getJson('/api/ladder')]);
      /** @type {import('../types/page.js').PlayerAnswer} */
      this.player = player;
      this.limits = new Map(lists.lists.map((list) => [list.run, list.limit]));
    } catch (error) {
      if (this.mounted) this.app.missing(null, /** @type {Error} */ (error).message);
      return;
    }
    if (this.mounted) this.build();
  }

  build() {
    const { player } = this;
    const games = new GameList(this.app.catalog, { caption: t('player.newest'), mine: player.id, kinds: true });
    fill(
      this.node,
      el(
        'div',
        { class: 'room-head' },
        el('h1', { tabindex: -1 }, personName(player.name)),
        el(
          'small',
          { class: 'muted' },
          player.kind === 'bot' ? t('player.kind.bot') : t('player.since', { when: whenWords(player.since_ms) }),
        ),
      ),
      player.bot && this.botPart(),
      player.ratings.length > 0 &&
        el(
          'section',
          { class: 'panel stack', 'aria-labelledby': 'ratings-title' },
          el('h2', { id: 'ratings-title' }, t('player.ratings')),
          player.ratings.map((one) => this.ratingPart(one)),
        ),
      player.ladder.length > 0 && this.ladderPart(),
      player.times.length > 0 && this.timesPart(),
      el(
        'section',
        { class: 'panel stack', 'aria-labelledby': 'games-title' },
        el('h2', { id: 'games-title' }, t('player.games')),
        games.node,
      ),
    );
    void games.show({ player: player.id });
    this.app.setTitle(player.name);
    this.app.settle(/** @type {HTMLElement} */ (this.node.querySelector('h1')));
  }

  botPart() {
    const bot = /** @type {import('../types/page.js').FamilyAnswer} */ (this.player.bot);
    const sentences = [
      t(bot.current ? 'player.version' : 'player.version.old', { version: bot.version }),
      bot.versions > 1 && t('player.versions', { count: bot.versions }),
      bot.source !== 'ours' && t('player.source', { source: bot.source }),
    ];
    const known = { ...bot, family: bot.family ?? this.player.name.split(':')[0] };
    return el(
      'section',
      { class: 'panel stack', 'aria-label': t('player.bot') },
      el('p', null, el('strong', null, botTitle(known)), ` ${botCharacter(known)}`),
      el('p', { class: 'muted' }, sentences.filter(Boolean).join(' ')),
    );
  }

  /** @param {import('../types/page.js').RatingAnswer} one */
  ratingPart(one) {
    const name = this.app.catalog.name(one.game);
    const spread = Math.round(2 * one.deviation);
    const points = one.history.map((p) => ({
      value: p.rating,
      low: p.rating - 2 * p.deviation,
      high: p.rating + 2 * p.deviation,
    }));
    return el(
      'figure',
      { class: 'rating' },
      el(
        'figcaption',
        null,
        pieces('player.rating', {
          game: el('strong', null, name),
          rating: plain(Math.round(one.rating)),
          spread: plain(spread),
        }),
        el('small', { class: 'muted' }, ` ${t('player.rating.games', { count: one.games })}`),
      ),
      points.length > 1 && lineChart(points, chartWords(name, points), t('player.chart.below')),
    );
  }

  ladderPart() {
    const rows = this.player.ladder.map((entry) =>
      el(
        'tr',
        null,
        el(
          'th',
          { scope: 'row' },
          el(
            'a',
            { href: `/ladder?run=${encodeURIComponent(entry.run)}` },
            t('player.list', {
              game: this.app.catalog.name(entry.game),
              limit: limitWords(this.limits?.get(entry.run) ?? null),
            }),
          ),
          el('small', { class: 'muted' }, ` ${entry.ladder}`),
        ),
        el(
          'td',
          { class: 'num' },
          t('player.place', { place: entry.place, of: entry.of }),
          entry.retired && el('small', { class: 'bad' }, ` ${t('player.retired')}`),
        ),
        el('td', { class: 'num' }, el('strong', null, eloWords(entry.rating))),
        el('td', { class: 'num' }, t('figures.range', { low: eloWords(entry.low), high: eloWords(entry.high) })),
        el('td', { class: 'num' }, entry.games ? percentWords(entry.points / entry.games) : ''),
        el('td', { class: 'num' }, number(entry.games)),
      ),
    );
    return el(
      'section',
      { class: 'panel', 'aria-labelledby': 'ladder-title' },
      el('h2', { id: 'ladder-title' }, t('player.ladders')),
      across(t('player.ladders'), table(t('player.ladders.caption'), LADDER_HEADS, rows)),
    );
  }

  timesPart() {
    const rows = this.player.times.map((one) =>
      el(
        'tr',
        null,
        el('th', { scope: 'row' }, this.app.catalog.name(one.game)),
        el('td', { class: 'num' }, timeWords(one.median_ms)),
        el('td', { class: 'num' }, timeWords(one.p90_ms)),
        el('td', { class: 'num' }, number(one.games)),
        el('td', { class: 'num' }, number(one.moves)),
      ),
    );
    const games = this.player.times.reduce((sum, one) => sum + one.games, 0);
    return el(
      'section',
      { class: 'panel', 'aria-labelledby': 'times-title' },
      el('h2', { id: 'times-title' }, t('player.times')),
      across(t('player.times'), table(timesCaption(games), TIME_HEADS, rows)),
    );
  }
}

/**
 * @param {string} caption @param {string[]} heads by name; the first is of the row's head
 * @param {HTMLTableRowElement[]} rows
 */
function table(caption, heads, rows) {
  return el(
    'table',
    { class: 'data' },
    el('caption', null, caption),
    el(
      'thead',
      null,
      el(
        'tr',
        null,
        heads.map((name, i) => el('th', { scope: 'col', class: i ? 'num' : null }, t(`player.head.${name}`))),
      ),
    ),
    el('tbody', null, rows),
  );
}

/** Time use is counted over the newest games only: which those are. Pure. @param {number} games */
export function timesCaption(games) {
  return t('player.times.caption', { count: games });
}

/**
 * What a chart of ratings shows, for those who do not see it. Pure.
 * @param {string} game @param {{value: number}[]} points
 */
export function chartWords(game, points) {
  const values = points.map((point) => Math.round(point.value));
  const [first, last, lowest, highest] = [
    values[0],
    values[values.length - 1],
    Math.min(...values),
    Math.max(...values),
  ].map(plain);
  return t('player.chart', { game, count: values.length, first, last, lowest, highest });
}
