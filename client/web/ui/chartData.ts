// What a chart is told, and what it says to those who do not see it. Pure.

import type { ComponentChildren } from 'preact';

export type ChartSeries = {
  label: string;
  /** One for each value of `x`; null where there is none. */
  values: readonly (number | null)[];
  /** A token: `accent`, `x`, `o`, `ink-soft` ... */
  colour: string;
  /** A line where it is left out. */
  kind?: 'line' | 'steps' | 'bars' | 'points';
  dashed?: boolean;
  /** The band around it. */
  low?: readonly (number | null)[];
  high?: readonly (number | null)[];
};

export type ChartAxis = {
  label: string;
  /** A value as people read it. */
  words: (value: number) => string;
};

export type ChartProps = {
  /** What it shows, in a sentence for those who do not see it. */
  label: string;
  /** Whole numbers, rising. */
  x: ChartAxis & { values: readonly number[] };
  /**
   * `least` and `most` are what it reaches to at least; `whole` what has no halves, such as games; `tick` a value as it
   * stands at the axis, where that is not its words.
   */
  y: ChartAxis & { least?: number; most?: number; whole?: boolean; tick?: (value: number) => string };
  series: readonly ChartSeries[];
  /** Leaves zeros out of the table, where there may be tens of thousands: browsers take minutes to lay that out. */
  sparse?: boolean;
  /** The index of the value that is marked. */
  at?: number | null;
  /** Makes values something to choose, by pointing or with the arrow keys. */
  onChoose?: (index: number) => void;
  /** The headline and what else stands above. */
  children?: ComponentChildren;
};

/** Where a key leads to, of the values from 0 to `last`. Pure. */
export function stepped(key: string, at: number, last: number): number | null {
  const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[key];
  return to === undefined ? null : Math.max(0, Math.min(last, to));
}

/** "Move 3: think time 1.2 s". Pure. */
export function said({ x, y, series }: Pick<ChartProps, 'x' | 'y' | 'series'>, index: number) {
  if (x.values[index] === undefined) return '';
  const values = series.flatMap(({ label, values }) => {
    const value = values[index];
    return value === null || value === undefined ? [] : `${label} ${y.words(value)}`;
  });
  return `${x.label} ${x.words(x.values[index])}: ${values.join(', ')}`;
}
