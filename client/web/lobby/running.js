// @ts-check
// Running games as small live boards. A card keeps its place for as long as its game is listed, and new games take the
// places of those that ended: what one is about to press does not move.

import { listedPosition } from '../board/smallPosition.js';
import { shortGameName } from '../i18n/gameWords.js';
import { t } from '../i18n/language.js';
import { clockWords } from '../room/clock.js';
import { button, el, fill, setText } from '../ui/dom.js';
import { GameCard } from './gameCard.js';

/** @typedef {import('../types/page.js').RunningRoom} RunningRoom */

/** Boards shown at once on a narrow screen; as many as come elsewhere. */
const NARROW = 4;

/**
 * What stands in which place: games that are still listed stay, new ones come where others left, else at the end.
 * With `held` the games that left keep their places, and nothing comes to the end. Pure.
 * @param {string[]} before @param {string[]} listed @param {boolean} held @returns {string[]}
 */
export function places(before, listed, held) {
  const fresh = listed.filter((id) => !before.includes(id));
  if (held) return before;
  const kept = before.map((id) => (listed.includes(id) ? id : (fresh.shift() ?? ''))).filter(Boolean);
  return [...kept, ...fresh];
}

export class RunningGames {
  /** @param {import('../main.js').App} app @param {() => boolean} held whether nothing may move just now */
  constructor(app, held) {
    this.app = app;
    this.held = held;
    this.all = !matchMedia('(max-width: 40rem)').matches;
    /** @type {Map<string, GameCard>} */
    this.cards = new Map();
    /** @type {string[]} */
    this.order = [];
    this.heading = el('h2', null, t('lobby.running'));
    this.list = el('ul', { class: 'game-cards' });
    this.more = button('', () => this.showAll(), { class: 'quiet', hidden: true });
    this.rest = el('ul', { class: 'rest' });
    this.none = el('div', { class: 'none' });
    this.node = el('section', { class: 'panel running' }, this.heading, this.list, this.more, this.rest, this.none);
  }

  /** @param {RunningRoom[]|null} rooms null while they are not known */
  update(rooms) {
    const boards = (rooms ?? []).filter((room) => room.board);
    const others = (rooms ?? []).filter((room) => !room.board);
    this.order = places(
      this.order,
      boards.map((room) => room.room),
      this.held(),
    );
    const listed = new Map(boards.map((room) => [room.room, room]));
    for (const [id, card] of this.cards) {
      if (!this.order.includes(id)) this.cards.delete(id);
      else if (!listed.has(id)) card.end();
    }
    this.order.forEach((id, place) => {
      const room = listed.get(id);
      if (!room) return;
      let card = this.cards.get(id);
      if (!card) {
        card = new GameCard(`/room/${encodeURIComponent(id)}`, id, t('lobby.watch'));
        this.cards.set(id, card);
      }
      this.tell(card, room);
      card.node.hidden = !this.all && place >= NARROW;
    });
    this.arrange();
    this.more.hidden = this.all || this.order.length <= NARROW;
    setText(this.more, t('lobby.running.all', { count: this.order.length }));
    if (!this.held())
      fill(
        this.rest,
        others.map((room) => this.row(room)),
      );
    this.rest.hidden = !this.rest.firstChild;
    this.none.hidden = rooms === null || this.order.length > 0;
    return this.order.length;
  }

  /** Puts the cards in their order, and touches none that stands right. */
  arrange() {
    /** @type {Element[]} */
    const nodes = this.order.flatMap((id) => this.cards.get(id)?.node ?? []);
    for (const node of [...this.list.children]) if (!nodes.includes(node)) node.remove();
    nodes.forEach((node, place) => {
      if (this.list.children[place] !== node) this.list.insertBefore(node, this.list.children[place] ?? null);
    });
  }

  /** @param {GameCard} card @param {RunningRoom} room */
  tell(card, room) {
    const marks = room.board ?? '';
    const toMove = count(marks, 'x') > count(marks, 'o') ? 'o' : 'x';
    card.tell(room, [shortGameName({ id: room.game }), ...details(room)], toMove);
    const rules = this.app.catalog.known.get(room.game);
    if (rules) {
      const position = listedPosition(rules, room);
      if (position) card.draw(rules, position);
    } else
      void this.app.catalog
        .rules(room.game)
        .then(() => this.cards.get(room.room) === card && this.tell(card, room))
        .catch(() => {}); // told without its board
  }

  /** A game beyond those with boards. @param {RunningRoom} room */
  row(room) {
    const what = t('lobby.running.row', { x: room.x.name, o: room.o.name });
    return el(
      'li',
      null,
      el(
        'span',
        { class: 'row-what' },
        el('strong', null, this.app.catalog.name(room.game)),
        el('small', null, [what, ...details(room)].join(' · ')),
      ),
      el(
        'a',
        { class: 'button', href: `/room/${encodeURIComponent(room.room)}`, 'data-key': room.room },
        t('lobby.watch'),
      ),
    );
  }

  showAll() {
    this.all = true;
    for (const card of this.cards.values()) card.node.hidden = false;
    this.more.hidden = true;
    /** @type {HTMLElement|null} */ (this.list.children[NARROW]?.querySelector('a'))?.focus();
  }
}

/** @param {RunningRoom} room */
function details(room) {
  return [
    t('lobby.moves', { count: room.plies }),
    room.clock && clockWords(room.clock),
    room.rated && t('lobby.rated'),
  ].filter(Boolean);
}

/** @param {string} text @param {string} character */
function count(text, character) {
  return text.split(character).length - 1;
}
