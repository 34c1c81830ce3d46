// @ts-check
// A game in a list: its position drawn small, who plays, and what is played. The whole card is one link.

import { SmallBoard } from '../board/smallBoard.js';
import { t } from '../i18n/language.js';
import { ratingWords } from '../room/words.js';
import { el, fill, personName, setText } from '../ui/dom.js';
import { marks } from '../ui/settings.js';

/** @typedef {import('../types/page.js').Side} Side */

export class GameCard {
  /**
   * @param {string} href @param {string} key tells it apart in its list
   * @param {string} verb what the link does, for those who do not see the board
   */
  constructor(href, key, verb) {
    this.key = key;
    this.frame = el('span', { class: 'card-board' });
    this.names = { x: el('span', { class: 'card-name' }), o: el('span', { class: 'card-name' }) };
    this.about = el('small', { class: 'card-about' });
    this.node = el(
      'li',
      { class: 'game-card' },
      el(
        'a',
        { href, 'data-key': key },
        this.frame,
        el('span', { class: 'spoken-only' }, verb, ' '),
        this.names.x,
        this.names.o,
        this.about,
      ),
    );
    this.shown = '';
    /** @type {SmallBoard|null} */
    this.board = null;
  }

  /**
   * @param {Record<Side, import('../types/page.js').ListedPlayer>} players
   * @param {(string|false|null|undefined)[]} about @param {Side|null} toMove
   */
  tell(players, about, toMove) {
    this.node.classList.remove('over'); // it may be listed again
    const shown = JSON.stringify([players, toMove]);
    if (shown !== this.shown) {
      this.shown = shown;
      for (const side of /** @type {Side[]} */ (['x', 'o'])) {
        const { name, rating } = players[side];
        this.names[side].classList.toggle('to-move', side === toMove);
        fill(
          this.names[side],
          el('b', { class: `mark-${side}` }, marks()[side]),
          ' ',
          personName(name),
          rating && el('span', { class: 'card-rating' }, ` ${ratingWords(rating)}`),
          ' ',
        );
      }
    }
    setText(this.about, about.filter(Boolean).join(' · '));
  }

  /**
   * @param {import('../types/page.js').Rules} rules @param {import('../board/smallPosition.js').SmallPosition} position
   */
  draw(rules, position) {
    if (this.board?.rules !== rules) {
      this.board = new SmallBoard(rules);
      fill(this.frame, this.board.node);
    }
    this.board.draw(position);
  }

  /** The game has ended, or has gone to where it is not listed: the card keeps its place for a while. */
  end() {
    this.node.classList.add('over');
    setText(this.about, t('lobby.running.over'));
  }
}
