// @ts-check
// Links that move a name to another device. The token is in the fragment: browsers send it to nobody. Pure.

const MARK = '#become=';
/** As the server makes tokens, with room for others. */
const TOKEN = /^[\w-]{20,200}$/;

/** @param {string} origin @param {string} token */
export function transferLink(origin, token) {
  return `${origin}/${MARK}${encodeURIComponent(token)}`;
}

/** The token in a link or a fragment, or in what somebody pasted: the token alone too. Null where there is none.
 * @param {string} text @returns {string|null} */
export function tokenIn(text) {
  const trimmed = text.trim();
  const at = trimmed.indexOf(MARK);
  const token = at < 0 ? trimmed : trimmed.slice(at + MARK.length);
  return TOKEN.test(token) ? token : null;
}

/** Whether a location's fragment is meant to move a name, whole or not. @param {string} hash */
export function movesName(hash) {
  return hash.startsWith(MARK);
}
