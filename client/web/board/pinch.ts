// Two fingers zoom a pane around the point between them. One finger pans, which the browser does by itself.

const MOST_PX = 88;

/** What is at a point: an element, and the position in it as fractions of its width and height. */
export type Anchor = { element: Element; across: number; down: number };

/**
 * @param content
 * its `size` is that of a cell, at least `least`; `end` is called when the fingers lift
 */
export function pinchable(
  pane: HTMLElement,
  content: {
    active: () => boolean;
    size: () => number;
    least: () => number;
    resize: (px: number) => void;
    end: () => void;
  },
) {
  let from: { distance: number; size: number; anchor: Anchor | null } | null = null;
  const waits = { passive: false }; // otherwise the browser would zoom the page first

  pane.addEventListener(
    'touchstart',
    (event) => {
      from = null;
      if (event.touches.length !== 2 || !content.active()) return;
      event.preventDefault();
      from = { distance: distance(event.touches), size: content.size(), anchor: anchorAt(middle(event.touches)) };
    },
    waits,
  );

  pane.addEventListener(
    'touchmove',
    (event) => {
      if (!from || event.touches.length !== 2) return;
      event.preventDefault();
      const wanted = (from.size * distance(event.touches)) / Math.max(1, from.distance);
      content.resize(Math.round(Math.min(MOST_PX, Math.max(content.least(), wanted))));
      if (from.anchor) bring(pane, from.anchor, middle(event.touches));
    },
    waits,
  );

  for (const type of ['touchend', 'touchcancel']) {
    pane.addEventListener(type, () => {
      if (from) content.end();
      from = null;
    });
  }
}

function distance([one, two]: TouchList) {
  return Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
}

function middle([one, two]: TouchList) {
  return [(one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2];
}

function anchorAt([x, y]: number[]): Anchor | null {
  const element = document.elementFromPoint(x, y);
  if (!element) return null;
  const box = element.getBoundingClientRect();
  return { element, across: (x - box.left) / box.width, down: (y - box.top) / box.height };
}

/** Scrolls the pane until the anchor is at the point. */
function bring(pane: HTMLElement, { element, across, down }: Anchor, [x, y]: number[]) {
  const box = element.getBoundingClientRect();
  pane.scrollBy(box.left + across * box.width - x, box.top + down * box.height - y);
}
