// Names and rules of games in the page's language, for boards of any size. A game without texts keeps the server's
// words.

import type { Rules } from '../types/page.d.ts';
import { hasText, number, t } from './language.ts';
import { capital } from './moveWords.ts';

/** How ids end of boards where longer lines do not win. */
export const EXACT = ',exact';

export type Told = { id: string; name?: string; sentences?: string[] };

/** The sizes of games that have names of their own. */
const SIZES: Record<string, string> = { tictactoe: 'mnk:3,3,3', gomoku: 'mnk:15,15,5', qubic: 'cube:4' };

/** The same rules, with name and sentences in the page's language. */
export function gameInWords(rules: Rules): Rules {
  return { ...rules, name: gameName(rules), sentences: gameSentences(rules) };
}

/** "Gomoku", "5 x 5, four in a row" */
export function gameName({ id, name }: Told) {
  const { key, values } = parsed(id);
  const own = `rules.${id}.name`;
  if (id in SIZES && hasText(own)) return t(own);
  if (hasText(`${key}.name`)) return t(`${key}.name`, values);
  return name ?? capital(id);
}

/** A short form of the same: "5 x 5, four" */
export function shortGameName(game: Told) {
  const { key, values } = parsed(game.id);
  return !(game.id in SIZES) && hasText(`${key}.short`) ? t(`${key}.short`, values) : gameName(game);
}

/** The rules in three sentences. */
export function gameSentences({ id, sentences }: Told): string[] {
  const { key, values, longer } = parsed(id);
  if (!hasText(`${key}.board`)) return sentences ?? [];
  return [t(`${key}.board`, values), t(`${key}.aim${longer}`, values), t(`${key}.end`, values)];
}

/** The length of a winning row, as a word. */
export function lineWords(id: string) {
  const { values } = parsed(id.replace(EXACT, ''));
  return 'aim' in values && values.aim ? values.aim : inWords(3);
}

/**
 * The key of a game's texts, their values, and the part of the aim's key about longer lines: that they do not fit on
 * the board, that they do not win, or nothing.
 */
function parsed(id: string) {
  const full = SIZES[id] ?? id;
  const exact = full.endsWith(EXACT);
  const mnk = /^mnk:(\d+),(\d+),(\d+)$/.exec(full.replace(EXACT, ''))?.slice(1).map(Number);
  if (mnk) {
    const [columns, rows, length] = mnk;
    const aim = exact ? t('rules.mnk.exactly', { aim: inWords(length) }) : inWords(length);
    const longer = length === Math.max(columns, rows) ? '.longest' : exact ? '.exact' : '';
    return { key: 'rules.mnk', values: { columns, rows, aim }, longer };
  }
  const size = Number(/^cube:(\d+)$/.exec(full)?.[1]);
  if (size) return { key: 'rules.cube', values: { size, aim: inWords(size), lines: cubeLines(size) }, longer: '' };
  return { key: `rules.${full.replace(':', '-')}`, values: {}, longer: '' };
}

/** Small numbers as words. */
function inWords(count: number) {
  return hasText(`rules.count.${count}`) ? t(`rules.count.${count}`) : number(count);
}

/** Each line of a cube, extended at both ends, is a pair of cells around it. */
function cubeLines(size: number) {
  return ((size + 2) ** 3 - size ** 3) / 2;
}
