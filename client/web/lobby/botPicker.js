// @ts-check
// Choosing a bot: by name, strength and one sentence on its character, then by its parameters.

import { choiceWord } from '../i18n/botWords.js';
import { pieces, t } from '../i18n/language.js';
import { capital } from '../i18n/moveWords.js';
import { botName, firstBot, isLevels } from '../net/catalog.js';
import { levelWords } from '../room/words.js';
import { el, fill, setText } from '../ui/dom.js';

/** @typedef {import('../types/page.js').Bot} Bot */

export class BotPicker {
  /**
   * @param {string} legend @param {string} wanted a bot's full name, may be empty
   * @param {string} key tells pickers of one form apart
   */
  constructor(legend, wanted, key) {
    const [family, parameters] = wanted.split(':');
    this.wanted = family ?? '';
    this.saved = parameters?.split(',') ?? [];
    /** @type {Bot[]} */
    this.bots = [];
    this.form = '';
    this.select = el('select', { 'data-family': key });
    this.parameters = el('div', { class: 'field-row parameters' });
    this.strength = el('strong');
    this.character = el('span');
    this.node = el(
      'div',
      { class: 'bot-choice' },
      el('label', { class: 'field' }, el('span', null, legend), this.select),
      this.parameters,
      el('p', { class: 'muted character' }, this.strength, ' ', this.character),
    );
    this.select.addEventListener('change', () => this.update());
    this.parameters.addEventListener('input', () => this.update());
  }

  /** Offers these bots, all of one game, and keeps the choice if it is among them. @param {Bot[]} bots */
  offer(bots) {
    if (bots === this.bots) return;
    this.bots = bots;
    const wanted = this.select.value || this.wanted;
    const chosen = bots.find((bot) => bot.family === wanted) ?? firstBot(bots);
    const options = (/** @type {Bot[]} */ some) =>
      some.map((bot) => el('option', { value: bot.family, selected: bot === chosen }, bot.title || bot.family));
    const ours = bots.filter((bot) => bot.ours);
    // Who looks for somebody to play wants a level; the rest are for the curious.
    const first = ours.filter((bot) => isLevels(bot) || bot.family === 'strongest');
    const others = ours.filter((bot) => !first.includes(bot));
    const literature = bots.filter((bot) => !bot.ours);
    fill(this.select, [
      ...options(first),
      others.length > 0 &&
        el('optgroup', { label: t(first.length ? 'bots.ours.others' : 'bots.ours') }, options(others)),
      literature.length > 0 && el('optgroup', { label: t('bots.literature') }, options(literature)),
    ]);
    this.update();
  }

  get bot() {
    return this.bots.find((bot) => bot.family === this.select.value) ?? null;
  }

  /** The full name of what is chosen, empty while nothing can be. */
  get name() {
    return this.bot ? botName(this.bot, this.values) : '';
  }

  get values() {
    return [...this.parameters.querySelectorAll('input, select')].map((input) =>
      /** @type {HTMLInputElement|HTMLSelectElement} */ (input).value.trim(),
    );
  }

  update() {
    const { bot } = this;
    const form = bot ? JSON.stringify([bot.family, bot.parameters.map(({ min, max }) => [min, max])]) : '';
    if (this.form !== form) {
      if (bot && bot.family === this.parameters.dataset.family) {
        // The same bot in another game, where its parameters have other bounds: it keeps its values.
        this.wanted = bot.family;
        this.saved = this.values;
      }
      fill(this.parameters, bot ? this.fields(bot) : null);
      this.parameters.dataset.family = bot?.family ?? '';
      this.form = form;
    }
    const measured = bot?.strengths?.[this.name];
    setText(this.strength, measured ? `${capital(measured)}.` : '');
    setText(this.character, bot?.character ?? '');
    const slider = /** @type {HTMLInputElement|null} */ (this.parameters.querySelector('input[type=range]'));
    if (!slider) return;
    const words = levelWords(Number(slider.value), Number(slider.max));
    setText(/** @type {Element} */ (this.parameters.querySelector('b')), words);
    slider.setAttribute('aria-valuetext', words);
  }

  /** @param {Bot} bot */
  fields(bot) {
    const values = bot.family === this.wanted ? this.saved : [];
    return bot.parameters.map((parameter, i) => {
      const value = String(values[i] || parameter.default);
      const label = capital(parameter.meaning ?? parameter.name);
      if (parameter.choices) {
        const options = parameter.choices.map((word) =>
          el('option', { value: word, selected: word === value }, choiceWord(word)),
        );
        return el('label', { class: 'field' }, el('span', null, label), el('select', null, options));
      }
      const { min = 1, max = 1e6 } = parameter;
      if (isLevels(bot)) {
        return el(
          'label',
          { class: 'field level' },
          el('span', null, pieces('bots.level', { level: el('b') })),
          el('input', { type: 'range', min, max, step: 1, value }),
        );
      }
      return el(
        'label',
        { class: 'field number' },
        el('span', null, t('bots.range', { parameter: label, min, max })),
        el('input', { type: 'number', value, min, max, step: '1', inputmode: 'numeric' }),
      );
    });
  }
}
