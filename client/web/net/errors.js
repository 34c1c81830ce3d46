// @ts-check
// What the page says where the server refuses something. The server tells in English what was wrong and what would be
// right; whoever reads another language gets the sentence for the code of the refusal. And where a part of it is missing.

import { hasText, language, t } from '../i18n/language.js';

const SERVER_SPEAKS = 'en';

/** @param {string} code as the protocol has it, empty where there is none @param {string} sentence the server's */
export function refusal(code, sentence) {
  return language === SERVER_SPEAKS || !hasText(`errors.${code}`) ? sentence : t(`errors.${code}`, { sentence });
}

/**
 * A part of the page that is loaded when it is asked for, or an error that says that it cannot be had.
 * @template T @param {Promise<T>} coming
 */
export async function loaded(coming) {
  try {
    return await coming;
  } catch {
    throw new Error(t('page.nothing.loaded'));
  }
}
