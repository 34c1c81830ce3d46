// @ts-check
// The list of moves, in pairs as players write them, and below it what a bot found at one of them.

import { sideAt } from '../board/position.js';
import { t } from '../i18n/language.js';
import { searchWords } from '../room/words.js';
import { el, fill } from '../ui/dom.js';
import { gradeOf, note, spokenVerdict, verdictWord } from './reviewWords.js';

/** @typedef {import('../types/page.js').Search} Search */
/** @typedef {import('./reviewWords.js').JudgedMove} JudgedMove */

const EXPECTED_MOVES = 10;
/** As annotators of chess write them. @type {Record<string, string>} */
const SIGNS = { mistake: '??', slow: '?!', doubtful: '?', only: '!' };

export class MoveList {
  /** @param {((ply: number) => void)|null} [onchoose] makes each move a button that leads to its position */
  constructor(onchoose) {
    this.onchoose = onchoose ?? null;
    this.key = '';
    /** @type {Record<number, Search>} */
    this.searches = {};
    /** A move that somebody points at. @type {number|null} */
    this.pointed = null;
    /** How many expected moves are told. */
    this.expected = EXPECTED_MOVES;
    this.figures = el('p', { class: 'figures muted' });
    this.node = el('ol', { class: 'moves', 'aria-label': t('moves.title'), tabindex: onchoose ? null : 0 });
    for (const type of ['mouseover', 'focusin', 'click']) this.node.addEventListener(type, (e) => this.point(e.target));
    for (const type of ['mouseleave', 'focusout']) this.node.addEventListener(type, () => this.point(null));
  }

  /**
   * @param {string[]} moves @param {string[]} start set up before the first move @param {{x: string, o: string}} marks
   * @param {number} [shown] number of moves on the board; the last of them is marked
   * @param {Record<number, Search>} [searches] what bots found, by ply
   * @param {string[]|null} [times] what each move took, in words
   * @param {Map<number, JudgedMove>} [judged] what a review says, by ply
   */
  update(moves, start, marks, shown = moves.length, searches = {}, times = null, judged = new Map()) {
    const key = JSON.stringify([moves, start, marks, shown, Object.keys(searches), [...judged.keys()]]);
    if (key === this.key) return;
    this.key = key;
    this.searches = searches;
    const place = JSON.stringify([moves, shown]);
    const scrolled = this.place === place ? this.node.scrollTop : null;
    this.place = place;
    this.shown = shown;
    this.label = (/** @type {number} */ ply) => `${marks[sideAt(start.length + ply)]} ${moves[ply]}`;
    this.updateFigures();
    this.times = times;
    this.judged = judged;
    const all = [...start.map((text) => ({ text, ply: -1 })), ...moves.map((text, ply) => ({ text, ply }))];
    const rows = [];
    for (let i = 0; i < all.length; i += 2) {
      rows.push(
        el(
          'li',
          null,
          el('span', { class: 'move-number' }, `${i / 2 + 1}.`),
          all.slice(i, i + 2).map((move, j) => this.entry(move, sideAt(i + j), marks, shown)),
          all.slice(i, i + 2).map((move) => this.note(move.ply, marks)),
        ),
      );
    }
    this.node.classList.toggle('judged', judged.size > 0);
    this.node.classList.toggle('long', all.some((move) => move.text.length > 3) || times !== null);
    const focused = this.node.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.ply
      : undefined;
    if (rows.length) fill(this.node, rows);
    else fill(this.node, el('li', { class: 'muted' }, t('moves.none')));
    const last = /** @type {HTMLElement|null} */ (this.node.querySelector('.current'));
    // Whoever steps through the moves from the list goes along; elsewhere the focus stays with its move.
    const next = this.onchoose ? last : this.node.querySelector(`[data-ply="${focused}"]`);
    if (focused !== undefined) /** @type {HTMLElement|null} */ (next)?.focus({ preventScroll: true });
    // Only the list itself scrolls: scrollIntoView would move the page under a player's finger.
    if (last) this.node.scrollTop = scrolled ?? last.offsetTop - this.node.clientHeight / 2;
  }

  /**
   * @param {{text: string, ply: number}} move @param {'x'|'o'} side @param {{x: string, o: string}} marks
   * @param {number} shown
   */
  entry(move, side, marks, shown) {
    const current = move.ply === shown - 1 && move.ply >= 0;
    const name = `move${current ? ' current' : ''}${move.ply < 0 ? ' muted' : ''}`;
    /** @type {import('../types/page.js').Child[]} */
    const content = [
      el('span', { class: `mark-${side} move-mark`, 'aria-hidden': 'true' }, marks[side]),
      ' ',
      move.text,
    ];
    // There is room for one of both; the time stands below the board too.
    if (this.judged?.has(move.ply)) content.push(this.verdict(move.ply));
    else if (this.times && move.ply >= 0) content.push(el('small', { class: 'move-time' }, this.times[move.ply]));
    if (move.ply < 0) return el('span', { class: name, title: t('moves.set-up') }, content);
    const found = move.ply in this.searches;
    if (!this.onchoose && !found) return el('span', { class: name }, content);
    const onclick = () => this.onchoose?.(move.ply + 1);
    return el(
      'button',
      { type: 'button', class: name, onclick, 'data-ply': move.ply, 'aria-current': current ? 'step' : null },
      content,
    );
  }

  /** What a review says of a move: a filled tag where it is proven, a dashed one for estimates. @param {number} ply */
  verdict(ply) {
    const judged = this.judged?.get(ply);
    if (!judged) return null;
    const sign = SIGNS[gradeOf(judged)];
    const kind = judged.judged.exact ? 'exact' : 'estimated';
    return [
      el(
        'span',
        { class: `verdict ${kind} verdict-${judged.judged.verdict}`, title: spokenVerdict(judged.judged) },
        verdictWord(judged.judged.verdict),
        el('span', { class: 'spoken-only' }, `, ${t(`moves.${kind}`)}`),
      ),
      sign && el('span', { class: `sign ${gradeOf(judged)}`, 'aria-hidden': 'true' }, sign),
    ];
  }

  /** What stands out, below the moves. @param {number} ply @param {{x: string, o: string}} marks */
  note(ply, marks) {
    const judged = this.judged?.get(ply);
    const words = judged && note(judged);
    return (
      words &&
      el(
        'p',
        { class: `move-note ${gradeOf(judged)}` },
        el('span', { class: `mark-${judged.side} move-mark` }, marks[judged.side]),
        ` ${words}`,
      )
    );
  }

  /** @param {EventTarget|null} target */
  point(target) {
    const ply =
      target instanceof Element
        ? /** @type {HTMLElement|null} */ (target.closest('[data-ply]'))?.dataset.ply
        : undefined;
    const pointed = ply === undefined ? null : Number(ply);
    if (pointed === this.pointed) return;
    this.pointed = pointed;
    this.updateFigures();
  }

  /** What was found at the move that somebody points at, else at the last one on the board where a bot moved. */
  updateFigures() {
    const shown = this.shown ?? 0;
    const last = this.onchoose
      ? shown - 1
      : Math.max(
          -1,
          ...Object.keys(this.searches)
            .map(Number)
            .filter((ply) => ply < shown),
        );
    const ply = this.pointed !== null && this.pointed in this.searches ? this.pointed : last;
    const search = this.searches[ply];
    this.figures.hidden = !search;
    if (!search) return;
    const expected = (search.pv ?? []).slice(1, this.expected + 1);
    fill(this.figures, [
      el('strong', null, this.label?.(ply)),
      ` ${searchWords(search)}`,
      expected.length > 0 && el('span', { class: 'expected' }, t('moves.expects', { moves: expected.join(' ') })),
    ]);
  }
}
