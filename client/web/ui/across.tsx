// A table that may be larger than its place.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';

/** Where its table is larger than there is room for, it scrolls in a frame of its own, by keyboard too. */
export function Across({ label, children }: { label: string; children: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null);
  const [large, setLarge] = useState(false);
  useEffect(() => {
    const node = frame.current as HTMLDivElement;
    const isLarge = () => node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight;
    const watcher = new ResizeObserver(() => setLarge(isLarge()));
    watcher.observe(node);
    if (node.firstElementChild) watcher.observe(node.firstElementChild);
    return () => watcher.disconnect();
  }, []);
  const scrolls = large && {
    role: 'region' as const,
    'aria-label': t('ladder.scrolls', { table: label }),
    tabIndex: 0,
  };
  return (
    <div class="across" ref={frame} {...scrolls}>
      {children}
    </div>
  );
}
