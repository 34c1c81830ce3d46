// @ts-check
// What the server says of its statistics, in the page's language as far as the texts know it. The rest stays English and
// is marked as such, for those who listen.

import { gameName, shortGameName } from '../i18n/gameWords.js';
import { date, hasText, language, number, t } from '../i18n/language.js';
import { el } from '../ui/dom.js';

/** What a text of the server's was made of. @typedef {import('../types/page.js').SaidAnswer} Said */

const SERVER = 'en';
/** The key of a game's name. */
const GAME = 'game';
const SLUG_WORDS = 6;
const AMOUNT = /^[+−-]?\d[\d,]*(\.\d+)?[kMG]?$/;
const MOMENT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/;

/** Whether the page speaks as the server does, so that there is nothing to translate. */
export const native = language === SERVER;

/** Elements whose text is the server's own. */
export const foreign = native ? {} : { lang: SERVER };

/** The server's texts in the page's language: sentences by what they were made of, short ones by their first words,
 * figures as they are written here. */
export class Words {
  /** @param {Record<string, Said>} [said] by text */
  constructor(said = {}) {
    this.said = new Map(Object.entries(said));
  }

  /** A text, as it is if it is not known: names are not. `narrow` asks for short names of games.
   * @param {string} text @param {boolean} [narrow] */
  of(text, narrow = false) {
    return this.known(text, narrow) ?? text;
  }

  /** @param {string} text @param {boolean} [narrow] @returns {string|null} */
  known(text, narrow = false) {
    if (native) return text;
    const said = this.said.get(text) ?? this.game(text);
    if (said?.key === GAME) return (narrow ? shortGameName : gameName)({ id: String(said.values.game), name: text });
    const sentence = `stats.said.${said?.key}`;
    if (said && hasText(sentence))
      return t(
        sentence,
        Object.fromEntries(Object.entries(said.values).map(([name, value]) => [name, this.value(value, narrow)])),
      );
    const word = `stats.word.${slug(text)}`;
    return hasText(word) ? t(word) : figures(text);
  }

  /**
   * What stands in a sentence: several texts with semicolons between them.
   * @param {string|number|string[]} value @param {boolean} narrow @returns {string|number}
   */
  value(value, narrow) {
    if (Array.isArray(value)) return value.map((one) => this.value(one, narrow)).join('; ');
    return typeof value === 'string' ? this.of(value, narrow) : value;
  }

  /** The game of a name that the server has shortened, for a picture. @param {string} text */
  game(text) {
    const begin = text.endsWith('…') ? text.slice(0, -1) : null;
    return begin === null
      ? null
      : [...this.said].find(([name, { key }]) => key === GAME && name.startsWith(begin))?.[1];
  }

  /** A cell of a table. @param {import('../types/page.js').TableAnswer['rows'][number][number]} value */
  cell(value) {
    if (value === null) return '–';
    return typeof value === 'number' ? number(value) : this.of(value);
  }

  /**
   * A text as an element, which tells if it is still in English.
   * @param {keyof HTMLElementTagNameMap} tag @param {import('../types/page.js').Properties|null} properties
   * @param {string} text
   */
  element(tag, properties, text) {
    const known = this.known(text);
    return el(tag, { ...properties, ...(known === null ? foreign : {}) }, known ?? text);
  }
}

/** Figures of the server's as they are written here. @param {string} text @returns {string|null} */
function figures(text) {
  if (AMOUNT.test(text)) return amount(text);
  const [low, high] = text.split(' to ').map(figure);
  if (low && high) return t('figures.range', { low, high });
  const [points, of] = text.split('/').map(figure);
  if (points && of) return `${points}/${of}`;
  const percent = text.endsWith(' %') && figure(text.slice(0, -2));
  if (percent) return t('figures.percent', { percent });
  const [, day, time] = MOMENT.exec(text) ?? [];
  return day ? date(Date.parse(`${day}T${time}Z`), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }) : null;
}

/** @param {string} text */
function figure(text) {
  return AMOUNT.test(text) ? amount(text) : '';
}

/** @param {string} text a number as the server writes it, with the digits after the point that it has */
function amount(text) {
  const [, figure, size] = /^(.*?)([kMG]?)$/.exec(text) ?? [];
  const digits = figure.split('.')[1]?.length ?? 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: figure.includes(',') };
  return (
    number(Number(figure.replaceAll(',', '').replace('−', '-')), {
      ...options,
      signDisplay: figure.startsWith('+') ? 'always' : 'auto',
    }) + size
  );
}

/** The first words of a text, as its key. @param {string} text */
function slug(text) {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, SLUG_WORDS)
    .join('-');
}
