// A chart: its drawing, what its colours mean, and its numbers as a table for those who do not see it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { Across } from './across.tsx';
import type { ChartAxis, ChartProps } from './chartData.ts';
import { said, stepped } from './chartData.ts';
import type { Plot } from './plot.ts';

/** The drawing comes when its library is there; its place is kept. */
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
      if (index === null || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      onChoose(index);
    },
  };
}

/** What the colours mean, with the values of the place that is pointed at. */
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

/** Built when somebody opens it: pages have dozens of charts. */
function Numbers({ label, x, y, series }: ChartProps) {
  const [open, setOpen] = useState(false);
  const cell = (value: number | null | undefined) => (value === null || value === undefined ? '–' : y.words(value));
  return (
    <details class="chart-numbers" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('figures.numbers')}</summary>
      {open && (
        <Across label={label}>
          <table class="data">
            <caption class="spoken-only">{label}</caption>
            <thead>
              <tr>
                {[x.label, ...series.map((one) => one.label)].map((head, i) => (
                  <th key={head} scope="col" class={i ? 'num' : undefined}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {x.values.map((value, i) => (
                <tr key={value}>
                  <th scope="row">{x.words(value)}</th>
                  {series.map(({ label, values, low, high }) => (
                    <td key={label} class="num">
                      {cell(values[i])}
                      {low && high && values[i] !== null && (
                        <small class="muted"> {t('figures.range', { low: cell(low[i]), high: cell(high[i]) })}</small>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Across>
      )}
    </details>
  );
}
