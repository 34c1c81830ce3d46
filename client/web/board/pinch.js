// @ts-check
// Two fingers make what a pane shows larger and smaller; what lies between them stays there. One finger pans, which the
// browser does by itself.

const MOST_PX = 88;

/** What lies at a point: an element, and where in it as shares of its width and height.
 * @typedef {{element: Element, across: number, down: number}} Anchor */

/**
 * @param {HTMLElement} pane
 * @param {{active: () => boolean, size: () => number, least: () => number, resize: (px: number) => void, end: () => void}} content
 *   `size` of a cell, which may not be below `least`; `end` is told when the fingers go
 */
export function pinchable(pane, content) {
  /** @type {{distance: number, size: number, anchor: Anchor|null}|null} */
  let from = null;
  const waits = { passive: false }; // else the browser has begun to zoom the page

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

/** @param {TouchList} touches */
function distance([one, two]) {
  return Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
}

/** @param {TouchList} touches */
function middle([one, two]) {
  return [(one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2];
}

/** @param {number[]} point @returns {Anchor|null} */
function anchorAt([x, y]) {
  const element = document.elementFromPoint(x, y);
  if (!element) return null;
  const box = element.getBoundingClientRect();
  return { element, across: (x - box.left) / box.width, down: (y - box.top) / box.height };
}

/**
 * Scrolls the pane until the anchor lies at the point.
 * @param {HTMLElement} pane @param {Anchor} anchor @param {number[]} point
 */
function bring(pane, { element, across, down }, [x, y]) {
  const box = element.getBoundingClientRect();
  pane.scrollBy(box.left + across * box.width - x, box.top + down * box.height - y);
}
