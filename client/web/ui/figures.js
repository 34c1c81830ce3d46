// @ts-check
// Numbers as text and as small pictures: what the pages of ladders and players share. Pure but for the elements it makes.

import { date, number, t } from '../i18n/language.js';
import { el, svg } from './dom.js';

/** @typedef {import('../types/page.js').BotLimit|null} Limit */

/** "21 Nov 2026, 18:05" in this browser's time zone. @param {number} ms Unix time */
export function whenWords(ms) {
  return date(ms, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** A number with so many digits after the point. @param {number} value @param {number} digits */
export function decimals(value, digits) {
  return number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number without groups of digits: for ids and ratings. @param {number} value */
export function plain(value) {
  return number(value, { useGrouping: false });
}

/** "12½" @param {number} points */
export function pointsWords(points) {
  const whole = Math.floor(points);
  return points > whole ? `${whole ? number(whole) : ''}½` : number(whole);
}

/** A rating or a difference of ratings, rounded: "+31", "−180", "0". @param {number} elo */
export function eloWords(elo) {
  const rounded = Math.round(elo);
  return rounded > 0 ? `+${plain(rounded)}` : rounded < 0 ? `−${plain(-rounded)}` : plain(0);
}

/** "62 %"; never a whole "100 %" or "0 %" where a little is missing. @param {number} share from 0 to 1 */
export function percentWords(share) {
  const percent = share * 100;
  const shown = (/** @type {number} */ rounded) => t('figures.percent', { percent: number(rounded) });
  if (percent > 99 && percent < 100) return shown(Math.min(99.9, Number(percent.toFixed(1))));
  if (percent > 0 && percent < 1) return shown(Math.max(0.1, Number(percent.toFixed(1))));
  return shown(Math.round(percent));
}

/**
 * Of the points, what a bot makes that is so many Elo ahead, moving first counted in: Davidson's model, as the ratings.
 * @param {number} elo @param {number} drawing draws to wins of either side between equals
 */
export function shareAt(elo, drawing) {
  const lead = Math.exp((elo * Math.LN10) / 800);
  return (lead + drawing / 2) / (lead + drawing + 1 / lead);
}

/** What a bot of a list may spend on a move. @param {Limit} limit */
export function limitWords(limit) {
  if (limit?.nodes) return t('figures.limit.nodes', { count: limit.nodes });
  if (limit?.depth) return t('figures.limit.depth', { count: limit.depth });
  if (limit?.move_ms) return t('figures.limit.seconds', { seconds: limit.move_ms / 1000 });
  return t('figures.limit.own');
}

/** A think time: "12 ms", "1.3 s"; the records' finest is a millisecond. @param {number} ms */
export function timeWords(ms) {
  if (ms < 1) return t('figures.time.instant');
  if (ms < 1000) return t('figures.time.ms', { ms });
  if (ms < 60_000) return t('figures.time.s', { seconds: decimals(ms / 1000, 1) });
  return t('figures.time.min', { minutes: Math.floor(ms / 60_000), seconds: Math.round((ms % 60_000) / 1000) });
}

/** How sure one may be of who is stronger, in a word or two. @param {number} superiority from 0 to 1 */
export function sureWords(superiority) {
  if (superiority >= 0.99) return t('figures.sure.almost');
  if (superiority >= 0.95) return t('figures.sure.very');
  if (superiority >= 0.8) return t('figures.sure.likely');
  return superiority >= 0.6 ? t('figures.sure.perhaps') : t('figures.sure.open');
}

/**
 * A rating and its 95 % interval as a dot on a bar; the numbers stand beside it as text.
 * @param {{low: number, rating: number, high: number}} of @param {{low: number, high: number}} scale
 */
export function intervalBar({ low, rating, high }, scale) {
  const place = (/** @type {number} */ value) =>
    `${(100 * (value - scale.low)) / Math.max(1e-9, scale.high - scale.low)}%`;
  return el(
    'span',
    {
      class: 'interval',
      'aria-hidden': 'true',
      vars: { '--low': place(low), '--at': place(rating), '--high': place(high), '--zero': place(0) },
    },
    el('span', { class: 'interval-zero' }),
    el('span', { class: 'interval-bar' }),
    el('span', { class: 'interval-dot' }),
  );
}

/**
 * Three counts as one bar: what X won, what was drawn, what O won.
 * @param {number} x @param {number} drawn @param {number} o
 */
export function resultBar(x, drawn, o) {
  const part = (/** @type {string} */ name, /** @type {number} */ count) =>
    count > 0 && el('span', { class: `outcome-${name}`, vars: { '--part': count } });
  return el('span', { class: 'results', 'aria-hidden': 'true' }, part('x', x), part('drawn', drawn), part('o', o));
}

const CHART = { width: 640, height: 220, left: 72, right: 12, top: 12, bottom: 30 };

/**
 * A line over its points in order, with a band around it.
 * @param {{value: number, low: number, high: number}[]} points @param {string} description for those who do not see it
 * @param {string} below what the points are
 */
export function lineChart(points, description, below) {
  const { width, height, left, right, top, bottom } = CHART;
  const ticks = scaleTicks(Math.min(...points.map((p) => p.low)), Math.max(...points.map((p) => p.high)));
  const [lowest, highest] = [ticks[0], ticks[ticks.length - 1]];
  const x = (/** @type {number} */ i) => left + ((width - left - right) * i) / Math.max(1, points.length - 1);
  const y = (/** @type {number} */ value) => top + ((height - top - bottom) * (highest - value)) / (highest - lowest);
  const path = (/** @type {number[][]} */ places) =>
    `M${places.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join('L')}`;
  const band = [...points.map((p, i) => [x(i), y(p.high)]), ...points.map((p, i) => [x(i), y(p.low)]).reverse()];
  const last = points[points.length - 1];
  /** @type {SVGElement[]} */
  const parts = ticks.flatMap((tick) => [
    svg('line', { x1: left, x2: width - right, y1: y(tick), y2: y(tick), class: 'chart-rule' }),
    text(left - 8, y(tick) + 4, plain(tick), 'end'),
  ]);
  parts.push(
    svg('path', { d: `${path(band)}Z`, class: 'chart-band' }),
    svg('path', { d: path(points.map((p, i) => [x(i), y(p.value)])), class: 'chart-line' }),
    svg('circle', { cx: x(points.length - 1), cy: y(last.value), r: 4, class: 'chart-dot' }),
    text(left, height - 8, '1', 'start'),
    text((left + width - right) / 2, height - 8, below, 'middle'),
    text(width - right, height - 8, number(points.length), 'end'),
  );
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': description },
    ...parts,
  );
}

/** @param {number} x @param {number} y @param {string} words @param {string} anchor */
function text(x, y, words, anchor) {
  const element = svg('text', { x, y, 'text-anchor': anchor, class: 'chart-text' });
  element.textContent = words;
  return element;
}

/**
 * Round values from below the lowest to above the highest, three to seven of them.
 * @param {number} low @param {number} high
 */
export function scaleTicks(low, high) {
  const step = [10, 20, 50, 100, 200, 500, 1000].find((size) => (high - low) / size <= 5) ?? 2000;
  const ticks = [];
  for (let tick = Math.floor(low / step) * step; tick < high + step || ticks.length < 2; tick += step) ticks.push(tick);
  return ticks;
}
