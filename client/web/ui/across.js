// @ts-check
// A table that is wider than its place.

import { t } from '../i18n/language.js';
import { el, setAttribute } from './dom.js';

/** A table that may be wider than the screen: it scrolls in a frame of its own, then by keyboard too.
 * @param {string} label @param {HTMLElement} table */
export function across(label, table) {
  const frame = el('div', { class: 'across' }, table);
  new ResizeObserver(() => {
    const wide = frame.scrollWidth > frame.clientWidth;
    setAttribute(frame, 'role', wide ? 'region' : null);
    setAttribute(frame, 'aria-label', wide ? t('ladder.scrolls', { table: label }) : null);
    setAttribute(frame, 'tabindex', wide ? '0' : null);
  }).observe(frame);
  return frame;
}
