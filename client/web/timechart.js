// @ts-check
// What each move took, as bars: X's upwards, O's downwards from a line in the middle. A bar is chosen by pointing at
// its column, which is as high as the chart; one column is in the tab order, that of the move on the board.

import { el, fill, setAttribute, setText, svg } from './dom.js';
import { timeWords } from './recordwords.js';

/** @typedef {{side: 'x'|'o', move: string, ms: number}} TimedMove */

const WIDTH = 1000;
const HALF = 100;
const GAP = 6; // in the middle
const LEAST = 1.5; // so that an instant move is seen
const LIMIT_SHOWN = 4; // as often as high as the highest bar
const WIDEST = 40; // a column of a short game

export class TimeChart {
  /** @param {(ply: number) => void} onchoose is told the number of moves on the board then */
  constructor(onchoose) {
    this.onchoose = onchoose;
    /** @type {TimedMove[]} */
    this.moves = [];
    /** @type {Element[]} */
    this.columns = [];
    this.shown = 0;
    /** @type {number|null} */
    this.pointed = null;
    this.drawing = svg('svg', { class: 'times-drawing', preserveAspectRatio: 'none', role: 'group', 'aria-label': 'Time of each move' });
    this.scale = el('span', { class: 'times-scale muted' });
    this.caption = el('p', { class: 'times-caption muted' });
    this.node = el(
      'section',
      { class: 'panel times', 'aria-label': 'Time used' },
      el('div', { class: 'times-head' }, el('h2', null, 'Time used'), this.scale),
      el('div', { class: 'times-area' }, el('span', { class: 'times-side mark-x', 'aria-hidden': 'true' }), el('span', { class: 'times-side mark-o', 'aria-hidden': 'true' }), this.drawing),
      this.caption,
    );
    for (const type of ['mouseover', 'focusin']) this.drawing.addEventListener(type, (e) => this.point(this.plyOf(e)));
    for (const type of ['mouseleave', 'focusout']) this.drawing.addEventListener(type, () => this.point(null));
    this.drawing.addEventListener('click', (e) => this.choose(this.plyOf(e)));
    this.drawing.addEventListener('keydown', (e) => {
      const key = /** @type {KeyboardEvent} */ (e).key;
      if (key === 'Enter') this.choose(this.plyOf(e));
    });
  }

  /**
   * @param {TimedMove[]} moves @param {{x: string, o: string}} names @param {number} shown moves on the board
   * @param {{x?: number, o?: number}} [limits] what each side has for a move
   */
  update(moves, names, shown, limits = {}) {
    this.node.hidden = !moves.length;
    const focused = this.drawing.contains(document.activeElement);
    if (moves.length !== this.columns.length || names !== this.names) {
      this.moves = moves;
      this.names = names;
      this.limits = limits;
      this.draw();
    }
    this.shown = shown;
    this.columns.forEach((column, ply) => {
      column.classList.toggle('current', ply === shown - 1);
      setAttribute(column, 'aria-current', ply === shown - 1 ? 'step' : null);
      setAttribute(column, 'tabindex', ply === Math.max(0, shown - 1) ? '0' : '-1');
    });
    // Whoever steps through the moves from a bar goes along.
    if (focused) /** @type {SVGElement|undefined} */ (this.columns[Math.max(0, shown - 1)])?.focus({ preventScroll: true });
    this.tell();
  }

  draw() {
    const { moves } = this;
    const longest = Math.max(1, ...moves.map((move) => move.ms));
    const highest = Math.max(longest, ...this.drawnLimits(longest).map(([, ms]) => ms));
    const step = Math.min(WIDEST, WIDTH / moves.length);
    const width = step * moves.length;
    this.drawing.setAttribute('viewBox', `0 0 ${width} ${2 * HALF + GAP}`);
    this.node.style.setProperty('--times-share', String(width / WIDTH));
    this.columns = moves.map((move, ply) => {
      const height = Math.max(LEAST, (HALF * move.ms) / highest);
      const bar = svg('rect', {
        class: `time-${move.side}`,
        x: ply * step + step * 0.12,
        y: move.side === 'x' ? HALF - height : HALF + GAP,
        width: step * 0.76,
        height,
      });
      const area = svg('rect', { class: 'time-area', x: ply * step, y: 0, width: step, height: 2 * HALF + GAP });
      return svg('g', { class: 'time-column', role: 'button', 'data-ply': ply, 'aria-label': this.words(ply) }, area, bar);
    });
    const across = (/** @type {number} */ y, /** @type {string} */ name) => svg('line', { class: name, x1: 0, x2: width, y1: y, y2: y });
    const limits = this.drawnLimits(longest).map(([side, ms]) => {
      const height = (HALF * ms) / highest;
      return across(side === 'x' ? HALF - height : HALF + GAP + height, 'times-limit');
    });
    fill(this.drawing, across(HALF + GAP / 2, 'times-line'), this.columns, limits);
    const scale = longest < 2 ? 'every move took less than 2 ms' : `highest bar ${timeWords(longest)}`;
    setText(this.scale, limits.length ? `${scale} · dashes: the limit` : scale);
    const [x, o] = this.node.querySelectorAll('.times-side');
    setText(x, this.names?.x ?? '');
    setText(o, this.names?.o ?? '');
  }

  /** The limits that do not press the bars flat. @param {number} longest @returns {['x'|'o', number][]} */
  drawnLimits(longest) {
    /** @type {['x'|'o', number|undefined][]} */
    const all = [['x', this.limits?.x], ['o', this.limits?.o]]; // prettier-ignore
    return /** @type {['x'|'o', number][]} */ (all.filter(([, ms]) => ms && ms <= LIMIT_SHOWN * longest));
  }

  /** @param {number} ply */
  words(ply) {
    const move = this.moves[ply];
    return `Move ${ply + 1}, ${this.names?.[move.side]} ${move.move}: ${timeWords(move.ms)}`;
  }

  /** @param {Event} event @returns {number|null} */
  plyOf(event) {
    const column = /** @type {Element} */ (event.target).closest?.('[data-ply]');
    return column ? Number(column.getAttribute('data-ply')) : null;
  }

  /** @param {number|null} ply */
  choose(ply) {
    if (ply !== null) this.onchoose(ply + 1);
  }

  /** @param {number|null} ply */
  point(ply) {
    this.pointed = ply;
    this.tell();
  }

  /** The move that somebody points at, else the one on the board, else what both sides used. */
  tell() {
    const ply = this.pointed ?? this.shown - 1;
    if (this.moves[ply]) return setText(this.caption, this.words(ply));
    const used = (/** @type {string} */ side) => timeWords(this.moves.filter((move) => move.side === side).reduce((sum, move) => sum + move.ms, 0));
    setText(this.caption, `In all: ${this.names?.x} ${used('x')}, ${this.names?.o} ${used('o')}`);
  }
}
