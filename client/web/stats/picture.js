// @ts-check
// A picture of the statistics with its labels in the page's language. The server draws every picture once, in English and
// with text that stays text: here the words are replaced, and what is longer than its place is made to fit.

import { el } from '../ui/dom.js';
import { native } from './words.js';

const TEXT = /<text style="([^"]*)" x="([^"]*)" y="([^"]*)"([^>]*)>([^<]*)<\/text>/g;
const SIZE = /<svg([^>]*?) width="[^"]*" height="[^"]*" viewBox="0 0 (\S+) (\S+)"/;
/** Between a label of a legend and the next, with what that one stands beside. */
const GAP = 21;
const LINE = 1.2;
/** So that the page does not jump much. */
const UNDRAWN = asUrl('<svg xmlns="http://www.w3.org/2000/svg" width="353" height="240"/>');

/** @typedef {{title: string, url: string}} Picture */
/** @typedef {import('./words.js').Words} Words */
/** A text of a picture, and where it stands.
 * @typedef {{style: string, x: number, y: number, rest: string, text: string, font: string, size: number, anchor: string, turned: boolean}} Label */

/** What an image does once it is near. @type {WeakMap<Element, () => void>} */
const waiting = new WeakMap();
const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      waiting.get(target)?.();
    }
  },
  { rootMargin: '50%' },
);
const measuring = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));

/** @param {Picture} picture @param {import('../types/page.js').Properties} properties @param {Words} words */
export function pictureImage(picture, properties, words) {
  if (native) return el('img', { ...properties, src: picture.url, loading: 'lazy', decoding: 'async' });
  const image = el('img', { ...properties, src: UNDRAWN, decoding: 'async' });
  waiting.set(image, async () => {
    image.src = await translated(picture, words).catch(() => picture.url);
  });
  near.observe(image);
  return image;
}

/** @param {Picture} picture @param {Words} words */
async function translated(picture, words) {
  const answer = await fetch(picture.url);
  if (!answer.ok) return picture.url;
  return asUrl(inWords(await answer.text(), words.of(picture.title), words));
}

/**
 * A picture with other words; it grows where its title needs more lines.
 * @param {string} svg @param {string} title @param {Words} words
 */
export function inWords(svg, title, words) {
  const [, , width, height] = (SIZE.exec(svg) ?? []).map(Number);
  if (!width) return svg;
  const all = [...svg.matchAll(TEXT)].map(label);
  const bold = all.filter((one) => one.font.startsWith('700'));
  const [first] = bold;
  const lines = first ? wrapped(title, first, width - 2 * first.x) : [];
  const above = first ? Math.max(0, lines.length - bold.length) * first.size * LINE : 0;
  const heading = lines.map((line, i) =>
    drawn({ ...first, y: first.y - above + i * first.size * LINE, rest: '' }, line, width - 2 * first.x),
  );
  const texts = all.map((one) => {
    if (bold.includes(one)) return one === first ? heading.join('') : '';
    const free = room(one, all, width, height);
    return drawn(one, worded(one, free, words), free);
  });
  return svg
    .replace(TEXT, () => texts.shift() ?? '')
    .replace(
      SIZE,
      `<svg$1 width="${width}pt" height="${height + above}pt" viewBox="0 ${-above} ${width} ${height + above}"`,
    );
}

/** @param {RegExpMatchArray} found @returns {Label} */
function label([, style, x, y, rest, text]) {
  const of = (/** @type {string} */ name) => new RegExp(`${name}: ([^;]*)`).exec(style)?.[1] ?? '';
  return {
    style,
    x: Number(x),
    y: Number(y),
    rest,
    text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    font: `${of('font-weight') || 400} ${of('font-size')} ${of('font-family')}`,
    size: Number.parseFloat(of('font-size')),
    anchor: of('text-anchor'),
    turned: rest.includes('rotate(-90'),
  };
}

/** A label's words, in short if they are too long. @param {Label} one @param {number} room @param {Words} words */
function worded(one, room, words) {
  const text = words.of(one.text);
  return widthOf(text, one) > room ? words.of(one.text, true) : text;
}

/**
 * How wide a label may be: as far as the next on its line, or to the edge, and as wide as it was.
 * @param {Label} one @param {Label[]} all @param {number} width @param {number} height
 */
function room(one, all, width, height) {
  const [along, across, end] = one.turned
    ? /** @type {const} */ (['y', 'x', height])
    : /** @type {const} */ (['x', 'y', width]);
  const others = all
    .filter((other) => other !== one && other.turned === one.turned && Math.abs(other[across] - one[across]) < 1)
    .map((other) => other[along] - one[along]);
  const was = widthOf(one.text, one);
  if (one.anchor === 'end') return Math.max(was, one.x);
  if (one.anchor === 'start')
    return Math.max(was, Math.min(end - one[along], ...others.filter((far) => far > 0).map((far) => far - GAP)));
  return Math.max(was, Math.min(2 * one[along], 2 * (end - one[along]), ...others.map(Math.abs)));
}

/** The title on as few lines as it needs. @param {string} title @param {Label} like @param {number} room */
function wrapped(title, like, room) {
  /** @type {string[]} */
  const lines = [];
  for (const word of title.split(' ')) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && widthOf(longer, like) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** @param {Label} one @param {string} text @param {number} room */
function drawn({ style, x, y, rest, ...one }, text, room) {
  const fit =
    widthOf(text, one) > room && text !== one.text ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text style="${style}" x="${x}" y="${y}"${rest}${fit}>${escaped}</text>`;
}

/** @param {string} text @param {{font: string}} like */
function widthOf(text, { font }) {
  measuring.font = font;
  return measuring.measureText(text).width;
}

/** @param {string} svg */
function asUrl(svg) {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
