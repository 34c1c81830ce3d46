// @ts-check
// The statistics of all public games: pictures and tables that the server draws when they are asked for.

import { getJson } from './catalog.js';
import { button, el, fill, setText } from './dom.js';
import { whenWords } from './figures.js';
import { across } from './ladder.js';
import { plural } from './words.js';

const DRAWING_MS = 2000;
const REFRESH_MS = 90_000;

export class StatsView {
  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.app = app;
    this.title = 'Stats';
    this.mounted = true;
    this.timer = 0;
    this.key = '';
    this.game = '';
    /** Whether each part is unfolded, of those that somebody has turned. @type {Map<string, boolean>} */
    this.turned = new Map();
    this.about = el('p', { class: 'muted' });
    this.state = el('p', { class: 'drawing muted', role: 'status' });
    this.parts = el('div', { class: 'stack' });
    this.chooser = el('div', { hidden: true });
    this.node = el('div', { class: 'records' }, el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, 'Stats'), this.about), this.state, this.chooser, this.parts);
    this.onVisible = () => {
      if (document.visibilityState === 'visible') void this.load();
    };
    document.addEventListener('visibilitychange', this.onVisible);
    void this.load();
  }

  unmount() {
    this.mounted = false;
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.onVisible);
  }

  async load() {
    clearTimeout(this.timer);
    let wait = REFRESH_MS;
    try {
      await this.app.catalog.games().catch(() => {}); // names of games only
      const stats = await getJson('/api/stats');
      if (!this.mounted) return;
      this.update(stats);
      if (stats.drawing) wait = DRAWING_MS;
    } catch (error) {
      if (!this.mounted) return;
      setText(this.state, /** @type {Error} */ (error).message);
    }
    if (document.visibilityState === 'visible') this.timer = window.setTimeout(() => void this.load(), wait);
  }

  /** @param {any} stats */
  update(stats) {
    const nothing = stats.as_of_ms === null;
    setText(this.about, nothing ? '' : `${plural('game', stats.games).replace(/^\d+/, stats.games.toLocaleString('en'))} · as of ${whenWords(stats.as_of_ms)}`);
    const state = stats.drawing ? `${nothing ? 'The' : 'Newer'} pictures are being drawn …` : (stats.error ?? '');
    if (this.state.dataset.text !== state) {
      this.state.dataset.text = state;
      fill(this.state, stats.drawing && el('span', { class: 'spinner', 'aria-hidden': 'true' }), state);
    }
    this.state.hidden = !state;
    if (nothing && !state) fill(this.parts, el('p', { class: 'panel' }, 'No public game has ended yet: play one, or start a ladder.'));
    const key = JSON.stringify([stats.pictures, stats.tables, stats.parts, stats.games]);
    if (nothing || key === this.key) return;
    this.key = key;
    this.stats = stats;
    this.buildChooser();
    this.build();
  }

  /** Which game's pictures: those of all games together always show. */
  buildChooser() {
    const games = [...new Set([...this.stats.pictures, ...this.stats.tables].map((/** @type {any} */ one) => one.game).filter(Boolean))];
    if (!games.includes(this.game)) this.game = '';
    this.chooser.hidden = games.length < 2;
    const select = el(
      'select',
      {
        onchange: () => {
          this.game = select.value;
          this.build();
        },
      },
      el('option', { value: '' }, 'All games'),
      games.map((game) => el('option', { value: game, selected: game === this.game }, this.app.catalog.name(game))),
    );
    fill(this.chooser, el('label', { class: 'field' }, el('span', null, 'Pictures of'), select));
  }

  build() {
    const { parts, pictures, tables } = this.stats;
    const chosen = (/** @type {any} */ one) => !this.game || !one.game || one.game === this.game;
    /** @type {any[]} */
    const leads = [];
    const sections = parts.map((/** @type {any} */ part) => {
      const shown = pictures.filter((/** @type {any} */ one) => one.part === part.name && chosen(one));
      const listed = tables.filter((/** @type {any} */ one) => one.part === part.name && chosen(one));
      if (!shown.length && !listed.length) return null;
      const heading = el('h2', { id: `part-${part.name}` }, part.title);
      const folded = this.folded(part.name, !leads.length, heading, [
        part.sentences.map((/** @type {string} */ sentence) => el('p', null, sentence)),
        shown.length > 0 && el('div', { class: 'pictures' }, shown.map(pictureFigure)),
        listed.map(statsTable),
      ]);
      leads.push(button(part.title, () => goTo(folded), { class: 'quiet' }));
      return el('section', { class: 'panel', 'aria-labelledby': heading.id }, folded);
    });
    const open = window.matchMedia('(min-width: 60rem)').matches;
    const contents =
      leads.length > 2 &&
      el('details', { open }, el('summary', null, el('h2', null, 'On this page')), el('nav', { class: 'contents', 'aria-label': 'On this page' }, leads));
    fill(this.parts, contents, sections);
  }

  /** All parts together are as high as twenty screens: the first shows, the others as they were left.
   * @param {string} name @param {boolean} first @param {HTMLElement} heading @param {any} content */
  folded(name, first, heading, content) {
    const details = el(
      'details',
      { open: this.turned.get(name) ?? first, ontoggle: () => this.turned.set(name, details.open) },
      el('summary', null, heading),
      el('div', { class: 'stack' }, content),
    );
    return details;
  }
}

/** A part may be far down. @param {HTMLDetailsElement} part */
function goTo(part) {
  part.open = true;
  part.querySelector('summary')?.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'start' });
}

/** @param {any} picture */
function pictureFigure(picture) {
  return el(
    'figure',
    null,
    el('img', { src: picture.url, alt: `${picture.title}. ${picture.alt}`, loading: 'lazy', decoding: 'async' }),
    el('figcaption', { class: 'muted' }, picture.reading),
  );
}

/** @param {any} table */
function statsTable(table) {
  // A column with a number in it is one of numbers.
  const numbers = table.head.map((/** @type {any} */ _, /** @type {number} */ i) => table.rows.some((/** @type {any[]} */ row) => typeof row[i] === 'number'));
  const cell = (/** @type {any} */ value, /** @type {number} */ i) => {
    const text = value === null ? '–' : typeof value === 'number' ? value.toLocaleString('en') : value;
    return i === 0 ? el('th', { scope: 'row', class: numbers[i] ? 'num' : null }, text) : el('td', { class: numbers[i] ? 'num' : null }, text);
  };
  return el(
    'div',
    null,
    across(
      table.title,
      el(
        'table',
        { class: 'data' },
        el('caption', null, table.title),
        el('thead', null, el('tr', null, table.head.map((/** @type {string} */ text, /** @type {number} */ i) => el('th', { scope: 'col', class: numbers[i] ? 'num' : null }, text)))),
        el('tbody', null, table.rows.map((/** @type {any[]} */ row) => el('tr', null, row.map(cell)))),
      ),
    ),
    table.note && el('p', { class: 'muted' }, table.note),
  );
}
