// @ts-check
// What each move took, as bars: X's upwards, O's downwards from a line in the middle; above it, once the game has been
// reviewed, the value of the game. A bar is chosen by pointing at its column, which is as high as the chart; one column
// is in the tab order, that of the move on the board.

import { t } from '../i18n/language.js';
import { el, fill, setAttribute, setText, svg } from '../ui/dom.js';
import { faultMarks, VALUE_HEIGHT, valueLegend, valueShapes } from './valueChart.js';
import { timeWords } from './words.js';

/** @typedef {{side: 'x'|'o', move: string, ms: number}} TimedMove */
/** @typedef {import('./valueChart.js').ShownValue} ShownValue */

const WIDTH = 1000;
const HALF = 100;
const GAP = 6; // in the middle
const UNDER_VALUES = 40; // for the marks of mistakes
const LEAST = 1.5; // so that an instant move is seen
const LIMIT_SHOWN = 4; // as often as high as the highest bar
const WIDEST = 40; // a column of a short game
const WIDEST_VALUED = 80;

export class TimeChart {
  /** @param {(ply: number) => void} onchoose is told the number of moves on the board then */
  constructor(onchoose) {
    this.onchoose = onchoose;
    /** @type {TimedMove[]} */
    this.moves = [];
    /** @type {Element[]} */
    this.columns = [];
    this.shown = 0;
    /** By ply. @type {(ShownValue|null)[]} */
    this.values = [];
    this.key = '';
    /** @type {number|null} */
    this.pointed = null;
    this.drawing = svg('svg', {
      class: 'times-drawing',
      preserveAspectRatio: 'none',
      role: 'group',
      'aria-label': t('chart.time.each'),
    });
    this.scale = el('span', { class: 'times-scale muted' });
    this.caption = el('p', { class: 'times-caption muted' });
    this.heading = el('h2', null);
    this.faults = el('div', { class: 'fault-marks', 'aria-hidden': 'true' });
    this.legend = el('p', { class: 'value-legend muted', hidden: true });
    const side = (/** @type {string} */ name) => el('span', { class: `times-side ${name}`, 'aria-hidden': 'true' });
    this.sides = { x: side('mark-x'), o: side('mark-o') };
    this.valueSides = { x: side('value-side mark-x'), even: side('value-side even'), o: side('value-side mark-o') };
    this.area = el(
      'div',
      { class: 'times-area' },
      Object.values(this.sides),
      Object.values(this.valueSides),
      this.drawing,
      this.faults,
    );
    this.node = el(
      'section',
      { class: 'panel times', 'aria-label': t('chart.time') },
      el('div', { class: 'times-head' }, this.heading, this.scale),
      this.area,
      this.caption,
      this.legend,
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
   * @param {{x?: number|null, o?: number|null}} [limits] what each side has for a move
   * @param {(ShownValue|null)[]} [values] of a review; null where a move is not judged
   */
  update(moves, names, shown, limits = {}, values = []) {
    this.node.hidden = !moves.length;
    const focused = this.drawing.contains(document.activeElement);
    const key = JSON.stringify([moves.length, names, values]);
    if (key !== this.key) {
      this.key = key;
      this.moves = moves;
      this.names = names;
      this.limits = limits;
      this.values = values.some(Boolean) ? values : [];
      this.draw();
    }
    this.shown = shown;
    this.columns.forEach((column, ply) => {
      column.classList.toggle('current', ply === shown - 1);
      setAttribute(column, 'aria-current', ply === shown - 1 ? 'step' : null);
      setAttribute(column, 'tabindex', ply === Math.max(0, shown - 1) ? '0' : '-1');
    });
    // Whoever steps through the moves from a bar goes along.
    if (focused)
      /** @type {SVGElement|undefined} */ (this.columns[Math.max(0, shown - 1)])?.focus({ preventScroll: true });
    this.tell();
  }

  draw() {
    const { moves } = this;
    const longest = Math.max(1, ...moves.map((move) => move.ms));
    const highest = Math.max(longest, ...this.drawnLimits(longest).map(([, ms]) => ms));
    const valued = this.values.length > 0;
    const step = Math.min(valued ? WIDEST_VALUED : WIDEST, WIDTH / moves.length);
    const width = step * moves.length;
    const above = valued ? VALUE_HEIGHT + UNDER_VALUES : 0;
    const height = above + 2 * HALF + GAP;
    this.drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.drawing.setAttribute('aria-label', t(valued ? 'chart.value.each' : 'chart.time.each'));
    this.node.style.setProperty('--times-share', String(width / WIDTH));
    this.columns = moves.map((move, ply) => {
      const tall = Math.max(LEAST, (HALF * move.ms) / highest);
      const bar = svg('rect', {
        class: `time-${move.side}`,
        x: ply * step + step * 0.12,
        y: above + (move.side === 'x' ? HALF - tall : HALF + GAP),
        width: step * 0.76,
        height: tall,
      });
      const area = svg('rect', { class: 'time-area', x: ply * step, y: 0, width: step, height });
      return svg(
        'g',
        { class: 'time-column', role: 'button', 'data-ply': ply, 'aria-label': this.words(ply) },
        area,
        bar,
      );
    });
    const across = (/** @type {number} */ y, /** @type {string} */ name) =>
      svg('line', { class: name, x1: 0, x2: width, y1: y, y2: y });
    const limits = this.drawnLimits(longest).map(([side, ms]) => {
      const tall = (HALF * ms) / highest;
      return across(above + (side === 'x' ? HALF - tall : HALF + GAP + tall), 'times-limit');
    });
    fill(
      this.drawing,
      across(above + HALF + GAP / 2, 'times-line'),
      this.columns,
      limits,
      valueShapes(this.values, step),
    );
    const scale = longest < 2 ? t('chart.scale.instant') : t('chart.scale', { time: timeWords(longest) });
    setText(this.scale, limits.length ? t('chart.scale.limits', { scale }) : scale);
    for (const [side, node] of Object.entries(this.sides))
      setText(node, this.names?.[/** @type {'x'|'o'} */ (side)] ?? '');
    this.dress(valued);
  }

  /** What stands around the drawing. @param {boolean} valued */
  dress(valued) {
    this.node.classList.toggle('valued', valued);
    const title = t(valued ? 'chart.value' : 'chart.time');
    this.node.setAttribute('aria-label', title);
    setText(this.heading, title);
    fill(this.faults, faultMarks(this.values));
    this.legend.hidden = !valued;
    if (!valued) return;
    setText(this.valueSides.x, t('chart.wins', { mark: this.names?.x }));
    setText(this.valueSides.even, t('chart.draw'));
    setText(this.valueSides.o, t('chart.wins', { mark: this.names?.o }));
    fill(this.legend, valueLegend(this.values));
  }

  /** The limits that do not press the bars flat. @param {number} longest @returns {['x'|'o', number][]} */
  drawnLimits(longest) {
    /** @type {['x'|'o', number|null|undefined][]} */
    const all = [
      ['x', this.limits?.x],
      ['o', this.limits?.o],
    ];
    return /** @type {['x'|'o', number][]} */ (all.filter(([, ms]) => ms && ms <= LIMIT_SHOWN * longest));
  }

  /** @param {number} ply */
  words(ply) {
    const move = this.moves[ply];
    const value = this.values[ply];
    const values = { ply: ply + 1, mark: this.names?.[move.side], move: move.move, time: timeWords(move.ms) };
    return value ? t('chart.move.valued', { ...values, value: value.words }) : t('chart.move', values);
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
    const used = (/** @type {string} */ side) =>
      timeWords(this.moves.filter((move) => move.side === side).reduce((sum, move) => sum + move.ms, 0));
    setText(this.caption, t('chart.all', { x: this.names?.x, x_time: used('x'), o: this.names?.o, o_time: used('o') }));
  }
}
