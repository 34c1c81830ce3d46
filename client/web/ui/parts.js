// @ts-check
// Parts of a page that are built anew only when what they show has changed, so that nobody loses the focus or a
// selection to a message that is about something else.

import { fill } from './dom.js';

/** What each part was last built of. */
export class Parts {
  constructor() {
    /** @type {Map<Element, string>} */
    this.built = new Map();
  }

  /** Builds them all anew next time. */
  clear() {
    this.built.clear();
  }

  /**
   * Builds the content of a part where `seen` differs from what it was built of. The focus stays on what has the same
   * `data-key`; `lost` is told where it was inside, and nothing like that is there any more.
   * @param {HTMLElement} part @param {unknown} seen @param {() => import('../types/page.js').Child} build @param {() => void} [lost]
   */
  update(part, seen, build, lost = () => {}) {
    const key = JSON.stringify(seen) ?? '';
    if (this.built.get(part) === key) return;
    this.built.set(part, key);
    const active = part.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const was = active?.dataset.key;
    fill(part, build());
    if (!active) return;
    const same = was && part.querySelector(`[data-key="${CSS.escape(was)}"]`);
    if (same instanceof HTMLElement) same.focus();
    else lost();
  }
}
