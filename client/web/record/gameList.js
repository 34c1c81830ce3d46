// @ts-check
// A table of recorded games, page by page, each a link to its record.

import { hasText, number, t } from '../i18n/language.js';
import { getJson } from '../net/catalog.js';
import { button, el, fill, personName } from '../ui/dom.js';
import { whenWords } from '../ui/figures.js';
import { token } from '../ui/settings.js';

const PAGE = 20;

/** @typedef {import('../types/page.js').GameAnswer} GameAnswer */
/** @typedef {Pick<GameAnswer, 'x'|'o'|'winner'|'termination'>} Ended */

export class GameList {
  /**
   * @param {import('../net/catalog.js').Catalog} catalog
   * @param {{caption: string, mine?: string, kinds?: boolean}} how `mine` is a player's id: results are told from their
   *   side; `kinds` tells which game of the family each was, else its opening is told
   */
  constructor(catalog, how) {
    this.catalog = catalog;
    this.how = how;
    this.asked = 0;
    /** @type {`/api/games?${string}`} */
    this.path = '/api/games?';
    this.rows = el('tbody');
    this.table = el(
      'table',
      { class: 'data games' },
      el('caption', null, how.caption),
      el(
        'thead',
        null,
        el(
          'tr',
          null,
          this.heads().map(([name, title]) => el('th', { scope: 'col', class: name }, title)),
        ),
      ),
      this.rows,
    );
    this.status = el('p', { class: 'muted', role: 'status' });
    this.more = button(t('games.more'), () => void this.load(this.next), { hidden: true });
    this.node = el('div', { class: 'game-list' }, el('div', { class: 'across' }, this.table), this.status, this.more);
    /** @type {number|null} */
    this.next = null;
  }

  heads() {
    const heads = [
      ['g-who', t('games.players')],
      ['g-result', t('games.result')],
      ['g-plies num', t('games.moves')],
      ['g-when', t('games.ended')],
    ];
    heads.splice(1, 0, this.how.kinds ? ['g-kind', t('games.game')] : ['g-start', t('games.opening')]);
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
      /** @type {import('../types/page.js').GamesAnswer} */
      const page = await getJson(before === null ? this.path : `${this.path}&before=${before}`, token());
      if (asked !== this.asked) return;
      const rows = page.games.map((game) => this.row(game));
      if (before === null) fill(this.rows, rows);
      else this.rows.append(...rows);
      this.next = page.next ?? null;
      this.more.hidden = this.next === null;
      this.table.hidden = !this.rows.children.length;
      const shown = this.rows.children.length;
      this.status.textContent = !shown
        ? t('games.none')
        : t(this.next === null ? 'games.all' : 'games.newest', { count: shown });
      if (before !== null) rows[0]?.querySelector('a')?.focus();
    } catch (error) {
      if (asked === this.asked) this.status.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {GameAnswer} game */
  row(game) {
    const names = [personName(game.x.name), ' – ', personName(game.o.name)];
    const moves = (game.plies ?? 0) + (game.start ?? []).length;
    return el(
      'tr',
      null,
      el('td', { class: 'g-who' }, el('a', { href: `/game/${game.id}` }, names)),
      this.how.kinds
        ? el('td', { class: 'g-kind' }, this.catalog.name(game.game))
        : el('td', { class: 'g-start' }, (game.start ?? []).join(' ')),
      el('td', { class: 'g-result' }, resultWords(game, this.how.mine ?? null)),
      el('td', { class: 'g-plies num' }, game.termination ? number(moves) : ''),
      el('td', { class: 'g-when' }, game.ended_ms ? whenWords(game.ended_ms) : t('games.running')),
    );
  }
}

/**
 * "X wins", "O wins on time", "draw"; "won", "lost on time" for one of the two.
 * @param {Ended} game @param {string|null} mine
 */
export function resultWords(game, mine) {
  if (!game.termination) return t('games.running');
  if (game.termination === 'aborted') return t('games.aborted');
  if (!game.winner) return ending('games.draw', game);
  if (mine === null || game.x.id === game.o.id) return ending('games.wins', game);
  return ending(game[game.winner].id === mine ? 'games.won' : 'games.lost', game);
}

/** With how it ended, where that was not on the board. @param {string} key @param {Ended} game */
function ending(key, game) {
  const full = `${key}.${game.termination}`;
  return t(hasText(full) ? full : key, { side: game.winner?.toUpperCase() });
}
