// @ts-check
// What a bot thinks, for whoever wants to know: what it has found so far, and below the board the moves that it
// expects. Looked at, by mouse or by focus, they are drawn on the board.

import { t } from '../i18n/language.js';
import { el, setText } from '../ui/dom.js';

const EXPECTED = 6;

/**
 * The moves that the bot to move, or the one that has just moved, expects from here on. Pure.
 * @param {import('../types/page.js').RoomState} room @param {Record<number, import('../types/page.js').Search>} searches what bots found, by ply
 * @returns {string[]}
 */
export function expected(room, searches) {
  const { game, thinking } = room;
  if (game.result) return [];
  if (thinking) return thinking.pv.slice(0, EXPECTED);
  return (searches[game.moves.length - 1]?.pv ?? []).slice(1, EXPECTED + 1);
}

export class Thoughts {
  /** @param {() => void} onlook is told when somebody begins or ends to look at the line */
  constructor(onlook) {
    this.looking = false;
    this.text = el('span');
    const look = (/** @type {boolean} */ on) => () => {
      if (this.looking === on) return;
      this.looking = on;
      onlook();
    };
    // Focus without the keyboard is a touch: it looks too, until something else is touched.
    const line = { onmouseenter: look(true), onmouseleave: look(false), onfocus: look(true), onblur: look(false) };
    this.line = el('button', {
      type: 'button',
      class: 'thought-line quiet',
      title: t('thoughts.line'),
      hidden: true,
      ...line,
    });
    this.node = el('p', { class: 'thinking muted', hidden: true }, this.text, ' ', this.line);
  }

  /**
   * A touch of the board that ends the look only ends it: what it hits may be a move that is not there.
   * @param {Element} board
   */
  guard(board) {
    let ends = false;
    board.addEventListener(
      'pointerdown',
      (e) => (ends = this.looking && /** @type {PointerEvent} */ (e).pointerType === 'touch'),
      true,
    );
    board.addEventListener(
      'click',
      (e) => {
        // A click made by a key has no detail.
        if (ends && /** @type {MouseEvent} */ (e).detail > 0) e.stopPropagation();
        ends = false;
      },
      true,
    );
  }

  /** @param {string} words @param {string[]} line */
  show(words, line) {
    setText(this.text, words || (line.length ? t('thoughts.expects') : ''));
    setText(this.line, line.join(' '));
    this.line.hidden = !line.length;
    if (!line.length) this.looking = false;
    this.node.hidden = !words && !line.length;
  }
}
