// The page's marks: X is two strokes, O is a ring. Any other mark that a player chose is shown as text.

import { svg } from './dom.ts';

/** The size of the box around a mark, with a small margin. */
export const BOX = '3 3 18 18';

/** The strokes of a mark, in drawing order. */
export const STROKES: Record<string, readonly string[]> = {
  X: ['M6 6 18 18', 'M18 6 6 18'],
  O: ['M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13'],
};

export function isDrawn(name: string) {
  return Object.hasOwn(STROKES, name);
}

/** A drawn mark; its name is for screen readers, and left out where text beside it says the same. */
export function drawn(name: string, told = true) {
  const mark = svg(
    'svg',
    { class: 'mark', viewBox: BOX, ...(told ? { role: 'img' } : { 'aria-hidden': 'true' }) },
    ...STROKES[name].map((d) => svg('path', { d, pathLength: 1 })),
  );
  if (told) {
    const title = svg('title', {});
    title.textContent = name;
    mark.prepend(title);
  }
  return mark;
}

/** Puts a mark, or nothing, into an element; does nothing if it already shows that. */
export function setMark(element: Element, name: string): SVGElement | null {
  if (element.textContent === name) return null;
  const mark = isDrawn(name) ? drawn(name) : null;
  element.replaceChildren(mark ?? name);
  return mark;
}

// several at once, as subpaths

export type Place = { x: number; y: number };

export function crosses(places: Place[], r: number) {
  return places
    .map(({ x, y }) => `M${round(x - r)} ${round(y - r)}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`)
    .join('');
}

export function noughts(places: Place[], r: number) {
  return places
    .map(({ x, y }) => `M${round(x)} ${round(y - r)}a${r} ${r} 0 1 0 0 ${2 * r}a${r} ${r} 0 1 0 0 ${-2 * r}`)
    .join('');
}

export function round(length: number) {
  return Math.round(length * 100) / 100;
}
