// The focus, where what had it is gone.

import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The focus goes on to what is next in a part that is drawn anew, where one looks already, or where `otherwise` puts it. */
export function useFocusKept(part: RefObject<HTMLElement | null>, otherwise: () => void) {
  // Asked while the part is as it was.
  const held = part.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!held || document.activeElement !== document.body) return;
    const next = part.current?.querySelector<HTMLElement>('button, a, input');
    if (next) next.focus({ preventScroll: true });
    else otherwise();
  });
}
