// @ts-check
// What games are called and how they are played, in the page's language and for any size of board. A game that the
// texts do not know is told in the server's words.

import { hasText, number, t } from './language.js';

/** @typedef {import('../types/page.js').Rules} Rules */
/** @typedef {{id: string, name?: string, sentences?: string[]}} Told */

/** Names of games with sizes, as families. @type {Record<string, string>} */
const SIZES = { tictactoe: 'mnk:3,3,3', gomoku: 'mnk:15,15,5', qubic: 'cube:4' };

/** The same rules, their name and sentences in the page's language. @param {Rules} rules @returns {Rules} */
export function gameInWords(rules) {
  return { ...rules, name: gameName(rules), sentences: gameSentences(rules) };
}

/** "Gomoku", "5 x 5, four in a row" @param {Told} game */
export function gameName({ id, name }) {
  const { key, values } = parsed(id);
  const own = `rules.${id}.name`;
  if (id in SIZES && hasText(own)) return t(own);
  if (hasText(`${key}.name`)) return t(`${key}.name`, values);
  return name ?? id.charAt(0).toUpperCase() + id.slice(1);
}

/** The same where there is little room: "5 × 5, four" @param {Told} game */
export function shortGameName(game) {
  const { key, values } = parsed(game.id);
  return !(game.id in SIZES) && hasText(`${key}.short`) ? t(`${key}.short`, values) : gameName(game);
}

/** The rules in three sentences. @param {Told} game @returns {string[]} */
export function gameSentences({ id, sentences }) {
  const { key, values, exact } = parsed(id);
  if (!hasText(`${key}.board`)) return sentences ?? [];
  return [t(`${key}.board`, values), t(exact ? `${key}.aim.exact` : `${key}.aim`, values), t(`${key}.end`, values)];
}

/** The key of a game's texts, what stands in them, and whether a line longer than the aim does not fit on the board.
 * @param {string} id */
function parsed(id) {
  const full = SIZES[id] ?? id;
  const mnk = /^mnk:(\d+),(\d+),(\d+)$/.exec(full)?.slice(1).map(Number);
  if (mnk) {
    const [columns, rows, length] = mnk;
    return {
      key: 'rules.mnk',
      values: { columns, rows, aim: inWords(length) },
      exact: length === Math.max(columns, rows),
    };
  }
  const size = Number(/^cube:(\d+)$/.exec(full)?.[1]);
  if (size) return { key: 'rules.cube', values: { size, aim: inWords(size), lines: cubeLines(size) }, exact: false };
  return { key: `rules.${full.replace(':', '-')}`, values: {}, exact: false };
}

/** Small numbers as words. @param {number} count */
function inWords(count) {
  return hasText(`rules.count.${count}`) ? t(`rules.count.${count}`) : number(count);
}

/** Each line of a cube, lengthened at both ends, is a pair of cells around it. @param {number} size */
function cubeLines(size) {
  return ((size + 2) ** 3 - size ** 3) / 2;
}
