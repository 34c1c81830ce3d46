// The marks of the page: X is two strokes, O is a ring. Whatever else somebody has chosen for a mark is shown as text.

import { svg } from './dom.ts';

/** A mark fills this box with a little room around it. */
export const BOX = '3 3 18 18';

/** The strokes of what is drawn, in the order in which a hand draws them. */
export const STROKES: Record<string, readonly string[]> = {
  X: ['M6 6 18 18', 'M18 6 6 18'],
  O: ['M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13'],
};

export function isDrawn(name: string) {
  return Object.hasOwn(STROKES, name);
}

/** A drawn mark with its name for whoever does not see it; without one where that is told beside it. */
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

/** Puts a mark, or nothing, into an element. Does nothing where it is there already. */
export function setMark(element: Element, name: string): SVGElement | null {
  if (element.textContent === name) return null;
  const mark = isDrawn(name) ? drawn(name) : null;
  element.replaceChildren(mark ?? name);
  return mark;
}

// Many at once: parts of the path of a drawing

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
