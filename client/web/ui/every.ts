// What is asked for again and again while somebody looks.

import { useEffect, useRef } from 'preact/hooks';

/** Calls `act` every so many milliseconds, and at once when somebody looks at the page again; null rests. */
export function useEvery(ms: number | null, act: () => void) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (ms === null) return;
    const look = () => document.visibilityState === 'visible' && latest.current();
    const timer = setInterval(look, ms);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [ms]);
}
