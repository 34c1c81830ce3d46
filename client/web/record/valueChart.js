// @ts-check
// The value of a reviewed game, move by move, from X's side: the upper part of the chart. What is proven is filled up to
// the edge, estimates are pale and dashed, and stay off it.

import { t } from '../i18n/language.js';
import { el, svg } from '../ui/dom.js';

/**
 * @typedef {{value: number, exact: boolean, grade: import('./reviewWords.js').Grade, words: string}} ShownValue -1 to 1
 */

export const VALUE_HEIGHT = 240;
const MIDDLE = VALUE_HEIGHT / 2;

/** @param {number} value */
function level(value) {
  return MIDDLE * (1 - value);
}

/** @param {(ShownValue|null)[]} values by ply @param {number} step the width of a column @returns {Element[]} */
export function valueShapes(values, step) {
  const width = step * values.length;
  const across = (/** @type {number} */ y, /** @type {string} */ name) =>
    svg('line', { class: name, x1: 0, x2: width, y1: y, y2: y });
  /** @type {SVGElement[]} */
  const shapes = [across(0, 'value-rule'), across(VALUE_HEIGHT, 'value-rule'), across(MIDDLE, 'times-line')];
  for (const { from, to, shown } of runs(values)) {
    const y = level(shown.value);
    const [x, long] = [from * step, (to - from) * step];
    const kind = shown.exact ? 'exact' : 'estimated';
    if (y !== MIDDLE) {
      const area = { x, y: Math.min(y, MIDDLE), width: long, height: Math.abs(MIDDLE - y) };
      shapes.push(svg('rect', { class: `value-area value-${y < MIDDLE ? 'x' : 'o'} ${kind}`, ...area }));
    }
    shapes.push(svg('path', { class: `value-edge ${kind}`, d: `M${x} ${y}h${long}` }));
    const before = values[from - 1];
    if (before) shapes.push(svg('path', { class: 'value-turn', d: `M${x} ${level(before.value)}V${y}` }));
  }
  return shapes;
}

/**
 * Moves of the same value in one piece: pieces side by side would show their seams.
 * @param {(ShownValue|null)[]} values
 */
function runs(values) {
  /** @type {{from: number, to: number, shown: ShownValue}[]} */
  const found = [];
  values.forEach((shown, ply) => {
    if (!shown) return;
    const last = found.at(-1);
    if (last?.to === ply && last.shown.value === shown.value && last.shown.exact === shown.exact) last.to = ply + 1;
    else found.push({ from: ply, to: ply + 1, shown });
  });
  return found;
}

/**
 * Triangles under the columns of what went wrong: a full one where that is proven.
 * @param {(ShownValue|null)[]} values @returns {HTMLElement[]}
 */
export function faultMarks(values) {
  return values.flatMap((shown, ply) => {
    if (shown?.grade !== 'mistake' && shown?.grade !== 'doubtful') return [];
    return [el('span', { vars: { '--at': (ply + 0.5) / values.length } }, triangle(shown.grade))];
  });
}

/** @param {string} grade */
function triangle(grade) {
  return svg('svg', { viewBox: '0 0 12 12', class: `fault-mark ${grade}` }, svg('path', { d: 'M6 1.5L11 10.5H1z' }));
}

/** What the signs mean, of those that are there. @param {(ShownValue|null)[]} values */
export function valueLegend(values) {
  const has = (/** @type {(shown: ShownValue) => boolean} */ test) => values.some((shown) => shown && test(shown));
  const entry = (/** @type {import('../ui/dom.js').Child} */ sign, /** @type {string} */ words) =>
    el('span', null, sign, ' ', words);
  return [
    has((shown) => shown.exact) && entry(el('span', { class: 'key exact' }), t('chart.proven')),
    has((shown) => !shown.exact) && entry(el('span', { class: 'key estimated' }), t('chart.estimated')),
    has((shown) => shown.grade === 'mistake') && entry(triangle('mistake'), t('chart.mistake')),
    has((shown) => shown.grade === 'doubtful') && entry(triangle('doubtful'), t('chart.doubtful')),
  ];
}
