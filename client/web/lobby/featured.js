// @ts-check
// What an empty lobby shows to look at: a game that was played here, small, and two bots that would play at once.

import { positionAfter } from '../board/smallPosition.js';
import { shortGameName } from '../i18n/gameWords.js';
import { t } from '../i18n/language.js';
import { getJson, isLevels } from '../net/catalog.js';
import { button, el, fill } from '../ui/dom.js';
import { GameCard } from './gameCard.js';
import { levelName } from './levels.js';

/** @typedef {import('../types/page.js').GameAnswer} GameAnswer */

/** Newest games looked through for one that was played to its end. */
const LOOKED_AT = 20;
const ENDS = ['line', 'board_full', 'count', 'resignation', 'agreement'];

/** A finished game worth a look: one of the chosen kind if there is one, with more moves than others. Pure.
 * @param {GameAnswer[]} games @param {string} game */
export function worthALook(games, game) {
  const whole = games.filter((each) => each.termination !== null && ENDS.includes(each.termination));
  const same = whole.filter((each) => each.game === game);
  return (same.length ? same : whole).reduce(
    (best, each) => (best && (best.plies ?? 0) >= (each.plies ?? 0) ? best : each),
    /** @type {GameAnswer|null} */ (null),
  );
}

export class Featured {
  /** @param {import('../main.js').App} app @param {import('./createMessage.js').Only} only */
  constructor(app, only) {
    this.app = app;
    this.game = '';
    this.asked = 0;
    /** Whether there was no answer: then the next change of the lobby asks again. */
    this.failed = false;
    this.card = el('ul', { class: 'game-cards' });
    this.words = el('p', { class: 'empty' });
    this.node = el(
      'div',
      { class: 'featured' },
      this.card,
      el(
        'div',
        { class: 'stack' },
        this.words,
        button(t('lobby.empty.bots'), () => void only(() => this.letPlay())),
      ),
    );
  }

  /** @param {string} game the chosen kind */
  async show(game) {
    if (game === this.game && !this.failed) return;
    this.game = game;
    this.failed = false;
    const asked = ++this.asked;
    const card = await this.cardFor(game).catch(() => undefined); // without records there is no game to show
    if (asked !== this.asked) return;
    this.failed = card === undefined;
    fill(this.words, t(card ? 'lobby.empty.look' : 'lobby.empty'));
    fill(this.card, card);
  }

  /** @param {string} game */
  async cardFor(game) {
    const record = await this.find(game);
    return record && this.cardOf(record);
  }

  /** @param {string} game */
  async find(game) {
    const same = await getJson(`/api/games?limit=${LOOKED_AT}&game=${encodeURIComponent(game)}`);
    const games = worthALook(same.games, game) ? same.games : (await getJson(`/api/games?limit=${LOOKED_AT}`)).games;
    const best = worthALook(games, game);
    return best && getJson(`/api/games/${best.id}`);
  }

  /** @param {GameAnswer} record */
  async cardOf(record) {
    const rules = await this.app.catalog.rules(record.game);
    const card = new GameCard(`/game/${record.id}`, `game-${record.id}`, t('lobby.look'));
    const moves = [...record.start, ...(record.moves ?? []).map((move) => move.move)];
    card.tell(record, [shortGameName(rules), t('lobby.moves', { count: record.plies })], null);
    card.draw(rules, positionAfter(rules, moves, record.line ?? moves.slice(-1)));
    return card.node;
  }

  /** The two highest levels, slowly enough to be watched. */
  async letPlay() {
    try {
      const levels = (await this.app.catalog.bots(this.game)).find(isLevels);
      if (!levels) throw new Error(t('lobby.pick.none'));
      const highest = /** @type {number} */ (levels.parameters[0].max);
      await this.app.create({
        game: this.game,
        seat: 'none',
        bots: { x: levelName(levels, highest), o: levelName(levels, highest - 1) },
        pace: 'human',
      });
    } catch (error) {
      this.app.fail(error);
    }
  }
}
