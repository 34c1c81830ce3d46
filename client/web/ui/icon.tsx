// One of the icons.

import { ICONS } from './icons.ts';

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg class="icon line" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
