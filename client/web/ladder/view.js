// @ts-check
// The ladder: bots of a list by strength, how sure that is, who beat whom, the games behind it, and one being played.

import { Board } from '../board/board.js';
import { marksAfter, smallBoards } from '../board/position.js';
import { list as listed, number, pieces, t } from '../i18n/language.js';
import { getJson } from '../net/catalog.js';
import { GameList } from '../record/gameList.js';
import { across } from '../ui/across.js';
import { el, fill, playerLink, setText } from '../ui/dom.js';
import {
  eloWords,
  intervalBar,
  limitWords,
  percentWords,
  pointsWords,
  resultBar,
  shareAt,
  sureWords,
  whenWords,
} from '../ui/figures.js';
import { Parts } from '../ui/parts.js';
import { marks } from '../ui/settings.js';

/** @typedef {import('../types/page.js').ListAnswer} List */
/** @typedef {import('../types/page.js').StandingAnswer} Standing */

const WATCH_MS = 1000;
const REFRESH_MS = 10_000;
const SURE = 0.95;
/** The server tells so many openings of a list at most. */
const OPENINGS_TOLD = 1000;
/** So large a share of the games may be missing in the ratings before it is told. */
const OLD = 0.1;

export class LadderView {
  /** @param {import('../main.js').App} app @param {URLSearchParams} query run, a, b, opening */
  constructor(app, query) {
    this.app = app;
    this.title = t('ladder.title');
    this.query = query;
    this.mounted = true;
    /** @type {List[]} */
    this.lists = [];
    this.parts = new Parts();
    /** Whether it was told that there is no ladder. */
    this.empty = false;
    this.timers = { watch: 0, refresh: 0 };
    this.turn = 0;
    /** @type {Board|null} */
    this.board = null;
    this.boardOf = '';
    this.node = el(
      'div',
      { class: 'records' },
      el('h1', { tabindex: -1 }, t('ladder.title')),
      el('p', { class: 'muted' }, t('ladder.looking')),
    );
    this.onVisible = () => this.tick();
    document.addEventListener('visibilitychange', this.onVisible);
    void this.load();
  }

  unmount() {
    this.mounted = false;
    document.removeEventListener('visibilitychange', this.onVisible);
    clearTimeout(this.timers.watch);
    clearTimeout(this.timers.refresh);
  }

  async load() {
    let run;
    try {
      await this.app.catalog.games().catch(() => {}); // names of games only
      this.lists = (await getJson('/api/ladder')).lists;
      const wanted = this.query.get('run');
      run = wanted ?? firstList(this.lists)?.run;
      if (run) {
        /** The list that is shown. @type {import('../types/page.js').ListPageAnswer} */
        this.list = await getJson(`/api/ladder?run=${encodeURIComponent(run)}`);
      }
    } catch (error) {
      if (this.mounted) this.app.missing(null, /** @type {Error} */ (error).message);
      return;
    }
    if (!this.mounted) return;
    if (run) this.build();
    else {
      this.timers.refresh = window.setTimeout(() => void this.load(), REFRESH_MS); // one may begin
      if (this.empty) return;
      this.empty = true;
      fill(this.node, el('h1', { tabindex: -1 }, t('ladder.title')), howToStart());
    }
    this.app.settle(/** @type {HTMLElement} */ (this.node.querySelector('h1')));
  }

  build() {
    /** @type {HTMLElement} */
    this.about = el('p', { class: 'muted' });
    /** @type {HTMLElement} */
    this.sure = el('p', { class: 'lead' });
    /** @type {HTMLElement} */
    this.live = el('section', { class: 'panel live', 'aria-labelledby': 'live-title' });
    /** @type {HTMLElement} */
    this.standings = el('section', { class: 'panel', 'aria-labelledby': 'standings-title' });
    /** @type {HTMLElement} */
    this.first = el('section', { class: 'panel', 'aria-labelledby': 'first-title' });
    /** @type {HTMLElement} */
    this.crosstable = el('section', { class: 'panel', 'aria-labelledby': 'crosstable-title' });
    this.games = new GameList(this.app.catalog, { caption: t('ladder.games.caption') });
    fill(
      this.node,
      el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, t('ladder.title')), this.about),
      this.chooser(),
      this.sure,
      el('div', { class: 'beside' }, this.standings, el('div', { class: 'stack' }, this.live, this.first)),
      this.crosstable,
      this.gamesPanel(),
    );
    this.buildLive();
    this.update();
    this.filter();
    this.tick();
  }

  // Which list

  chooser() {
    const ladders = [...new Set(this.lists.map((list) => list.ladder))];
    const newest = new Map();
    for (const list of this.lists)
      if (!newest.has(`${list.ladder}/${list.list}`)) newest.set(`${list.ladder}/${list.list}`, list.run);
    const option = (/** @type {List} */ list) => {
      const old = newest.get(`${list.ladder}/${list.list}`) !== list.run;
      const values = {
        game: this.app.catalog.name(list.game),
        limit: limitWords(list.limit),
        when: whenWords(list.created_ms),
      };
      const label = t(old ? 'ladder.list.old' : 'ladder.list', values);
      return el('option', { value: list.run, selected: list.run === this.list.run }, label);
    };
    const select = el(
      'select',
      { onchange: () => void this.app.navigate(`/ladder?run=${encodeURIComponent(select.value)}`) },
      ladders.map((ladder) => {
        const lists = this.lists.filter((list) => list.ladder === ladder).sort((a, b) => a.game.localeCompare(b.game));
        return el('optgroup', { label: ladder }, lists.map(option));
      }),
    );
    return el('label', { class: 'field' }, el('span', null, t('ladder.chooser')), select);
  }

  // What is known of it

  /** Builds again what has changed. */
  update() {
    const { list } = this;
    const about = [
      list.ladder,
      t('ladder.games', { count: list.games }),
      list.rated_ms && t('ladder.rated', { when: whenWords(list.rated_ms) }),
      list.running && t('ladder.running'),
    ];
    setText(this.about, about.filter(Boolean).join(' · '));
    const { rated_ms } = list;
    const old = rated_ms !== null && list.unrated > OLD * list.games;
    setText(
      this.sure,
      [howSure(list), old && t('ladder.unrated', { when: whenWords(rated_ms), count: list.unrated })]
        .filter(Boolean)
        .join(' '),
    );
    this.parts.update(this.standings, [list.standings, list.drawing], () => this.standingsParts());
    this.parts.update(
      this.first,
      [list.x_won, list.drawn, list.o_won, list.advantage, list.drawing, list.openings.length],
      () => this.firstParts(),
    );
    this.parts.update(this.crosstable, [list.crosstable, list.standings.length], () => this.crosstableParts());
    this.app.setTitle(t('ladder.of', { game: this.app.catalog.name(list.game) }));
  }

  standingsParts() {
    const { standings, drawing } = this.list;
    const heading = el('h2', { id: 'standings-title' }, t('ladder.standings'));
    if (!standings.length) return [heading, nothingYet()];
    const rated = standings.filter(isRated);
    const scale = {
      low: Math.min(0, ...rated.map((one) => one.low)),
      high: Math.max(0, ...rated.map((one) => one.high)),
    };
    const faults = standings.some((one) => one.faults > 0);
    const retired = standings.filter((one) => one.retired);
    return [
      heading,
      across(
        t('ladder.standings'),
        el(
          'table',
          { class: 'data standings' },
          el('caption', { class: 'spoken-only' }, t('ladder.standings.caption')),
          el(
            'thead',
            null,
            el(
              'tr',
              null,
              head('', 'num', t('ladder.head.place')),
              head(t('ladder.head.bot')),
              rated.length > 0 && head(t('ladder.head.rating'), 'num'),
              rated.length > 0 && head(t('ladder.head.interval'), 'interval-head'),
              head(t('ladder.head.points'), 'num'),
              head(t('ladder.head.games'), 'num'),
              head(t('ladder.head.results'), 'num'),
              faults && head(t('ladder.head.faults'), 'num'),
              rated.length > 0 && head(t('ladder.head.next')),
            ),
          ),
          el(
            'tbody',
            null,
            standings.map((one, i) => this.standingRow(one, i, scale, faults, rated.length > 0)),
          ),
        ),
      ),
      retired.length > 0 && el('p', { class: 'bad' }, t('ladder.retired.why', { bots: listed(retired.map(botName)) })),
      faults && el('p', { class: 'muted' }, t('ladder.faults')),
      rated.length > 0 &&
        el(
          'p',
          { class: 'muted' },
          drawing === null ? t('ladder.elo') : t('ladder.elo.share', { share: percentWords(shareAt(100, drawing)) }),
          ' ',
          t('ladder.elo.meaning'),
        ),
      rated.length === 0 && el('p', { class: 'muted' }, t('ladder.no-ratings')),
    ];
  }

  /**
   * @param {Standing} one @param {number} place @param {{low: number, high: number}} scale @param {boolean} faults
   * @param {boolean} rated
   */
  standingRow(one, place, scale, faults, rated) {
    const next =
      one.superiority === null
        ? ''
        : t('ladder.next', { chance: percentWords(one.superiority), sure: sureWords(one.superiority) });
    const interval = isRated(one) && t('figures.range', { low: eloWords(one.low), high: eloWords(one.high) });
    return el(
      'tr',
      { class: one.retired ? 'retired' : null },
      el('td', { class: 'num rank' }, one.place ?? place + 1),
      el(
        'th',
        { scope: 'row' },
        playerLink({ id: one.player, name: one.bot }, `bot ${one.player}`),
        one.versions > 1 && el('small', { class: 'muted' }, ` ${t('ladder.version', { version: one.version })}`),
        one.retired && el('small', { class: 'bad' }, ` ${t('ladder.retired')}`),
      ),
      rated && el('td', { class: 'num' }, one.rating === null ? '' : el('strong', null, eloWords(one.rating))),
      rated &&
        el(
          'td',
          null,
          isRated(one) && [intervalBar(one, scale), el('small', { class: 'muted interval-text' }, interval)],
        ),
      el('td', { class: 'num' }, one.games ? percentWords(one.points / one.games) : ''),
      el('td', { class: 'num' }, number(one.games)),
      el('td', { class: 'num' }, [one.won, one.drawn, one.lost].map((count) => number(count)).join(' · ')),
      faults && el('td', { class: one.faults ? 'num bad' : 'num' }, one.faults),
      rated && el('td', { class: 'next' }, next),
    );
  }

  firstParts() {
    const { x_won: x, drawn, o_won: o, advantage, drawing, openings } = this.list;
    const all = x + drawn + o;
    const heading = el('h2', { id: 'first-title' }, t('ladder.first'));
    if (!all) return [heading, nothingYet()];
    const { share, low, high } = shareOfX(x, drawn, o);
    const worth =
      advantage !== null &&
      drawing !== null &&
      t('ladder.first.worth', { elo: eloWords(advantage), share: percentWords(shareAt(advantage, drawing)) });
    const made = t('ladder.first.points', {
      share: percentWords(share),
      low: percentWords(low),
      high: percentWords(high),
    });
    return [
      heading,
      resultBar(x, drawn, o),
      el(
        'p',
        null,
        t('ladder.first.results', {
          x: percentWords(x / all),
          o: percentWords(o / all),
          drawn: percentWords(drawn / all),
        }),
      ),
      el('p', null, [made, worth].filter(Boolean).join(' ')),
      el('p', { class: 'muted' }, [ofOpenings(openings.length), t('ladder.first.fair')].filter(Boolean).join(' ')),
    ];
  }

  crosstableParts() {
    const { crosstable, standings } = this.list;
    const heading = el('h2', { id: 'crosstable-title' }, t('ladder.cross'));
    if (!standings.length) return [heading, nothingYet()];
    const rows = crosstable.cells.map((cells, row) =>
      el(
        'tr',
        null,
        el('th', { scope: 'row' }, el('span', { class: 'muted rank' }, row + 1), ' ', botName(standings[row])),
        cells.map((cell, column) => this.crossCell(cell, row, column)),
      ),
    );
    const table = el(
      'table',
      { class: 'data cross', onkeydown: (/** @type {KeyboardEvent} */ e) => walkCells(e) },
      el('caption', { class: 'spoken-only' }, t('ladder.cross.caption')),
      el(
        'thead',
        null,
        el(
          'tr',
          null,
          head(t('ladder.head.bot')),
          standings.map((one, i) =>
            el('th', { scope: 'col', class: 'num' }, el('abbr', { title: botName(one) }, i + 1)),
          ),
        ),
      ),
      el('tbody', null, rows),
    );
    const first = /** @type {HTMLElement|null} */ (table.querySelector('a[data-cell]'));
    if (first) first.tabIndex = 0;
    return [heading, el('p', { class: 'muted' }, t('ladder.cross.meaning')), across(t('ladder.cross.label'), table)];
  }

  /** @param {{points: number, games: number}|null} cell @param {number} row @param {number} column */
  crossCell(cell, row, column) {
    if (row === column) return el('td', { class: 'self' });
    if (!cell?.games) return el('td', { class: 'num muted' }, '–');
    const [one, other] = [this.list.standings[row], this.list.standings[column]];
    const share = cell.points / cell.games;
    const label = t('ladder.cell', {
      bot: botName(one),
      points: pointsWords(cell.points),
      count: cell.games,
      other: botName(other),
    });
    const href = this.address({ a: one.player, b: other.player, opening: null });
    return el(
      'td',
      { class: 'num share', vars: { '--share': share } },
      el(
        'a',
        {
          href,
          tabindex: -1,
          'data-cell': `${row} ${column}`,
          'data-key': `${row} ${column}`,
          'aria-label': label,
          title: label,
          onclick: (/** @type {MouseEvent} */ e) => this.chosen(e, one.player, other.player),
        },
        Math.round(100 * share),
      ),
    );
  }

  // The games

  gamesPanel() {
    const choice = (
      /** @type {string} */ label,
      /** @type {string} */ name,
      /** @type {[string|number, string][]} */ options,
    ) =>
      el(
        'label',
        { class: 'field' },
        el('span', null, label),
        el(
          'select',
          { name, onchange: () => this.chose() },
          el('option', { value: '' }, t('ladder.any')),
          options.map(([value, text]) => el('option', { value }, text)),
        ),
      );
    /** @type {[string, string][]} */
    const bots = this.list.standings.map((one) => [one.player, botName(one)]);
    /** @type {[string, string][]} */
    const openings = this.list.openings.map((one) => [
      one.opening,
      t('ladder.opening', { opening: one.opening || t('ladder.opening.none'), count: one.games }),
    ]);
    /** @type {HTMLFormElement} */
    this.form = el(
      'form',
      { class: 'field-row' },
      choice(t('ladder.choice.a'), 'a', bots),
      choice(t('ladder.choice.b'), 'b', bots),
      choice(t('ladder.choice.opening'), 'opening', openings),
    );
    for (const name of ['a', 'b', 'opening']) this.field(name).value = this.query.get(name) ?? '';
    /** @type {HTMLElement} */
    this.gamesTitle = el('h2', { id: 'games-title', tabindex: -1 }, t('ladder.games.title'));
    return el(
      'section',
      { class: 'panel', id: 'games', 'aria-labelledby': 'games-title' },
      this.gamesTitle,
      this.form,
      this.games?.node,
    );
  }

  /** @param {string} name */
  field(name) {
    return /** @type {HTMLSelectElement} */ (this.form.elements.namedItem(name));
  }

  /** @param {{a: string|null, b: string|null, opening: string|null}} filters */
  address({ a, b, opening }) {
    const query = new URLSearchParams({ run: this.list.run });
    for (const [name, value] of Object.entries({ a, b, opening })) if (value) query.set(name, value);
    return `/ladder?${query}`;
  }

  /**
   * A cell of the crosstable leads to the games below, on this page.
   * @param {MouseEvent} event @param {string} a @param {string} b
   */
  chosen(event, a, b) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    for (const [name, value] of Object.entries({ a, b, opening: '' })) this.field(name).value = value;
    this.chose();
    this.gamesTitle.focus({ preventScroll: true });
    this.gamesTitle.scrollIntoView({ block: 'start' });
  }

  chose() {
    const value = (/** @type {string} */ name) => this.field(name).value || null;
    const filters = { a: value('a'), b: value('b'), opening: value('opening') };
    this.query = new URLSearchParams(Object.entries(filters).flatMap(([name, text]) => (text ? [[name, text]] : [])));
    history.replaceState(null, '', this.address(filters));
    this.filter();
  }

  filter() {
    const { query } = this;
    void this.games?.show({ run: this.list.run, a: query.get('a'), b: query.get('b'), opening: query.get('opening') });
  }

  // The game being played

  buildLive() {
    /** @type {HTMLElement} */
    this.liveText = el('p', { class: 'empty' }, t('ladder.looking'));
    /** @type {HTMLElement} */
    this.liveBoard = el('div', { class: 'board-area' });
    fill(this.live, el('h2', { id: 'live-title' }, t('ladder.live.title')), this.liveText, this.liveBoard);
    this.live.classList.add('idle');
  }

  /** Asks for what changes while a ladder runs; nothing while nobody looks. */
  tick() {
    clearTimeout(this.timers.watch);
    clearTimeout(this.timers.refresh);
    if (!this.mounted || !this.list || document.visibilityState === 'hidden') return;
    this.timers.refresh = window.setTimeout(() => void this.refresh(), REFRESH_MS);
    if (this.playing()) void this.watch();
    else {
      this.turn += 1;
      this.showLive(null);
    }
  }

  playing() {
    return this.lists.some((list) => list.ladder === this.list.ladder && list.running);
  }

  async refresh() {
    try {
      const [all, list] = await Promise.all([
        getJson('/api/ladder'),
        getJson(`/api/ladder?run=${encodeURIComponent(this.list.run)}`),
      ]);
      if (!this.mounted) return;
      this.lists = all.lists;
      this.list = list;
      this.update();
    } catch {
      // The server is away for a moment: what is shown stays, and the next round asks again.
    }
    this.tick();
  }

  async watch() {
    const turn = ++this.turn; // one round goes on, however many were begun
    /** @type {import('../types/page.js').LiveGame|null} */
    let game = null;
    try {
      game = (await getJson(`/api/ladder/live?ladder=${encodeURIComponent(this.list.ladder)}`)).live;
      if (game) await this.app.catalog.rules(game.game);
    } catch {
      game = null; // the server is away: the next refresh tells
    }
    if (!this.mounted || turn !== this.turn) return;
    this.showLive(game);
    if (game && document.visibilityState !== 'hidden')
      this.timers.watch = window.setTimeout(() => void this.watch(), WATCH_MS);
  }

  /** @param {import('../types/page.js').LiveGame|null} game */
  showLive(game) {
    this.live.classList.toggle('idle', !game);
    if (!game) {
      const { ladder } = this.list;
      setText(this.liveText, t(this.playing() ? 'ladder.live.short' : 'ladder.live.idle', { ladder }));
      fill(this.liveBoard);
      this.boardOf = '';
      return;
    }
    const rules = this.app.catalog.known.get(game.game);
    if (!rules) return;
    const moves = [...game.start, ...game.moves];
    const key = `${game.game} ${game.x.id} ${game.o.id} ${game.begun_ms}`;
    if (this.boardOf !== key) {
      this.boardOf = key;
      fill(
        this.liveText,
        pieces('ladder.live', {
          game: this.app.catalog.name(game.game),
          x_mark: el('span', { class: 'mark-x' }, marks().x),
          x: playerLink(game.x),
          o_mark: el('span', { class: 'mark-o' }, marks().o),
          o: playerLink(game.o),
          moves: el('span', { class: 'live-moves' }),
        }),
      );
      this.board = new Board(rules, { onplay: () => {} });
      fill(this.liveBoard, this.board.node);
    }
    setText(
      /** @type {Element} */ (this.liveText.querySelector('.live-moves')),
      t('ladder.live.moves', { count: moves.length }),
    );
    const small = rules.nested ? smallBoards(game.game, moves) : { owners: [], closed: [] };
    this.board?.update({
      marks: marksAfter(moves),
      names: marks(),
      playable: new Set(),
      mover: null,
      last: moves.at(-1) ?? null,
      line: new Set(),
      pending: null,
      forced: null,
      owners: game.game === 'nine-board' ? Array(9).fill(null) : small.owners,
      closed: small.closed,
      over: true,
    });
  }
}

/**
 * The list to show where none is asked for: of those being played, else of the newest ladder, the one with most games.
 * @param {List[]} lists @returns {List|null}
 */
export function firstList(lists) {
  const running = lists.filter((list) => list.running);
  const among = running.length ? running : lists.filter((list) => list.ladder === lists[0]?.ladder);
  return among.reduce(
    (best, list) => (list.games > (best?.games ?? -1) ? list : best),
    /** @type {List|null} */ (null),
  );
}

/** X's share of the points with its 95 % interval. Pure. @param {number} x @param {number} drawn @param {number} o */
export function shareOfX(x, drawn, o) {
  const all = x + drawn + o;
  const share = (x + drawn / 2) / all;
  const variance = (x * (1 - share) ** 2 + drawn * (0.5 - share) ** 2 + o * share ** 2) / all;
  const spread = 1.96 * Math.sqrt(variance / all);
  return { share, low: Math.max(0, share - spread), high: Math.min(1, share + spread) };
}

/**
 * Games of one opening are alike, so that few openings say little of others. Pure.
 * @param {number} openings different ones
 */
export function ofOpenings(openings) {
  if (!openings) return '';
  return t(openings >= OPENINGS_TOLD ? 'ladder.openings.most' : 'ladder.openings', { count: openings });
}

/**
 * How sure the order is, in a sentence or two. Pure.
 * @param {Pick<import('../types/page.js').ListPageAnswer, 'standings'>} list
 */
export function howSure(list) {
  const rated = list.standings.filter(isRated);
  if (rated.length < 2) return '';
  const [first, second] = rated;
  const chance = first.superiority ?? 0; // of the last alone nothing is told
  const values = { first: botName(first), second: botName(second), chance: percentWords(chance) };
  const leads = t(chance >= SURE ? 'ladder.leads' : 'ladder.leads.maybe', values);
  const steps = rated.length - 1;
  const told = rated.filter((one) => one.superiority !== null && one.superiority >= SURE).length;
  if (steps === 1) return leads;
  const rest =
    told === steps ? t('ladder.steps.all') : t(told ? 'ladder.steps' : 'ladder.steps.none', { steps, count: told });
  return `${leads} ${rest}`;
}

/** @param {Standing} one @returns {one is Standing & {rating: number, low: number, high: number}} */
function isRated(one) {
  return one.rating !== null;
}

/** With its version where there are several. @param {Standing} one */
function botName(one) {
  return one.versions > 1 ? t('ladder.bot.version', { bot: one.bot, version: one.version }) : one.bot;
}

function nothingYet() {
  return el('p', { class: 'empty' }, t('ladder.nothing'));
}

/** @param {string} text @param {string} [name] @param {string} [spoken] */
function head(text, name, spoken) {
  return el('th', { scope: 'col', class: name ?? null }, spoken ? el('span', { class: 'spoken-only' }, spoken) : text);
}

/** Arrow keys walk the cells of the crosstable, of which one is in the tab order. @param {KeyboardEvent} event */
function walkCells(event) {
  const from = /** @type {HTMLElement} */ (event.target).closest?.('a[data-cell]');
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!(from instanceof HTMLElement) || !step) return;
  const table = /** @type {HTMLTableElement} */ (event.currentTarget);
  let [row, column] = String(from.dataset.cell).split(' ').map(Number);
  event.preventDefault();
  const size = table.tBodies[0].rows.length;
  do {
    row += step[0];
    column += step[1];
    const to = table.querySelector(`a[data-cell="${row} ${column}"]`);
    if (to instanceof HTMLElement) {
      from.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
      return;
    }
  } while (row >= 0 && column >= 0 && row < size && column < size);
}

function howToStart() {
  return el(
    'div',
    { class: 'panel stack' },
    el('p', null, t('ladder.none')),
    el('p', null, t('ladder.none.start')),
    el('pre', null, el('code', null, 'noughts ladder run ladders/overnight.toml')),
    el(
      'p',
      null,
      pieces('ladder.none.records', { file: el('code', null, 'noughts.db'), option: el('code', null, '--db') }),
    ),
    el('pre', null, el('code', null, 'noughts serve --ladder ladders/overnight.toml')),
    el('p', { class: 'muted' }, t('ladder.none.soon')),
  );
}
