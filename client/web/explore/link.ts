// Links to the explorer. Pure.

export function exploreLink(game: string, moves: string[]) {
  return `/explorer?game=${encodeURIComponent(game)}${moves.length ? `&moves=${moves.map(encodeURIComponent).join(',')}` : ''}`;
}
