// @ts-check
// The statistics of all public games: pictures and tables that the server draws when they are asked for.

import { t } from '../i18n/language.js';
import { getJson } from '../net/catalog.js';
import { across } from '../ui/across.js';
import { button, el, fill, setText } from '../ui/dom.js';
import { whenWords } from '../ui/figures.js';
import { pictureImage } from './picture.js';
import { foreign, Words } from './words.js';

/** @typedef {import('../types/page.js').TableAnswer['rows'][number][number]} Cell */

const DRAWING_MS = 2000;
const REFRESH_MS = 90_000;
/** Until what failed is asked for again. */
const AGAIN_MS = 5000;
/** The column of the server's own sentences on why a bot lost: they are in English. */
const FAULTS = 'reason';

export class StatsView {
  /** @param {import('../main.js').App} app */
  constructor(app) {
    this.app = app;
    this.title = t('stats.title');
    this.mounted = true;
    this.timer = 0;
    this.key = '';
    this.game = '';
    this.words = new Words();
    /** Whether each part is unfolded, of those that somebody has turned. @type {Map<string, boolean>} */
    this.turned = new Map();
    this.about = el('p', { class: 'muted' });
    this.state = el('p', { class: 'drawing muted', role: 'status' });
    this.parts = el('div', { class: 'stack' });
    this.chooser = el('div', { hidden: true });
    this.node = el(
      'div',
      { class: 'records' },
      el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, t('stats.title')), this.about),
      this.state,
      this.chooser,
      this.parts,
    );
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
      const { message } = /** @type {Error} */ (error);
      this.state.dataset.text = message;
      setText(this.state, message);
      this.state.hidden = false;
      wait = AGAIN_MS;
    }
    if (document.visibilityState === 'visible') this.timer = window.setTimeout(() => void this.load(), wait);
  }

  /** @param {import('../types/page.js').StatsAnswer} stats */
  update(stats) {
    const { as_of_ms } = stats;
    const nothing = as_of_ms === null;
    setText(this.about, nothing ? '' : t('stats.about', { count: stats.games, when: whenWords(as_of_ms) }));
    const drawing = stats.drawing && t(nothing ? 'stats.drawing' : 'stats.drawing.newer');
    const state = drawing || (stats.error ?? '');
    if (this.state.dataset.text !== state) {
      this.state.dataset.text = state;
      fill(
        this.state,
        drawing
          ? [el('span', { class: 'spinner', 'aria-hidden': 'true' }), drawing]
          : state && this.words.element('span', null, state),
      );
    }
    this.state.hidden = !state;
    if (nothing && !state) fill(this.parts, el('p', { class: 'panel' }, t('stats.none')));
    const key = JSON.stringify([stats.pictures, stats.tables, stats.parts, stats.games]);
    if (nothing || key === this.key) return;
    this.key = key;
    /** @type {import('../types/page.js').StatsAnswer} */
    this.stats = stats;
    this.words = new Words(stats.said);
    this.buildChooser();
    this.build();
  }

  /** Which game's pictures: those of all games together always show. */
  buildChooser() {
    const games = [...new Set([...this.stats.pictures, ...this.stats.tables].flatMap((one) => one.game ?? []))];
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
      el('option', { value: '' }, t('stats.all')),
      games.map((game) => el('option', { value: game, selected: game === this.game }, this.app.catalog.name(game))),
    );
    fill(this.chooser, el('label', { class: 'field' }, el('span', null, t('stats.of')), select));
  }

  build() {
    const { parts, pictures, tables } = this.stats;
    const chosen = (/** @type {{game: string|null}} */ one) => !this.game || !one.game || one.game === this.game;
    /** @type {HTMLElement[]} */
    const leads = [];
    const sections = parts.map((part) => {
      const shown = pictures.filter((one) => one.part === part.name && chosen(one));
      const listed = tables.filter((one) => one.part === part.name && chosen(one));
      if (!shown.length && !listed.length) return null;
      const title = this.words.of(part.title);
      const heading = el('h2', { id: `part-${part.name}` }, title);
      const folded = this.folded(part.name, !leads.length, heading, [
        part.sentences.map((/** @type {string} */ sentence) => this.words.element('p', null, sentence)),
        shown.length > 0 &&
          el(
            'div',
            { class: 'pictures' },
            shown.map((one) => pictureFigure(one, this.words)),
          ),
        listed.map((table) => statsTable(table, this.words)),
      ]);
      leads.push(button(title, () => goTo(folded), { class: 'quiet' }));
      return el('section', { class: 'panel', 'aria-labelledby': heading.id }, folded);
    });
    const open = window.matchMedia('(min-width: 60rem)').matches;
    const contents =
      leads.length > 2 &&
      el(
        'details',
        { open },
        el('summary', null, el('h2', null, t('stats.contents'))),
        el('nav', { class: 'contents', 'aria-label': t('stats.contents') }, leads),
      );
    fill(this.parts, contents, sections);
  }

  /** All parts together are as high as twenty screens: the first shows, the others as they were left.
   * @param {string} name @param {boolean} first @param {HTMLElement} heading @param {import('../types/page.js').Child} content */
  folded(name, first, heading, content) {
    const details = el(
      'details',
      { open: this.turned.get(name) ?? first, ontoggle: () => void this.turned.set(name, details.open) },
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

/** @param {import('../types/page.js').PictureAnswer} picture @param {import('./words.js').Words} words */
function pictureFigure(picture, words) {
  const alt = `${words.of(picture.title)}. ${words.of(picture.alt)}`;
  const marked = words.known(picture.alt) === null ? foreign : {};
  return el(
    'figure',
    null,
    pictureImage(picture, { alt, ...marked }, words),
    words.element('figcaption', { class: 'muted' }, picture.reading),
  );
}

/** @param {import('../types/page.js').TableAnswer} table @param {import('./words.js').Words} words */
function statsTable(table, words) {
  // A column with a number in it is one of numbers.
  const numbers = table.head.map((_, i) => table.rows.some((row) => typeof row[i] === 'number'));
  const cell = (/** @type {Cell} */ value, /** @type {number} */ i) => {
    const properties = { class: numbers[i] ? 'num' : null, ...(table.head[i] === FAULTS ? foreign : {}) };
    return i === 0
      ? el('th', { scope: 'row', ...properties }, words.cell(value))
      : el('td', properties, words.cell(value));
  };
  return el(
    'div',
    null,
    across(
      words.of(table.title),
      el(
        'table',
        { class: 'data' },
        words.element('caption', null, table.title),
        el(
          'thead',
          null,
          el(
            'tr',
            null,
            table.head.map((text, i) =>
              text ? words.element('th', { scope: 'col', class: numbers[i] ? 'num' : null }, text) : el('td', null),
            ),
          ),
        ),
        el(
          'tbody',
          null,
          table.rows.map((row) => el('tr', null, row.map(cell))),
        ),
      ),
    ),
    table.note && words.element('p', { class: 'muted' }, table.note),
  );
}
