// Addresses within the page. Pure.

/**
 * One address for the player, the friend and the address bar. The code of an invite room is in its fragment, which
 * browsers send to nobody: not to the server, a proxy's log or another page.
 */
export function roomPath(id: string, code: string | null = null) {
  return `/room/${encodeURIComponent(id)}${code ? `#${encodeURIComponent(code)}` : ''}`;
}

export function playerPath(id: string) {
  return `/player/${encodeURIComponent(id)}`;
}

/** @param run of a list */
export function ladderPath(run: string) {
  return `/ladder?run=${encodeURIComponent(run)}`;
}

/** @param part of the game's page, as its fragment */
export function learnPath(game: string, part?: string) {
  return `/learn/${encodeURIComponent(game)}${part ? `#${part}` : ''}`;
}

export function explorePath(game: string, moves: string[] = []) {
  return `/explorer?game=${encodeURIComponent(game)}${moves.length ? `&moves=${moves.map(encodeURIComponent).join(',')}` : ''}`;
}

/** Decodes a part of an address; one that is badly encoded stays as it is. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const SECRET = /^share=([\w-]{1,200})$/;

/** The secret in an address's fragment, even a damaged one; null if there is none. */
export function secretIn(hash: string): string | null {
  if (!hash.startsWith('share=')) return null;
  return SECRET.exec(hash)?.[1] ?? '-';
}

export function shareLink(origin: string, id: string, secret: string) {
  return `${origin}/game/${encodeURIComponent(id)}#share=${secret}`;
}
