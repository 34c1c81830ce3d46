// Tables of figures. One that is larger than its container scrolls in a frame of its own.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { joined, t } from '../i18n/language.ts';

/** A row's key, its heading, and the other cells. */
export type Row = [key: string | number, ...cells: ComponentChildren[]];

type TableProps = {
  caption: string;
  class?: string;
  /** Whether the caption is for screen readers only. */
  spoken?: boolean;
  heads: string[];
  rows: Row[];
  /** How many columns hold text; those after them hold figures. */
  texts?: number;
};

export function DataTable({ caption, spoken, heads, rows, texts = 1, ...look }: TableProps) {
  const align = (column: number) => (column < texts ? undefined : 'num');
  return (
    <Across label={caption}>
      <table class={joined(['data', look.class])}>
        <caption class={spoken ? 'spoken-only' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th key={head} scope="col" class={align(i)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, head, ...cells]) => (
            <tr key={key}>
              <th scope="row">{head}</th>
              {cells.map((cell, i) => (
                <td key={heads[i + 1]} class={align(i + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Across>
  );
}

/** Scrolls by keyboard too. */
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
