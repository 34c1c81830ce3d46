// What goes on for as long as something is there, or somebody looks.

import { useEffect, useReducer, useRef } from 'preact/hooks';

/** @param told is called, by the name of an event @returns what ends it */
export function listen(target: EventTarget, told: Record<string, (event: never) => unknown>) {
  const listeners = Object.entries(told) as [string, EventListener][];
  for (const [name, listener] of listeners) target.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of listeners) target.removeEventListener(name, listener);
  };
}

/** Whether a key is held that makes something else of another key, or of a click. */
export function isModified(event: KeyboardEvent | MouseEvent) {
  return event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
}

/** Calls `act` every so many milliseconds, and at once when somebody looks at the page again; null rests. */
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

/** Draws a component again every so many milliseconds; null rests. */
export function useTick(ms: number | null) {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEvery(ms, () => tick(undefined));
}
