// Links that move an identity to another device. The token is in the fragment, which browsers send to no server. Pure.

const MARK = '#become=';
/** The format of the server's tokens, with some tolerance. */
const TOKEN = /^[\w-]{20,200}$/;

export function transferLink(origin: string, token: string) {
  return `${origin}/${MARK}${encodeURIComponent(token)}`;
}

/** The token in a link, a fragment, or pasted alone. Null if there is none. */
export function tokenIn(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.indexOf(MARK);
  const token = at < 0 ? trimmed : trimmed.slice(at + MARK.length);
  return TOKEN.test(token) ? token : null;
}

/** Whether a location's fragment is meant to be a transfer, complete or not. */
export function movesName(hash: string) {
  return hash.startsWith(MARK);
}
