// Links that move a name to another device. The token is in the fragment: browsers send it to nobody. Pure.

const MARK = '#become=';
/** As the server makes tokens, with room for others. */
const TOKEN = /^[\w-]{20,200}$/;

export function transferLink(origin: string, token: string) {
  return `${origin}/${MARK}${encodeURIComponent(token)}`;
}

/** The token in a link or a fragment, or in what somebody pasted: the token alone too. Null where there is none. */
export function tokenIn(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.indexOf(MARK);
  const token = at < 0 ? trimmed : trimmed.slice(at + MARK.length);
  return TOKEN.test(token) ? token : null;
}

/** Whether a location's fragment is meant to move a name, whole or not. */
export function movesName(hash: string) {
  return hash.startsWith(MARK);
}
