// @ts-check
// Links to the explorer. Pure.

/** @param {string} game @param {string[]} moves */
export function exploreLink(game, moves) {
  return `/explorer?game=${encodeURIComponent(game)}${moves.length ? `&moves=${moves.map(encodeURIComponent).join(',')}` : ''}`;
}
