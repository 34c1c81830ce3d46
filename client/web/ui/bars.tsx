// Small bars in tables; the numbers are beside them as text.

import type { CSSProperties } from 'preact';

/** Custom properties for the stylesheet. */
export function vars(values: Record<string, string | number>) {
  return values as CSSProperties;
}

/** A rating and its 95 % interval as a dot on a bar. */
export function IntervalBar(props: {
  of: { low: number; rating: number; high: number };
  scale: { low: number; high: number };
}) {
  const { of, scale } = props;
  const place = (value: number) => `${(100 * (value - scale.low)) / Math.max(1e-9, scale.high - scale.low)}%`;
  const places = { '--low': place(of.low), '--at': place(of.rating), '--high': place(of.high), '--zero': place(0) };
  return (
    <span class="interval" aria-hidden="true" style={vars(places)}>
      <span class="interval-zero" />
      <span class="interval-bar" />
      <span class="interval-dot" />
    </span>
  );
}

/** X's wins, draws and O's wins. @param label in words, where no text beside it says so */
export function OutcomeBar(props: { x: number; drawn: number; o: number; label?: string }) {
  const spoken = props.label ? { role: 'img' as const, 'aria-label': props.label } : { 'aria-hidden': true };
  return (
    <span class="outcome" {...spoken}>
      {(['x', 'drawn', 'o'] as const).map(
        (name) =>
          props[name] > 0 && <span key={name} class={`outcome-${name}`} style={vars({ '--part': props[name] })} />,
      )}
    </span>
  );
}
