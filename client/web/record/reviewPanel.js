// @ts-check
// What a review says, below the board: how far it is, what it says of the move shown, and the best line, which can be
// looked at on the board.

import { sideAt } from '../board/position.js';
import { t } from '../i18n/language.js';
import { spokenMove } from '../i18n/moveWords.js';
import { button, el, fill, setText } from '../ui/dom.js';
import { gradeOf, meaning, sentence, verdictWord } from './reviewWords.js';

/** @typedef {import('./review.js').Review} Review */
/** @typedef {import('./reviewWords.js').JudgedMove} JudgedMove */

export class ReviewPanel {
  /**
   * @param {Review} review
   * @param {{oncancel: () => void, onstart: () => void, online: (plies: number) => void}} listeners `online` is told how
   *   many moves of the best line are to be seen on the board, 0 for the game itself
   */
  constructor(review, listeners) {
    this.review = review;
    this.listeners = listeners;
    this.key = '';
    /** Moves of the line that stay on the board. */
    this.pinned = 0;
    /** Moves of the line on the board now. */
    this.seen = 0;
    this.state = el('p', { class: 'review-state muted' });
    this.bar = el('progress', { class: 'review-bar', 'aria-label': t('review.bar'), hidden: true });
    this.ask = button(t('review.ask'), () => listeners.onstart(), { class: 'primary' });
    this.stop = button(t('review.cancel'), () => listeners.oncancel(), { hidden: true });
    this.move = el('div', { class: 'review-move', hidden: true });
    this.line = el('div', { class: 'review-line', role: 'group', 'aria-label': t('review.line') });
    this.back = button(t('review.line.back'), () => this.release(), { class: 'quiet', hidden: true });
    this.node = el(
      'section',
      { class: 'panel review', 'aria-label': t('review.title'), hidden: true },
      this.move,
      el('div', { class: 'review-head' }, this.state, this.bar, this.ask, this.stop),
    );
    this.line.addEventListener('mouseover', (/** @type {Event} */ e) => this.look(this.pliesOf(e) ?? this.pinned));
    this.line.addEventListener('mouseleave', () => this.look(this.pinned));
    this.line.addEventListener('focusin', (/** @type {Event} */ e) => this.look(this.pliesOf(e) ?? this.pinned));
    this.line.addEventListener('focusout', () => this.look(this.pinned));
    this.line.addEventListener('click', (/** @type {Event} */ e) => this.pin(this.pliesOf(e)));
    this.line.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => this.keyed(e));
  }

  /**
   * @param {number} of moves in the game @param {JudgedMove|undefined} judged the move on the board
   * @param {{x: string, o: string}} marks
   * @param {number} first ply over all moves, the start included, of the line's first
   */
  update(of, judged, marks, first) {
    this.node.hidden = !of;
    this.updateState(of);
    const key = JSON.stringify([judged, marks]);
    if (key === this.key) return;
    this.key = key;
    const within = this.line.contains(document.activeElement);
    this.pinned = this.seen = 0;
    this.move.hidden = !judged;
    if (judged) this.build(judged, marks, first);
    if (within) this.buttons()[0]?.focus({ preventScroll: true });
  }

  /** @param {number} of */
  updateState(of) {
    const { review } = this;
    const { phase, done } = review;
    const waiting = review.busy || phase === 'lost';
    const focused = document.activeElement === this.ask || document.activeElement === this.stop;
    setText(this.state, progressWords(review, of));
    this.state.classList.toggle('bad', phase === 'refused');
    this.bar.hidden = !waiting;
    this.bar.max = of;
    this.bar.value = done;
    this.stop.hidden = !waiting;
    this.ask.hidden = waiting || phase === 'done';
    setText(this.ask, t(phase === 'refused' ? 'review.ask.again' : done ? 'review.ask.on' : 'review.ask'));
    if (focused)
      /** @type {HTMLElement|undefined} */ ([this.ask, this.stop].find((each) => !each.hidden))?.focus({
        preventScroll: true,
      });
  }

  /** @param {JudgedMove} judgedMove @param {{x: string, o: string}} marks @param {number} first */
  build(judgedMove, marks, first) {
    const { judged, ply, side, move } = judgedMove;
    const best = judged.best;
    const own = best[0] === move;
    const more = best.length > (own ? 1 : 0); // than the board shows already
    fill(
      this.move,
      el(
        'p',
        { class: `review-sentence ${gradeOf(judgedMove)}` },
        el(
          'span',
          { class: `verdict ${judged.exact ? 'exact' : 'estimated'} verdict-${judged.verdict}` },
          verdictWord(judged.verdict),
        ),
        ' ',
        el('span', { class: 'muted' }, `${ply + 1}. ${marks[side]} ${move}`),
        ' ',
        el('strong', null, sentence(judgedMove, marks)),
      ),
      el('p', { class: 'review-meaning muted' }, meaning(judged)),
      more && [
        el('div', { class: 'review-best' }, el('h2', null, t(own ? 'review.line.own' : 'review.line.best')), this.back),
        this.line,
      ],
    );
    fill(
      this.line,
      (more ? best : []).map((text, i) => {
        const by = sideAt(first + i);
        return button('', () => {}, {
          class: 'move',
          tabindex: i ? -1 : 0,
          'data-plies': i + 1,
          'aria-pressed': 'false',
          'aria-label': t('review.line.move', { mark: marks[by], move: spokenMove(text) }),
        });
      }),
    );
    this.buttons().forEach((each, i) => {
      const by = sideAt(first + i);
      fill(each, el('span', { class: `mark-${by} move-mark` }, marks[by]), ' ', best[i]);
    });
    this.line.scrollLeft = 0;
    this.show();
  }

  // The line

  buttons() {
    return /** @type {HTMLButtonElement[]} */ ([...this.line.children]);
  }

  /** @param {Event} event */
  pliesOf(event) {
    const plies = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest('[data-plies]'))
      ?.dataset.plies;
    return plies ? Number(plies) : null;
  }

  /** @param {number} plies */
  look(plies) {
    if (plies === this.seen) return;
    this.seen = plies;
    this.show();
    this.listeners.online(plies);
  }

  /** The same again takes it off. @param {number|null} plies */
  pin(plies) {
    if (plies === null) return;
    this.pinned = this.pinned === plies ? 0 : plies;
    this.seen = -1; // it is shown anew in any case
    this.look(this.pinned);
    this.rove(plies);
  }

  /** Back to the game; who came by keyboard stands in the line, which shows nothing until the next key. */
  release() {
    const focused = document.activeElement === this.back;
    this.pinned = 0;
    if (focused)
      /** @type {HTMLElement|null} */ (this.line.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
    this.look(0);
    this.show();
  }

  show() {
    this.back.hidden = !this.pinned;
    this.buttons().forEach((each, i) => {
      each.classList.toggle('current', i + 1 === this.seen);
      each.classList.toggle('before', i + 1 < this.seen);
      each.setAttribute('aria-pressed', String(i + 1 === this.pinned));
    });
  }

  /** One button is in the tab order; arrows go along the line from it. @param {number} plies */
  rove(plies) {
    this.buttons().forEach((each, i) => each.setAttribute('tabindex', i + 1 === plies ? '0' : '-1'));
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const plies = this.pliesOf(event);
    if (plies === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const last = this.line.children.length;
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: plies - 1, ArrowRight: plies + 1, Home: 1, End: last };
    if (event.key === 'Escape') this.release();
    else if (event.key in places) {
      const to = Math.min(Math.max(1, places[event.key]), last);
      this.rove(to);
      this.pinned = this.pinned && to;
      this.buttons()[to - 1].focus({ preventScroll: true });
      this.reveal(this.buttons()[to - 1]);
    } else return;
    event.preventDefault(); // the game stays at its move
  }

  /** Only the line itself scrolls, not the page. @param {HTMLElement} each */
  reveal(each) {
    this.line.scrollLeft = each.offsetLeft - (this.line.clientWidth - each.offsetWidth) / 2;
  }
}

/** @param {Review} review @param {number} of */
export function progressWords(review, of) {
  const { phase, done } = review;
  const values = { done, count: of };
  switch (phase) {
    case 'asking':
      return done ? t('review.running', values) : t('review.asking');
    case 'running':
      return t(review.silent ? 'review.running.silent' : 'review.running', values);
    case 'lost':
      return t('review.lost', values);
    case 'cancelled':
      return t('review.cancelled', values);
    case 'refused':
      return review.sentence;
    case 'done':
      return t('review.done', values);
    default:
      return done ? t('review.idle.some', values) : t('review.idle');
  }
}
