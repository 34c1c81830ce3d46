// What the page says where the server refuses something. The server tells in English what was wrong and what would be
// right; whoever reads another language gets the sentence for the code of the refusal. And where a part of it is missing.

import { hasText, language, t } from '../i18n/language.ts';

const SERVER_SPEAKS = 'en';

/** @param code as the protocol has it, empty where there is none @param sentence the server's */
export function refusal(code: string, sentence: string) {
  return language === SERVER_SPEAKS || !hasText(`errors.${code}`) ? sentence : t(`errors.${code}`, { sentence });
}

/**
 * A part of the page that is loaded when it is asked for, or an error that says that it cannot be had. Where the server
 * has another page by now, whose parts have other names, that is loaded instead.
 */
export async function loaded<T>(coming: Promise<T>) {
  try {
    return await coming;
  } catch {
    if (await isReplaced().catch(() => false)) location.reload();
    throw new Error(t('page.nothing.loaded'));
  }
}

/** Whether the server's page names other scripts than this one did. */
async function isReplaced() {
  const response = await fetch('/');
  const page = await response.text();
  return response.ok && [...document.scripts].some((script) => !page.includes(new URL(script.src).pathname));
}
