// A chart's data, and their words for people who do not see it. Pure.

import type { ComponentChildren } from 'preact';

export type ChartSeries = {
  label: string;
  /** One for each value of `x`; null where there is none. */
  values: readonly (number | null)[];
  /** A token: `accent`, `x`, `o`, `ink-soft` ... */
  colour: string;
  /** A line by default. */
  kind?: 'line' | 'steps' | 'bars' | 'points';
  dashed?: boolean;
  /** A band around the line. */
  low?: readonly (number | null)[];
  high?: readonly (number | null)[];
};

export type ChartAxis = {
  label: string;
  /** A value in words. */
  words: (value: number) => string;
};

export type ChartProps = {
  /** What the chart shows, in a sentence for people who do not see it. */
  label: string;
  /** Ascending integers. */
  x: ChartAxis & { values: readonly number[] };
  /**
   * The axis covers at least `least` to `most`; `whole` is for integers such as games; `tick` words a value at the
   * axis, if different.
   */
  y: ChartAxis & { least?: number; most?: number; whole?: boolean; tick?: (value: number) => string };
  series: readonly ChartSeries[];
  /** Leaves zeros out of the table, where there may be tens of thousands: browsers take minutes to lay that out. */
  sparse?: boolean;
  /** The index of the marked value. */
  at?: number | null;
  /** Makes values selectable, by pointer or arrow keys. */
  onChoose?: (index: number) => void;
  /** The heading and what else is above the chart. */
  children?: ComponentChildren;
};

/** The index that a key leads to, from 0 to `last`. Pure. */
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
