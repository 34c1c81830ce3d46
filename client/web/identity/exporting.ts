// All games of a player as one file, fetched page by page.

import { t } from '../i18n/language.ts';

/**
 * @param form jsonl or txt
 * @param told receives the count so far; returning false stops
 * @returns its parts and how many games they hold; rejects if a page cannot be fetched
 */
export async function fetchGames(
  token: string,
  form: string,
  told: (games: number) => boolean,
): Promise<{ parts: string[]; games: number }> {
  const parts = [];
  let games = 0;
  let path: string | null = `/api/players/me/games.${form}?limit=200`;
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

/** The path in `<...>; rel="next"`. */
function next(link: string | null) {
  return /^<(\/api\/[^>]*)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
}
