// State that components follow.

import { signal } from '@preact/signals';

/** Gives an object properties that are signals, so that components which read them are redrawn. */
export function observe<Target extends object, Name extends keyof Target>(target: Target, values: Pick<Target, Name>) {
  for (const [name, first] of Object.entries(values)) {
    const kept = signal(first);
    Object.defineProperty(target, name, {
      get: () => kept.value,
      set: (value) => {
        kept.value = value;
      },
    });
  }
}
