// @ts-check
// A table of recorded games, page by page, each a link to its record.

import { getJson } from './catalog.js';
import { button, el, fill, personName } from './dom.js';
import { whenWords } from './figures.js';
import { token } from './settings.js';
import { plural } from './words.js';

const PAGE = 20;

export class GameList {
  /**
   * @param {import('./catalog.js').Catalog} catalog
   * @param {{caption: string, mine?: string, kinds?: boolean}} how `mine` is a player's id: results are told from their
   *   side; `kinds` tells which game of the family each was, else its opening is told
   */
  constructor(catalog, how) {
    this.catalog = catalog;
    this.how = how;
    this.asked = 0;
    this.path = '';
    this.rows = el('tbody');
    this.table = el(
      'table',
      { class: 'data games' },
      el('caption', null, how.caption),
      el('thead', null, el('tr', null, this.heads().map(([name, title]) => el('th', { scope: 'col', class: name }, title)))),
      this.rows,
    );
    this.status = el('p', { class: 'muted', role: 'status' });
    this.more = button('Show more', () => void this.load(this.next), { hidden: true });
    this.node = el('div', { class: 'game-list' }, el('div', { class: 'across' }, this.table), this.status, this.more);
    /** @type {number|null} */
    this.next = null;
  }

  heads() {
    const heads = [['g-who', 'X – O'], ['g-result', 'Result'], ['g-plies num', 'Moves'], ['g-when', 'Ended']];
    heads.splice(1, 0, this.how.kinds ? ['g-kind', 'Game'] : ['g-start', 'Opening']);
    return heads;
  }

  /** @param {Record<string, string|null>} filters as /api/games takes them */
  show(filters) {
    const query = new URLSearchParams({ limit: String(PAGE) });
    for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
    this.path = `/api/games?${query}`;
    return this.load(null);
  }

  /** @param {number|null} before */
  async load(before) {
    const asked = ++this.asked;
    try {
      const page = await getJson(before === null ? this.path : `${this.path}&before=${before}`, token());
      if (asked !== this.asked) return;
      const rows = page.games.map((/** @type {any} */ game) => this.row(game));
      if (before === null) fill(this.rows, rows);
      else this.rows.append(...rows);
      this.next = page.next ?? null;
      this.more.hidden = this.next === null;
      this.table.hidden = !this.rows.children.length;
      const shown = this.rows.children.length;
      this.status.textContent = !shown ? 'There is no such game.' : this.next === null ? `${plural('game', shown)}.` : `The newest ${shown} games.`;
      if (before !== null) rows[0]?.querySelector('a')?.focus();
    } catch (error) {
      if (asked === this.asked) this.status.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {any} game */
  row(game) {
    const names = [personName(game.x.name), ' – ', personName(game.o.name)];
    const moves = (game.plies ?? 0) + (game.start ?? []).length;
    return el(
      'tr',
      null,
      el('td', { class: 'g-who' }, el('a', { href: `/game/${game.id}` }, names)),
      this.how.kinds ? el('td', { class: 'g-kind' }, this.catalog.name(game.game)) : el('td', { class: 'g-start' }, (game.start ?? []).join(' ')),
      el('td', { class: 'g-result' }, resultWords(game, this.how.mine ?? null)),
      el('td', { class: 'g-plies num' }, game.termination ? moves : ''),
      el('td', { class: 'g-when' }, game.ended_ms ? whenWords(game.ended_ms) : 'running'),
    );
  }
}

/** "X wins", "O wins on time", "draw"; "won", "lost on time" for one of the two. @param {any} game @param {string|null} mine */
export function resultWords(game, mine) {
  if (!game.termination) return 'running';
  if (game.termination === 'aborted') return 'aborted';
  const how = HOW[game.termination] ?? '';
  if (!game.winner) return `draw${game.termination === 'agreement' ? ' by agreement' : ''}`;
  if (mine === null || game.x.id === game.o.id) return `${game.winner.toUpperCase()} wins${how}`;
  return `${game[game.winner].id === mine ? 'won' : 'lost'}${how}`;
}

/** How a game was won or lost, where it was not on the board. @type {Record<string, string>} */
const HOW = {
  resignation: ' by resignation',
  flag: ' on time',
  illegal_move: ' by an illegal move',
  crash: ' by a crash',
  stall: ' by a stall',
  disconnection: ' by absence',
  adjudication: ' by adjudication',
};
