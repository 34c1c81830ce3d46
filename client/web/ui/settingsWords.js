// @ts-check
// The texts of the settings dialog.

import { LANGUAGES, t } from '../i18n/language.js';

export const TITLE = t('settings.title');
export const INTRO = t('settings.intro');
export const DONE = t('settings.done');
export const MARKS = t('settings.marks');
export const OPEN = t('settings.open');
export const PLAY = t('settings.play');
export const LOOK = t('settings.look');
export const COLOURS = t('settings.colours');
export const LANGUAGE = t('settings.language');
export const LANGUAGE_DENIED = t('settings.language.denied');

/** The name of a switch and what it does. @param {string} name @returns {[string, string]} */
export function switchWords(name) {
  return [t(`settings.${name}`), t(`settings.${name}.meaning`)];
}

/** What a pair of colours is called. @param {string} name */
export function pairWords(name) {
  return t(`settings.pair.${name}`);
}

/** What the languages are called, each in itself, by code. The first is the browser's own.
 * @param {string} own the code of the language that holds where none is chosen */
export function languageNames(own) {
  const name = (/** @type {string} */ code) => new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
  return [['', t('settings.language.system', { name: name(own) })], ...LANGUAGES.map((code) => [code, name(code)])];
}
