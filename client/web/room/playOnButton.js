// @ts-check
// The button that leads on from a position of a game, where there is one to play on from.

import { isFinished } from '../board/finished.js';
import { t } from '../i18n/language.js';
import { loaded } from '../net/errors.js';
import { button } from '../ui/dom.js';

export class PlayOnButton {
  /** @param {import('../main.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {import('./playOn.js').From} */
    this.from = { game: '', start: [] };
    this.node = button(t('playon.open'), () => void this.open(), {
      hidden: true,
      title: t('playon.open.meaning'),
      'data-key': 'playon',
    });
  }

  /**
   * @param {import('../types/page.js').Rules} rules
   * @param {string[]|null} moves to the position, the start included; null where none is to be offered
   */
  update(rules, moves) {
    this.node.hidden = moves === null || isFinished(rules, moves);
    this.from = { game: rules.id, start: moves ?? [] };
  }

  async open() {
    const { from } = this;
    try {
      const { openPlayOn } = await loaded(import('./playOn.js')); // seldom needed
      await openPlayOn(this.app, from);
    } catch (error) {
      this.app.fail(error);
    }
  }
}
