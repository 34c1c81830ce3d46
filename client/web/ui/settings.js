// @ts-check
// What this browser remembers: the token, the marks, the last choices.

import { t } from '../i18n/language.js';
import { checked } from './preferences.js';
import { read, write } from './storage.js';

/** @typedef {{level: number, result: 'won'|'lost'|'drawn'}} Played */

/** What was kept as an object; empty where none was. @param {string} key @returns {Record<string, unknown>} */
function kept(key) {
  const value = read(key);
  return value && typeof value === 'object' ? { ...value } : {};
}

/** Read at each greeting and never cached: another tab may have got or lost it meanwhile. @returns {string|null} */
export function token() {
  const value = read('token');
  return typeof value === 'string' ? value : null;
}

export function setToken(/** @type {string|null} */ value) {
  write('token', value);
}

export function guestName() {
  return t('profile.guest', { number: String(1000 + Math.floor(Math.random() * 9000)) });
}

/** @returns {{x: string, o: string}} */
export function marks() {
  const value = kept('marks');
  const x = checkedMark(value.x);
  const o = checkedMark(value.o);
  return x && o && x !== o ? { x, o } : { x: 'X', o: 'O' };
}

/** Keeps both marks, or says in one sentence why not. @returns {string|null} */
export function setMarks(/** @type {string} */ x, /** @type {string} */ o) {
  const checked = { x: checkedMark(x), o: checkedMark(o) };
  if (!checked.x || !checked.o) return t('profile.mark.wrong');
  if (checked.x === checked.o) return t('profile.mark.same');
  write('marks', checked);
  return null;
}

/** @param {unknown} text @returns {string|null} */
function checkedMark(text) {
  if (typeof text !== 'string') return null;
  const mark = text.trim().normalize('NFC');
  const count = characters(mark);
  return count >= 1 && count <= 2 && mark.length <= 40 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(mark) ? mark : null;
}

/** Characters as people count them: a flag or a family of emoji is one. */
export function characters(/** @type {string} */ text) {
  if (text.length < 2) return text.length; // most cells of a board, asked at every move
  if ('Segmenter' in Intl) return [...new Intl.Segmenter().segment(text)].length;
  return [...text].length;
}

/**
 * The choices of the last game made here, so that the form opens with them.
 * @returns {Partial<import('../lobby/createMessage.js').Choices>}
 */
export function lastChoices() {
  return kept('choices');
}

/** How somebody played on from a position last. @returns {Record<string, unknown>} */
export function playOnChoices() {
  return kept('playon');
}

export function setPlayOnChoices(/** @type {object} */ choices) {
  write('playon', choices);
}

export function setLastChoices(/** @type {Partial<import('../lobby/createMessage.js').Choices>} */ choices) {
  write('choices', { ...lastChoices(), ...choices });
}

/** The level of bots that was played last in a game, and how that ended. @param {string} game @returns {Played|null} */
export function levelPlayed(game) {
  const played = /** @type {Partial<Played>|undefined} */ (kept('levels')[game]);
  const { level = 0, result } = played ?? {};
  return level >= 1 && (result === 'won' || result === 'lost' || result === 'drawn') ? { level, result } : null;
}

/** @param {string} game @param {Played} played */
export function setLevelPlayed(game, played) {
  write('levels', { ...kept('levels'), [game]: played });
}

/**
 * How boards are looked at: `view` of cubes, how far they are `open`, whether `threats` are marked.
 * @returns {Record<string, unknown>}
 */
export function looks() {
  return kept('looks');
}

export function setLooks(/** @type {Record<string, unknown>} */ changes) {
  write('looks', { ...looks(), ...changes });
}

/** How somebody likes to play. Read each time: another tab may have changed it. */
export function preferences() {
  return checked(read('preferences'));
}

export function setPreferences(/** @type {Partial<import('./preferences.js').Preferences>} */ changes) {
  write('preferences', { ...preferences(), ...changes });
}

/** Whether the key ? opens the list of keys. */
export function keysByQuestionMark() {
  return read('keys') !== false;
}

export function setKeysByQuestionMark(/** @type {boolean} */ on) {
  write('keys', on ? null : false);
}

/** Whether what others write is hidden. */
export function chatMuted() {
  return read('muted') === true;
}

export function setChatMuted(/** @type {boolean} */ muted) {
  write('muted', muted || null);
}
