// What the page says where the server refuses something. The server tells in English what was wrong and what would be
// right; whoever reads another language gets the sentence for the code of the refusal. And where a part of it is missing.

import { hasText, language, t } from '../i18n/language.ts';
import { readHere, writeHere } from '../ui/storage.ts';

const SERVER_SPEAKS = 'en';
/** What the server words for programs: its notation, where the page has fields, and numbers of plies. */
const WORDED_HERE = ['bad_game', 'stale'];

/** @param code as the protocol has it, empty where there is none @param sentence the server's */
export function refusal(code: string, sentence: string) {
  const theirs = language === SERVER_SPEAKS && !WORDED_HERE.includes(code);
  return theirs || !hasText(`errors.${code}`) ? sentence : t(`errors.${code}`, { sentence });
}

/** What this tab has loaded anew because of a part that failed, so that it does so once. */
const ANEW = 'anew';
/** Whether a part has failed: browsers may not ask for it again as long as the page lives. */
let hasFailed = false;

/**
 * A part of the page that is loaded when it is asked for, or an error that says that it cannot be had. The whole page is
 * loaded anew where the server has another one by now, whose parts have other names, and where one asks again for what
 * has failed.
 */
export async function loaded<T>(coming: Promise<T>) {
  try {
    const part = await coming;
    writeHere(ANEW, null);
    return part;
  } catch {
    const again = hasFailed && readHere(ANEW) !== location.pathname;
    hasFailed = true;
    const page = await served().catch(() => null);
    if (page !== null && (again || isReplaced(page))) {
      writeHere(ANEW, location.pathname);
      location.reload();
    }
    throw new Error(t('page.nothing.loaded'));
  }
}

/** The server's page; null where it does not answer with one. */
async function served() {
  const response = await fetch('/');
  return response.ok ? response.text() : null;
}

/** Whether this page names other scripts than ours did. */
function isReplaced(page: string) {
  return [...document.scripts].some((script) => !page.includes(new URL(script.src).pathname));
}
