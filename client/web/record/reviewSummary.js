// @ts-check
// A reviewed game in short: the mistakes of both sides, and the moves at which the result changed hands.

import { t } from '../i18n/language.js';
import { button, el, fill } from '../ui/dom.js';
import { courseWords, tally, tallyWords, turns } from './reviewWords.js';

/** @typedef {import('./reviewWords.js').JudgedMove} JudgedMove */

export class ReviewSummary {
  /** @param {(ply: number) => void} onchoose is told the number of moves on the board then */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.key = '';
    this.body = el('div', { class: 'review-summary' });
    this.node = el(
      'section',
      { class: 'panel in-short', 'aria-label': t('review.short'), hidden: true },
      el('h2', null, t('review.short')),
      this.body,
    );
  }

  /**
   * @param {JudgedMove[]} moves those that are judged, in order @param {number} of moves in the game
   * @param {{x: string, o: string}} marks @param {{x: string, o: string}} names
   */
  update(moves, of, marks, names) {
    this.node.hidden = !moves.length;
    const key = JSON.stringify([moves.map(({ ply }) => ply), marks]);
    if (!moves.length || key === this.key) return;
    this.key = key;
    const found = tally(moves);
    const exact = found.x.exact + found.o.exact;
    const focused = this.body.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.ply
      : undefined;
    fill(
      this.body,
      el(
        'dl',
        { class: 'facts' },
        /** @type {const} */ (['x', 'o']).map((side) =>
          el(
            'div',
            null,
            el(
              'dt',
              null,
              el('span', { class: `mark-${side} move-mark` }, marks[side]),
              ' ',
              el('bdi', null, names[side]),
            ),
            el('dd', null, tallyWords(found[side])),
          ),
        ),
      ),
      this.turns(moves, of, marks),
      el(
        'p',
        { class: 'muted small-print' },
        t(exact < moves.length ? 'review.short.rest' : 'review.short.exact', { exact, count: moves.length }),
      ),
      el('p', { class: 'spoken-only' }, t('review.course', { course: courseWords(moves, marks) })),
    );
    if (focused !== undefined)
      /** @type {HTMLElement|null} */ (this.body.querySelector(`[data-ply="${focused}"]`))?.focus({
        preventScroll: true,
      });
  }

  /** @param {JudgedMove[]} moves @param {number} of @param {{x: string, o: string}} marks */
  turns(moves, of, marks) {
    const found = turns(moves, marks);
    if (!found.length) return moves.length === of && el('p', null, t('review.turns.none'));
    const arrow = [
      el('span', { 'aria-hidden': 'true' }, ' → '),
      el('span', { class: 'spoken-only' }, ` ${t('review.turns.became')} `),
    ];
    return el(
      'ul',
      { class: 'turns', 'aria-label': t('review.turns') },
      found.map(({ ply, side, move, grade, from, to }) =>
        el(
          'li',
          null,
          button(
            [`${ply + 1}. `, el('span', { class: `mark-${side} move-mark` }, marks[side]), ' ', move],
            () => this.onchoose(ply + 1),
            { class: 'move', 'data-ply': ply },
          ),
          el(
            'span',
            { class: grade },
            from,
            arrow.map((each) => each.cloneNode(true)),
            to,
            grade === 'doubtful' && ` ${t('review.turns.estimated')}`,
          ),
        ),
      ),
    );
  }
}
