// Where a bot's answer is long in coming: whether the server still compiles its searches.

import { useEffect, useState } from 'preact/hooks';
import type { LiveRoom } from '../net/rooms.ts';
import { useApp } from '../ui/view.tsx';

const WARM_UP_MS = 1000;

/** How far the bots are that a move waits for; null where nothing waits for them. */
export function useWarmUp({ state }: LiveRoom): { done: number; of: number } | null {
  const { catalog } = useApp();
  const [warming, setWarming] = useState<{ done: number; of: number } | null>(null);
  const side = state.game.to_move;
  const waits = side !== null && !!state.seats[side]?.bot && !state.thinking && !catalog.warm;
  useEffect(() => {
    if (!waits) return setWarming(null);
    let timer = 0;
    const ask = async () => {
      const told = await catalog.warmUp().catch(() => null);
      if (!timer) return;
      setWarming(told);
      if (!catalog.warm) timer = window.setTimeout(ask, WARM_UP_MS);
    };
    timer = window.setTimeout(ask, WARM_UP_MS);
    return () => {
      clearTimeout(timer);
      timer = 0;
    };
  }, [waits]);
  return waits ? warming : null;
}
