// Clocks that one press chooses. What was chosen is kept as minutes and seconds, like any other clock. Pure.

import type { Choices } from './createMessage.ts';

/** As they are written everywhere: minutes each, and seconds added a move. */
export const PRESETS = ['1+0', '3+2', '5+3', '10+5'];

/** A preset, `none`, or `game` and `move` for clocks of one's own. */
export function presetOf({ clock, minutes, increment }: Pick<Choices, 'clock' | 'minutes' | 'increment'>) {
  const written = `${minutes}+${increment}`;
  return clock === 'game' && PRESETS.includes(written) ? written : clock;
}

/** What a preset, `none`, `game` or `move` changes. */
export function clockOf(preset: string): Partial<Choices> {
  if (!PRESETS.includes(preset)) return { clock: preset as Choices['clock'] };
  const [minutes, increment] = preset.split('+').map(Number);
  return { clock: 'game', minutes, increment };
}
