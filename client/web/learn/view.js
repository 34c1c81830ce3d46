// @ts-check
// Learning a game: its rules in a picture and three sentences, a guided first game, and puzzles. Loaded on demand.

import { picture } from '../board/picture.js';
import { gameName, gameSentences } from '../i18n/gameWords.js';
import { t } from '../i18n/language.js';
import { botName, isLevels } from '../net/catalog.js';
import { el, fill, setAttribute } from '../ui/dom.js';
import { GuidedGame } from './guidedGame.js';
import { rulesPicture } from './picture.js';
import { Puzzles, puzzlesOf } from './puzzles.js';

/** @typedef {import('../types/page.js').Rules} Rules */

/** Parts of a game's page, by the fragment of its address. */
const PARTS = ['rules', 'game', 'puzzles'];

/** @param {Rules} rules @param {string} [part] */
export function learnLink(rules, part) {
  return `/learn/${encodeURIComponent(rules.id)}${part ? `#${part}` : ''}`;
}

/** All games. */
export class LearnView {
  /** @param {import('../main.js').App} app */
  constructor(app) {
    this.app = app;
    this.title = t('learn.title');
    this.mounted = true;
    this.list = el('ul', { class: 'learn-games' });
    this.node = el(
      'div',
      { class: 'learn' },
      el('h1', { tabindex: -1 }, t('learn.title')),
      el('p', { class: 'learn-lead' }, t('learn.lead')),
      this.list,
    );
    void this.load();
  }

  unmount() {
    this.mounted = false;
  }

  async load() {
    try {
      const games = await this.app.catalog.games();
      if (this.mounted)
        fill(
          this.list,
          games.map((rules) =>
            el(
              'li',
              null,
              el(
                'a',
                { class: 'learn-card', href: learnLink(rules) },
                picture(rules),
                el('span', null, gameName(rules)),
              ),
            ),
          ),
        );
    } catch (error) {
      if (this.mounted) this.app.fail(error);
    }
  }
}

/** One game. */
export class LearnGameView {
  /** @param {import('../main.js').App} app @param {string} game @param {string} part */
  constructor(app, game, part) {
    this.app = app;
    this.title = t('learn.title');
    this.part = PARTS.includes(part) ? part : 'rules';
    this.mounted = true;
    this.head = el('h1', { tabindex: -1 }, t('learn.title'));
    this.parts = el('nav', { class: 'learn-parts', 'aria-label': t('learn.parts') });
    this.body = el('div', { class: 'learn-body' });
    this.node = el(
      'div',
      { class: 'learn' },
      el('div', { class: 'learn-head' }, this.head, el('a', { class: 'learn-all', href: '/learn' }, t('learn.all'))),
      this.parts,
      this.body,
    );
    void this.load(game);
  }

  unmount() {
    this.mounted = false;
  }

  /** @param {string} game */
  async load(game) {
    let rules;
    let puzzles;
    try {
      rules = await this.app.catalog.rules(game);
      puzzles = await puzzlesOf(rules.id);
    } catch (error) {
      if (this.mounted) this.app.missing(null, t('learn.missing', { reason: /** @type {Error} */ (error).message }));
      return;
    }
    if (!this.mounted) return;
    this.rules = rules;
    const name = gameName(rules);
    fill(this.head, t('learn.game', { game: name }));
    this.app.setTitle(t('learn.game', { game: name }));
    fill(
      this.parts,
      PARTS.map((part) => el('a', { href: learnLink(/** @type {Rules} */ (rules), part) }, t(`learn.part.${part}`))),
    );
    [...this.parts.children].forEach((link, i) =>
      setAttribute(link, 'aria-current', PARTS[i] === this.part ? 'page' : null),
    );
    fill(this.body, this.contents(rules, puzzles));
  }

  /** @param {Rules} rules @param {import('./puzzles.js').Puzzle[]} puzzles */
  contents(rules, puzzles) {
    if (this.part === 'game')
      return new GuidedGame(this.app, rules, () => void this.playReal(), puzzles.length > 0).node;
    if (this.part === 'puzzles') {
      return puzzles.length
        ? new Puzzles(this.app, rules, puzzles).node
        : el('p', { class: 'empty' }, t('learn.no-puzzles'));
    }
    return [
      el(
        'div',
        { class: 'learn-rules' },
        rulesPicture(rules),
        el(
          'div',
          { class: 'learn-sentences' },
          el(
            'ol',
            null,
            gameSentences(rules).map((sentence) => el('li', null, sentence)),
          ),
          el(
            'div',
            { class: 'learn-tools' },
            el('a', { class: 'button primary big', href: learnLink(rules, 'game') }, t('learn.to-game')),
            puzzles.length > 0 &&
              el('a', { class: 'button big', href: learnLink(rules, 'puzzles') }, t('learn.to-puzzles')),
          ),
        ),
      ),
    ];
  }

  /** Against the easiest bot. */
  async playReal() {
    const { id } = /** @type {Rules} */ (this.rules);
    try {
      const bots = await this.app.catalog.bots(id);
      const levels = bots.find(isLevels);
      const easiest = levels ? botName(levels, [levels.parameters[0].min ?? 1]) : bots[0].name;
      await this.app.create({ game: id, seat: 'x', opponent: { kind: 'bot', bot: easiest } });
    } catch (error) {
      this.app.fail(error);
    }
  }
}
