// Listeners and timers.

import { useEffect, useReducer, useRef } from 'preact/hooks';

/** @param told listeners, by the name of the event @returns a function that removes them */
export function listen(target: EventTarget, told: Record<string, (event: never) => unknown>) {
  const listeners = Object.entries(told) as [string, EventListener][];
  for (const [name, listener] of listeners) target.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of listeners) target.removeEventListener(name, listener);
  };
}

/** Whether a modifier key changes the meaning of a key or click. */
export function isModified(event: KeyboardEvent | MouseEvent) {
  return event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
}

/** Calls `act` every `ms` milliseconds while the page is visible, and at once when it becomes visible; null pauses. */
export function useEvery(ms: number | null, act: () => void) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (ms === null) return;
    const look = () => document.visibilityState === 'visible' && latest.current();
    const timer = setInterval(look, ms);
    const end = listen(document, { visibilitychange: look });
    return () => {
      clearInterval(timer);
      end();
    };
  }, [ms]);
}

/** Redraws a component every `ms` milliseconds; null pauses. */
export function useTick(ms: number | null) {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEvery(ms, () => tick(undefined));
}
