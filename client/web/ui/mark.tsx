// Within text: a side's mark, drawn or as the player chose it, and icons.

import { BOX, STROKES } from '../board/marks.ts';
import type { Side } from '../types/page.d.ts';
import { ICONS } from './icons.ts';
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

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg class="icon line" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
