// @ts-check
// All of one's games as one file, fetched page by page.

import { t } from '../i18n/language.js';
import { el } from '../ui/dom.js';

/**
 * @param {string} token @param {string} form jsonl or txt
 * @param {(games: number) => boolean} told how many there are so far; false ends it
 * @returns {Promise<{parts: string[], games: number}>} rejects where a page cannot be had
 */
export async function fetchGames(token, form, told) {
  const parts = [];
  let games = 0;
  /** @type {string|null} */
  let path = `/api/players/me/games.${form}?limit=200`;
  while (path !== null && told(games)) {
    const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(t('errors.status', { status: response.status }));
    const text = await response.text();
    parts.push(text);
    // A line is a game, and in text each begins with its kind.
    games += (text.match(form === 'jsonl' ? /\n/g : /^\[Game /gm) ?? []).length;
    path = next(response.headers.get('link'));
  }
  return { parts, games };
}

/** The path in `<...>; rel="next"`. @param {string|null} link */
function next(link) {
  return /^<(\/api\/[^>]*)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
}

/** @param {string} name @param {string[]} parts */
export function saveAs(name, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/plain' }));
  const link = el('a', { href: url, download: name });
  link.click();
  // Not at once: the download may not have begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
