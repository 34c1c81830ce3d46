// @ts-check
// The bots of the chosen game: who they are, how strong, and a button to play each.

import { t } from '../i18n/language.js';
import { capital } from '../i18n/moveWords.js';
import { botName, isLevels } from '../net/catalog.js';
import { levelWords, ratingWords } from '../room/words.js';
import { button, el, fill } from '../ui/dom.js';
import { levelName } from './levels.js';

/** @typedef {import('../types/page.js').Bot} Bot */

/** Shown at once; the others are for the curious. */
const SHOWN = ['strongest', 'perfect', 'level'];

/** The strongest first; those of whom nothing was measured behind the others, as the server lists them. Pure.
 * @param {Bot[]} bots @returns {Bot[]} */
export function byStrength(bots) {
  const height = (/** @type {Bot} */ bot) =>
    SHOWN.includes(bot.family) ? 100 - SHOWN.indexOf(bot.family) : (bot.measured?.[bot.name] ?? -1);
  return [...bots].sort((a, b) => height(b) - height(a));
}

export class BotList {
  /** @param {(name: string) => void} play */
  constructor(play) {
    this.play = play;
    this.node = el('section', { class: 'panel bots' });
  }

  /** @param {import('../types/page.js').Rules} rules @param {Bot[]} bots */
  show(rules, bots) {
    const sorted = byStrength(bots);
    const shown = sorted.filter((bot) => SHOWN.includes(bot.family));
    const others = sorted.filter((bot) => !shown.includes(bot));
    fill(
      this.node,
      el('h2', null, t('lobby.bots', { game: rules.name })),
      el(
        'ul',
        null,
        shown.map((bot) => (isLevels(bot) ? this.levels(bot) : this.row(bot))),
      ),
      others.length > 0 &&
        el(
          'details',
          null,
          el('summary', null, t('lobby.bots.more', { count: others.length })),
          el(
            'ul',
            null,
            others.map((bot) => this.row(bot)),
          ),
        ),
    );
  }

  /** @param {Error} error why there are none to show @param {() => void} again */
  fail(error, again) {
    fill(this.node, el('p', { class: 'empty' }, error.message), button(t('page.again'), again));
  }

  /** @param {Bot} bot */
  row(bot) {
    const name = botName(bot, []);
    const title = bot.title || bot.family;
    return el(
      'li',
      null,
      el(
        'span',
        { class: 'row-what' },
        el('span', null, el('strong', null, title), ' ', strengthOf(bot, name)),
        el('small', null, bot.character),
      ),
      button(t('lobby.bots.play'), () => this.play(name), {
        'aria-label': t('lobby.bots.play.name', { name: title }),
        'data-key': name,
      }),
    );
  }

  /** One row for all levels, with a button each. @param {Bot} bot */
  levels(bot) {
    const highest = /** @type {number} */ (bot.parameters[0].max);
    const each = Array.from({ length: highest }, (_, i) => {
      const level = i + 1;
      const name = levelName(bot, level);
      const rating = bot.ratings?.[name];
      const words = t('lobby.bots.level', { level: levelWords(level, highest) });
      const label = rating ? t('lobby.bots.level.rated', { words, rating: ratingWords(rating) }) : words;
      return el(
        'li',
        null,
        button([level, rating && el('small', null, ratingWords(rating))], () => this.play(name), {
          'aria-label': label,
          title: label,
          'data-key': name,
        }),
      );
    });
    return el(
      'li',
      { class: 'levels-row' },
      el(
        'span',
        { class: 'row-what' },
        el('strong', null, t('lobby.bots.levels', { highest })),
        el('small', null, bot.character),
      ),
      el('ul', { class: 'levels' }, each),
    );
  }
}

/** What is known of a bot's strength in this game: measured, and rated. @param {Bot} bot @param {string} name */
function strengthOf(bot, name) {
  const measured = bot.strengths?.[name];
  const rating = bot.ratings?.[name];
  const known = [measured && capital(measured), rating && ratingWords(rating)].filter(Boolean).join(' · ');
  return known && el('span', { class: 'strength' }, known);
}
