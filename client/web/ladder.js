// @ts-check
// The ladder: bots of a list by strength, how sure that is, who beat whom, the games behind it, and one being played.

import { Board } from './board.js';
import { getJson } from './catalog.js';
import { el, fill, playerLink, setAttribute, setText } from './dom.js';
import { eloWords, intervalBar, limitWords, percentWords, pointsWords, resultBar, shareAt, sureWords, whenWords } from './figures.js';
import { GameList } from './gamelist.js';
import { marksAfter, smallBoards } from './position.js';
import { marks } from './settings.js';
import { plural } from './words.js';

const WATCH_MS = 1000;
const REFRESH_MS = 10_000;
const SURE = 0.95;
/** The server tells so many openings of a list at most. */
const OPENINGS_TOLD = 1000;
/** So large a share of the games may be missing in the ratings before it is told. */
const OLD = 0.1;

export class LadderView {
  /** @param {import('./main.js').App} app @param {URLSearchParams} query run, a, b, opening */
  constructor(app, query) {
    this.app = app;
    this.title = 'Ladder';
    this.query = query;
    this.mounted = true;
    /** @type {any[]} */
    this.lists = [];
    /** The list that is shown. @type {any} */
    this.list = null;
    this.shown = new Map();
    this.timers = { watch: 0, refresh: 0 };
    this.turn = 0;
    /** @type {Board|null} */
    this.board = null;
    this.boardOf = '';
    this.node = el('div', { class: 'records' }, el('h1', { tabindex: -1 }, 'Ladder'), el('p', { class: 'muted' }, 'Looking …'));
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
    try {
      await this.app.catalog.games().catch(() => {}); // names of games only
      this.lists = (await getJson('/api/ladder')).lists;
      const wanted = this.query.get('run');
      const run = wanted ?? firstList(this.lists)?.run;
      if (run) this.list = await getJson(`/api/ladder?run=${encodeURIComponent(run)}`);
    } catch (error) {
      if (this.mounted) this.app.missing(null, /** @type {Error} */ (error).message);
      return;
    }
    if (!this.mounted) return;
    if (this.list) this.build();
    else {
      this.timers.refresh = window.setTimeout(() => void this.load(), REFRESH_MS); // one may begin
      if (this.shown.has('empty')) return;
      this.shown.set('empty', '');
      fill(this.node, el('h1', { tabindex: -1 }, 'Ladder'), howToStart());
    }
    this.app.settle(/** @type {HTMLElement} */ (this.node.querySelector('h1')));
  }

  build() {
    this.about = el('p', { class: 'muted' });
    this.sure = el('p', { class: 'lead' });
    this.live = el('section', { class: 'panel live', 'aria-labelledby': 'live-title' });
    this.standings = el('section', { class: 'panel', 'aria-labelledby': 'standings-title' });
    this.first = el('section', { class: 'panel', 'aria-labelledby': 'first-title' });
    this.crosstable = el('section', { class: 'panel', 'aria-labelledby': 'crosstable-title' });
    this.games = new GameList(this.app.catalog, { caption: 'Games of this list, the newest first' });
    fill(
      this.node,
      el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, 'Ladder'), this.about),
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
    for (const list of this.lists) if (!newest.has(`${list.ladder}/${list.list}`)) newest.set(`${list.ladder}/${list.list}`, list.run);
    const option = (/** @type {any} */ list) => {
      const old = newest.get(`${list.ladder}/${list.list}`) !== list.run;
      const label = `${this.app.catalog.name(list.game)}, ${limitWords(list.limit)}${old ? `, begun ${whenWords(list.created_ms)}` : ''}`;
      return el('option', { value: list.run, selected: list.run === this.list.run }, label);
    };
    const select = el(
      'select',
      { onchange: () => this.app.navigate(`/ladder?run=${encodeURIComponent(select.value)}`) },
      ladders.map((ladder) => {
        const lists = this.lists.filter((list) => list.ladder === ladder).sort((a, b) => a.game.localeCompare(b.game));
        return el('optgroup', { label: ladder }, lists.map(option));
      }),
    );
    return el('label', { class: 'field' }, el('span', null, 'List: bots of one game under one limit'), select);
  }

  // What is known of it

  /** Builds again what has changed. */
  update() {
    const { list } = this;
    const games = plural('game', list.games).replace(/^\d+/, list.games.toLocaleString('en'));
    setText(this.about, `${list.ladder} · ${games}${list.rated_ms ? ` · rated ${whenWords(list.rated_ms)}` : ''}${list.running ? ' · running' : ''}`);
    const old = list.rated_ms && list.unrated > OLD * list.games;
    setText(this.sure, `${howSure(list)}${old ? ` These ratings are of ${whenWords(list.rated_ms)}: ${plural('game', list.unrated)} that ended since count in the points, not yet in the ratings.` : ''}`);
    this.section('standings', this.standings, [list.standings, list.drawing], () => this.standingsParts());
    this.section('first', this.first, [list.x_won, list.drawn, list.o_won, list.advantage, list.drawing, list.openings.length], () => this.firstParts());
    this.section('crosstable', this.crosstable, [list.crosstable, list.standings.length], () => this.crosstableParts());
    this.app.setTitle(`Ladder: ${this.app.catalog.name(list.game)}`);
  }

  /** Builds a section anew only when it has changed, and keeps the focus. @param {string} name @param {HTMLElement} section @param {any} data @param {() => any} build */
  section(name, section, data, build) {
    const key = JSON.stringify(data);
    if (this.shown.get(name) === key) return;
    this.shown.set(name, key);
    const active = /** @type {HTMLElement|null} */ (section.contains(document.activeElement) ? document.activeElement : null);
    fill(section, build());
    if (active?.dataset.key) /** @type {HTMLElement|null} */ (section.querySelector(`[data-key="${CSS.escape(active.dataset.key)}"]`))?.focus();
  }

  standingsParts() {
    const { standings, drawing } = this.list;
    const heading = el('h2', { id: 'standings-title' }, 'Standings');
    if (!standings.length) return [heading, el('p', { class: 'empty' }, 'No pair of games is finished yet.')];
    const rated = standings.filter((/** @type {any} */ one) => one.rating !== null);
    const scale = { low: Math.min(0, ...rated.map((/** @type {any} */ one) => one.low)), high: Math.max(0, ...rated.map((/** @type {any} */ one) => one.high)) };
    const faults = standings.some((/** @type {any} */ one) => one.faults > 0);
    const retired = standings.filter((/** @type {any} */ one) => one.retired);
    return [
      heading,
      across(
        'Standings',
        el(
          'table',
          { class: 'data standings' },
          el('caption', { class: 'spoken-only' }, 'The bots of this list, the strongest first'),
          el(
            'thead',
            null,
            el(
              'tr',
              null,
              head('', 'num', 'Place'),
              head('Bot'),
              rated.length > 0 && head('Rating', 'num'),
              rated.length > 0 && head('95 % interval', 'interval-head'),
              head('Points', 'num'),
              head('Games', 'num'),
              head('Won · drawn · lost', 'num'),
              faults && head('Faults', 'num'),
              rated.length > 0 && head('Above the next?'),
            ),
          ),
          el('tbody', null, standings.map((/** @type {any} */ one, /** @type {number} */ i) => this.standingRow(one, i, scale, faults, rated.length > 0))),
        ),
      ),
      retired.length > 0 &&
        el('p', { class: 'bad' }, `Retired, since more than a tenth of their games were forfeited: ${retired.map(botName).join(', ')}.`),
      faults && el('p', { class: 'muted' }, 'Faults are games forfeited by a crash, a stall, an illegal move or the clock.'),
      rated.length > 0 &&
        el(
          'p',
          { class: 'muted' },
          `Ratings are in Elo around a mean of 0${drawing === null ? '' : `: 100 more mean about ${percentWords(shareAt(100, drawing))} of the points with as many draws as in this list`}. `,
          'The true rating lies within the bar with 95 % certainty. ',
          '“Above the next” says how likely it is that a bot is really stronger than the next one below: at 50 % nothing is known, from 95 % on one may believe it.',
        ),
      rated.length === 0 && el('p', { class: 'muted' }, 'The ratings have not been computed yet: the order is by points.'),
    ];
  }

  /** @param {any} one @param {number} place @param {{low: number, high: number}} scale @param {boolean} faults @param {boolean} rated */
  standingRow(one, place, scale, faults, rated) {
    const next = one.superiority === null ? '' : `${percentWords(one.superiority)}, ${sureWords(one.superiority)}`;
    const interval = one.rating === null ? '' : `${eloWords(one.low)} to ${eloWords(one.high)}`;
    return el(
      'tr',
      { class: one.retired ? 'retired' : null },
      el('td', { class: 'num rank' }, one.place ?? place + 1),
      el(
        'th',
        { scope: 'row' },
        playerLink({ id: one.player, name: one.bot }, `bot ${one.player}`),
        one.versions > 1 && el('small', { class: 'muted' }, ` version ${one.version}`),
        one.retired && el('small', { class: 'bad' }, ' retired'),
      ),
      rated && el('td', { class: 'num' }, one.rating === null ? '' : el('strong', null, eloWords(one.rating))),
      rated && el('td', null, one.rating !== null && [intervalBar(one, scale), el('small', { class: 'muted interval-text' }, interval)]),
      el('td', { class: 'num' }, one.games ? percentWords(one.points / one.games) : ''),
      el('td', { class: 'num' }, one.games.toLocaleString('en')),
      el('td', { class: 'num' }, [one.won, one.drawn, one.lost].map((count) => count.toLocaleString('en')).join(' · ')),
      faults && el('td', { class: one.faults ? 'num bad' : 'num' }, one.faults),
      rated && el('td', { class: 'next' }, next),
    );
  }

  firstParts() {
    const { x_won: x, drawn, o_won: o, advantage, drawing, openings } = this.list;
    const all = x + drawn + o;
    const heading = el('h2', { id: 'first-title' }, 'Moving first');
    if (!all) return [heading, el('p', { class: 'empty' }, 'No pair of games is finished yet.')];
    const { share, low, high } = shareOfX(x, drawn, o);
    const worth = advantage === null || drawing === null ? '' : ` Between equals moving first is worth ${eloWords(advantage)} Elo: ${percentWords(shareAt(advantage, drawing))} of the points.`;
    const sure = `${percentWords(share)} of the points; with 95 % certainty it is ${percentWords(low)} to ${percentWords(high)}.`;
    return [
      heading,
      resultBar(x, drawn, o),
      el('p', null, `X, who moves first, won ${percentWords(x / all)}, O won ${percentWords(o / all)}, ${percentWords(drawn / all)} were drawn.`),
      el('p', null, `X made ${sure}${worth}`),
      el('p', { class: 'muted' }, `${ofOpenings(openings.length)} Every opening is played twice with sides swapped, so this favours no bot.`),
    ];
  }

  crosstableParts() {
    const { crosstable, standings } = this.list;
    const heading = el('h2', { id: 'crosstable-title' }, 'Everybody against everybody');
    if (!standings.length) return [heading, el('p', { class: 'empty' }, 'No pair of games is finished yet.')];
    const rows = crosstable.cells.map((/** @type {any[]} */ cells, /** @type {number} */ row) =>
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
      el('caption', { class: 'spoken-only' }, 'What the bot of each row scored against the bot of each column'),
      el('thead', null, el('tr', null, head('Bot'), standings.map((/** @type {any} */ one, /** @type {number} */ i) => el('th', { scope: 'col', class: 'num' }, el('abbr', { title: botName(one) }, i + 1))))),
      el('tbody', null, rows),
    );
    const first = table.querySelector('a[data-cell]');
    if (first) first.tabIndex = 0;
    return [
      heading,
      el('p', { class: 'muted' }, 'Percent of the points that the row’s bot made against the column’s. A cell leads to the games of the two; the arrow keys walk from cell to cell.'),
      across('Crosstable', table),
    ];
  }

  /** @param {{points: number, games: number}|null} cell @param {number} row @param {number} column */
  crossCell(cell, row, column) {
    if (row === column) return el('td', { class: 'self' });
    if (!cell || !cell.games) return el('td', { class: 'num muted' }, '–');
    const [one, other] = [this.list.standings[row], this.list.standings[column]];
    const share = cell.points / cell.games;
    const label = `${botName(one)} made ${pointsWords(cell.points)} of ${plural('point', cell.games)} against ${botName(other)}: show the games`;
    const href = this.address({ a: one.player, b: other.player, opening: null });
    return el(
      'td',
      { class: 'num share', vars: { '--share': share } },
      el(
        'a',
        { href, tabindex: -1, 'data-cell': `${row} ${column}`, 'data-key': `${row} ${column}`, 'aria-label': label, title: label, onclick: (/** @type {MouseEvent} */ e) => this.chosen(e, one.player, other.player) },
        Math.round(100 * share),
      ),
    );
  }

  // The games

  gamesPanel() {
    const choice = (/** @type {string} */ label, /** @type {string} */ name, /** @type {any[]} */ options) =>
      el(
        'label',
        { class: 'field' },
        el('span', null, label),
        el('select', { name, onchange: () => this.chose() }, el('option', { value: '' }, 'any'), options.map(([value, text]) => el('option', { value }, text))),
      );
    const bots = this.list.standings.map((/** @type {any} */ one) => [one.player, botName(one)]);
    const openings = this.list.openings.map((/** @type {any} */ one) => [one.opening, `${one.opening || 'none'} (${plural('game', one.games)})`]);
    this.form = el('form', { class: 'field-row' }, choice('A bot', 'a', bots), choice('Against', 'b', bots), choice('Opening', 'opening', openings));
    for (const name of ['a', 'b', 'opening']) this.form.elements.namedItem(name).value = this.query.get(name) ?? '';
    this.gamesTitle = el('h2', { id: 'games-title', tabindex: -1 }, 'Games');
    return el('section', { class: 'panel', id: 'games', 'aria-labelledby': 'games-title' }, this.gamesTitle, this.form, this.games?.node);
  }

  /** @param {{a: string|null, b: string|null, opening: string|null}} filters */
  address({ a, b, opening }) {
    const query = new URLSearchParams({ run: this.list.run });
    for (const [name, value] of Object.entries({ a, b, opening })) if (value) query.set(name, value);
    return `/ladder?${query}`;
  }

  /** A cell of the crosstable leads to the games below, on this page. @param {MouseEvent} event @param {string} a @param {string} b */
  chosen(event, a, b) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    for (const [name, value] of Object.entries({ a, b, opening: '' })) this.form.elements.namedItem(name).value = value;
    this.chose();
    this.gamesTitle.focus({ preventScroll: true });
    this.gamesTitle.scrollIntoView({ block: 'start' });
  }

  chose() {
    const value = (/** @type {string} */ name) => this.form.elements.namedItem(name).value || null;
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
    this.liveText = el('p', { class: 'empty' }, 'Looking …');
    this.liveBoard = el('div', { class: 'board-area' });
    fill(this.live, el('h2', { id: 'live-title' }, 'Being played now'), this.liveText, this.liveBoard);
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
      const [all, list] = await Promise.all([getJson('/api/ladder'), getJson(`/api/ladder?run=${encodeURIComponent(this.list.run)}`)]);
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
    let game = null;
    try {
      game = (await getJson(`/api/ladder/live?ladder=${encodeURIComponent(this.list.ladder)}`)).live;
      if (game) await this.app.catalog.rules(game.game);
    } catch {
      game = null; // the server is away: the next refresh tells
    }
    if (!this.mounted || turn !== this.turn) return;
    this.showLive(game);
    if (game && document.visibilityState !== 'hidden') this.timers.watch = window.setTimeout(() => void this.watch(), WATCH_MS);
  }

  /** @param {any} game */
  showLive(game) {
    this.live.classList.toggle('idle', !game);
    if (!game) {
      const { ladder } = this.list;
      setText(
        this.liveText,
        this.playing()
          ? `The ladder ${ladder} is playing, but no game that lasts long enough to be watched. The next one appears here.`
          : `The ladder ${ladder} is not playing at the moment. A game of it appears here while it runs.`,
      );
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
        `${this.app.catalog.name(game.game)}: `,
        el('span', { class: 'mark-x' }, marks().x),
        ' ',
        playerLink(game.x),
        ' – ',
        el('span', { class: 'mark-o' }, marks().o),
        ' ',
        playerLink(game.o),
        el('span', { class: 'live-moves' }),
      );
      this.board = new Board(rules, { onplay: () => {} });
      fill(this.liveBoard, this.board.node);
    }
    setText(/** @type {Element} */ (this.liveText.querySelector('.live-moves')), `, ${plural('move', moves.length)}`);
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

/** The list to show where none is asked for: of those being played, else of the newest ladder, the one with most games. @param {any[]} lists */
export function firstList(lists) {
  const running = lists.filter((list) => list.running);
  const among = running.length ? running : lists.filter((list) => list.ladder === lists[0]?.ladder);
  return among.reduce((best, list) => (list.games > (best?.games ?? -1) ? list : best), null);
}

/** X's share of the points with its 95 % interval. Pure. @param {number} x @param {number} drawn @param {number} o */
export function shareOfX(x, drawn, o) {
  const all = x + drawn + o;
  const share = (x + drawn / 2) / all;
  const variance = (x * (1 - share) ** 2 + drawn * (0.5 - share) ** 2 + o * share ** 2) / all;
  const spread = 1.96 * Math.sqrt(variance / all);
  return { share, low: Math.max(0, share - spread), high: Math.min(1, share + spread) };
}

/** Games of one opening are alike, so that few openings say little of others. Pure. @param {number} openings different ones */
export function ofOpenings(openings) {
  const number = openings >= OPENINGS_TOLD ? `${openings.toLocaleString('en')} or more` : String(openings);
  if (openings > 1) return `This holds for the ${number} different openings that were played: others may favour X more or less.`;
  return openings ? 'This holds for the one opening that was played: others may favour X more or less.' : '';
}

/** How sure the order is, in a sentence or two. Pure. @param {any} list */
export function howSure(list) {
  const rated = list.standings.filter((/** @type {any} */ one) => one.rating !== null);
  if (rated.length < 2) return '';
  const [first, second] = rated;
  const leads =
    first.superiority >= SURE
      ? `${botName(first)} leads, and the chance that it is really ahead of ${botName(second)} is ${percentWords(first.superiority)}.`
      : `${botName(first)} leads, but ${botName(second)} may be as strong: the chance that the first is really ahead is ${percentWords(first.superiority)}.`;
  const steps = rated.length - 1;
  const told = rated.filter((/** @type {any} */ one) => one.superiority !== null && one.superiority >= SURE).length;
  if (steps === 1) return leads;
  const rest = told === steps ? 'Every step down the list is told with 95 % certainty.' : `Of ${steps} steps down the list ${told || 'none'} ${told > 1 ? 'are' : 'is'} told with 95 % certainty; more games tell more.`;
  return `${leads} ${rest}`;
}

/** With its version where there are several. @param {any} one a standing */
function botName(one) {
  return one.versions > 1 ? `${one.bot} (version ${one.version})` : one.bot;
}

/** @param {string} text @param {string} [name] @param {string} [spoken] */
function head(text, name, spoken) {
  return el('th', { scope: 'col', class: name ?? null }, spoken ? el('span', { class: 'spoken-only' }, spoken) : text);
}

/** A table that may be wider than the screen: it scrolls in a frame of its own, then by keyboard too.
 * @param {string} label @param {HTMLElement} table */
export function across(label, table) {
  const frame = el('div', { class: 'across' }, table);
  new ResizeObserver(() => {
    const wide = frame.scrollWidth > frame.clientWidth;
    setAttribute(frame, 'role', wide ? 'region' : null);
    setAttribute(frame, 'aria-label', wide ? `${label}, scrolls sideways` : null);
    setAttribute(frame, 'tabindex', wide ? '0' : null);
  }).observe(frame);
  return frame;
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
    el('p', null, 'No ladder has been played here yet. On a ladder, bots play each other for hours, every opening twice with sides swapped, and this page shows who is best and how sure that is.'),
    el('p', null, 'To start one, in a terminal on this server’s machine, with this server’s records:'),
    el('pre', null, el('code', null, 'noughts ladder run ladders/overnight.toml')),
    el('p', null, 'Where the server keeps its records elsewhere than in ', el('code', null, 'noughts.db'), ', name them with ', el('code', null, '--db'), '. Or let the server play it behind people’s games:'),
    el('pre', null, el('code', null, 'noughts serve --ladder ladders/overnight.toml')),
    el('p', { class: 'muted' }, 'The standings appear here soon after the first games, while it runs.'),
  );
}
