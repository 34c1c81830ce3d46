// A side's mark in the midst of text: drawn as on the boards, or the character that somebody chose for it.

import { BOX, STROKES } from '../board/marks.ts';
import type { Side } from '../types/page.d.ts';
import { marks } from './settings.ts';

export function Mark({ side, hidden }: { side: Side; hidden?: boolean }) {
  const name = marks()[side];
  const strokes = STROKES[name];
  return (
    <span class={`mark-${side} move-mark`} aria-hidden={hidden}>
      {strokes ? (
        <svg class="mark" viewBox={BOX} role="img">
          <title>{name}</title>
          {strokes.map((d) => (
            <path key={d} d={d} />
          ))}
        </svg>
      ) : (
        name
      )}
    </span>
  );
}
