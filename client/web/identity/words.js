// @ts-check
// Sentences with names in them: moving a name, becoming somebody. A name keeps its own direction of writing there, and
// turns nothing around it.

import { t } from '../i18n/language.js';

/** A sentence about one or two names. @param {string} key @param {string|null} name @param {string|null} [old] */
export function named(key, name, old = null) {
  return t(key, { name: isolated(name), old: isolated(old) });
}

/** @param {string|null} name */
function isolated(name) {
  return name === null ? null : `\u2068${name}\u2069`;
}

/**
 * What became of asking whose a link is: a sentence, and who one stays.
 * @param {string} key @param {string|null} old
 */
export function stayedWords(key, old) {
  return old === null ? t(key) : `${t(key)} ${named('identity.as-before', null, old)}`;
}
