// The page's words for refusals by the server. The server's sentences are English; in other languages the page has a
// sentence for each code. Also errors about a missing part of the page.

import { hasText, language, t } from '../i18n/language.ts';
import { readHere, writeHere } from '../ui/storage.ts';

const SERVER_SPEAKS = 'en';
/**
 * Codes whose sentences from the server are for programs: they use its notation, or count plies, where the page has
 * fields.
 */
const WORDED_HERE = ['bad_game', 'stale'];

/** @param code the protocol's, or empty @param sentence the server's */
export function refusal(code: string, sentence: string) {
  const theirs = language === SERVER_SPEAKS && !WORDED_HERE.includes(code);
  return theirs || !hasText(`errors.${code}`) ? sentence : t(`errors.${code}`, { sentence });
}

/** Remembers in this tab that the page was reloaded because of a failed part, so that this happens only once. */
const ANEW = 'anew';
/** Whether a part has failed: browsers may not request it again during the page's life. */
let hasFailed = false;

/**
 * A part of the page that is loaded on demand, or an error that says it is missing. The whole page reloads if the
 * server has a newer version, whose parts have other names, or if the user retries a failed part.
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

/** The page as the server has it now; null if it cannot be loaded. */
async function served() {
  const response = await fetch('/');
  return response.ok ? response.text() : null;
}

/** Whether the server's page names other scripts than this one. */
function isReplaced(page: string) {
  return [...document.scripts].some((script) => !page.includes(new URL(script.src).pathname));
}
