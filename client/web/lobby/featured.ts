// Which recorded game an empty lobby shows to look at. Pure.

import type { GameAnswer } from '../types/page.d.ts';

const ENDS = ['line', 'board_full', 'count', 'resignation', 'agreement'];

/** A finished game worth a look: one of the chosen kind if there is one, with more moves than others. */
export function worthALook(games: GameAnswer[], game: string) {
  const whole = games.filter((each) => each.termination !== null && ENDS.includes(each.termination));
  const same = whole.filter((each) => each.game === game);
  return (same.length ? same : whole).reduce(
    (best, each) => (best && (best.plies ?? 0) >= (each.plies ?? 0) ? best : each),
    null as GameAnswer | null,
  );
}
