// Moves the focus on when its element disappears.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Hand } from './hand.ts';
import { isRunning } from './state.ts';

/**
 * After a part is redrawn without its focused element, the focus moves to the next one in the part, or to the board
 * during a game.
 * @returns a ref for the part
 */
export function useFocusKept(hand: Hand) {
  const part = useRef<HTMLElement & HTMLDivElement>(null);
  // Must be asked before the part changes.
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
