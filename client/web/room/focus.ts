// The focus, where what had it is gone.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Hand } from './hand.ts';
import { isRunning } from './state.ts';

/**
 * The focus goes on to what is next in a part that is drawn anew, where one looks already; while one plays that is the
 * board.
 * @returns what refers to the part
 */
export function useFocusKept(hand: Hand) {
  const part = useRef<HTMLElement & HTMLDivElement>(null);
  // Asked while the part is as it was.
  const held = part.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!held || document.activeElement !== document.body) return;
    const { state } = hand.room;
    const plays = state.you && isRunning(state) && !hand.sure.value;
    const next = !plays && part.current?.querySelector<HTMLElement>('button, a, input');
    if (next) next.focus({ preventScroll: true });
    else hand.board.focus();
  });
  return part;
}
