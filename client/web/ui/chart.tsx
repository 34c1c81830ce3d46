// A chart: the drawing, its legend, and its numbers as a table for people who do not see it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { ChartAxis, ChartProps, ChartSeries } from './chartData.ts';
import { said, stepped } from './chartData.ts';
import { isModified } from './listen.ts';
import type { Plot } from './plot.ts';
import { DataTable } from './table.tsx';

/** The drawing appears once its library has loaded; its space is reserved. */
export function Chart(props: ChartProps) {
  const { children, x, y, series, at = null, onChoose } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    let wanted = true;
    void import('./plot.ts').then(({ Plot }) => {
      if (!wanted || !place.current) return;
      plot.current = new Plot(place.current, latest.current, {
        point: setPointed,
        choose: (index) => latest.current.onChoose?.(index),
      });
    });
    return () => {
      wanted = false;
      plot.current?.end();
    };
  }, []);
  useEffect(() => plot.current?.update(props));

  const shown = pointed ?? at;
  return (
    <figure class="chart">
      {children && <figcaption>{children}</figcaption>}
      <p class="chart-axis">{y.label}</p>
      <div class="chart-plot" ref={place} {...role(props, at, onChoose)} />
      <p class="chart-axis chart-across">
        {shown === null || x.values[shown] === undefined ? x.label : `${x.label} ${x.words(x.values[shown])}`}
      </p>
      {(series.length > 1 || shown !== null) && <Key series={series} words={y.words} shown={shown} />}
      <Numbers {...props} />
    </figure>
  );
}

/** A picture to look at, or a slider along its values. */
function role(props: ChartProps, at: number | null, onChoose: ChartProps['onChoose']) {
  if (!onChoose) return { role: 'img' as const, 'aria-label': props.label };
  const last = props.x.values.length - 1;
  return {
    role: 'slider' as const,
    tabIndex: 0,
    'aria-label': props.label,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, last),
    'aria-valuenow': at ?? 0,
    'aria-valuetext': said(props, at ?? 0),
    onKeyDown: (event: KeyboardEvent) => {
      const index = stepped(event.key, at ?? -1, last);
      if (index === null || isModified(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onChoose(index);
    },
  };
}

/** The legend, with the values at the pointer. */
function Key({
  series,
  words,
  shown,
}: Pick<ChartProps, 'series'> & { words: ChartAxis['words']; shown: number | null }) {
  return (
    <ul class="chart-key" aria-hidden="true">
      {series.map(({ label, values, colour, kind, dashed }) => {
        const value = shown === null ? null : values[shown];
        return (
          <li key={label}>
            <span class={`key-${kind ?? 'line'}${dashed ? ' dashed' : ''}`} style={{ color: `var(--${colour})` }} />
            {label} {value !== null && value !== undefined && <b>{words(value)}</b>}
          </li>
        );
      })}
    </ul>
  );
}

/** Built when it is opened: pages have dozens of charts. */
function Numbers({ label, x, y, series, sparse }: ChartProps) {
  const [open, setOpen] = useState(false);
  const words = (value: number | null | undefined) => (value === null || value === undefined ? '–' : y.words(value));
  const cell = ({ values, low, high }: ChartSeries, i: number) => (
    <>
      {words(values[i])}
      {low && high && values[i] !== null && (
        <small class="muted"> {t('figures.range', { low: words(low[i]), high: words(high[i]) })}</small>
      )}
    </>
  );
  const isLeftOut = (i: number) => sparse && series.every(({ values }) => !values[i]);
  return (
    <details class="chart-numbers" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('figures.numbers')}</summary>
      {open && (
        <DataTable
          spoken
          caption={label}
          heads={[x.label, ...series.map((one) => one.label)]}
          rows={x.values.flatMap((value, i) =>
            isLeftOut(i) ? [] : [[value, x.words(value), ...series.map((one) => cell(one, i))]],
          )}
        />
      )}
    </details>
  );
}
