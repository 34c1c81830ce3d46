// Sentences with names in them: moving a name, becoming somebody. A name keeps its own direction of writing there, and
// turns nothing around it.

import { t } from '../i18n/language.ts';

/** A sentence about one or two names. */
export function named(key: string, name: string | null, old: string | null = null) {
  return t(key, { name: isolated(name), old: isolated(old) });
}

function isolated(name: string | null) {
  return name === null ? null : `\u2068${name}\u2069`;
}

/** What became of asking whose a link is: a sentence, and who one stays. */
export function stayedWords(key: string, old: string | null) {
  return old === null ? t(key) : `${t(key)} ${named('identity.as-before', null, old)}`;
}
