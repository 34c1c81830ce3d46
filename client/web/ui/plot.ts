// The drawing of a chart, by uPlot on a canvas: as wide as its container, in the theme's colours. Loaded with the first
// chart.

import uPlot from 'uplot';
import type { ChartProps, ChartSeries } from './chartData.ts';
import { listen } from './listen.ts';

const GAP = 8;
/** Between a tick's label and the next. */
const APART = 16;
const BARS = { width: 0.8, most: 48 };

type Told = { point: (index: number | null) => void; choose: (index: number) => void };

export class Plot {
  private place: HTMLElement;
  private props: ChartProps;
  private told: Told;
  private probe: HTMLSpanElement;
  private chart: uPlot | null = null;
  private shape = '';
  private ends: (() => void)[];

  constructor(place: HTMLElement, props: ChartProps, told: Told) {
    this.place = place;
    this.props = props;
    this.told = told;
    this.probe = document.createElement('span');
    place.append(this.probe);
    const redraw = () => this.chart?.redraw(true, true);
    const size = new ResizeObserver(() => this.chart?.setSize(this.size()));
    size.observe(place);
    const themes = new MutationObserver(redraw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-colours'] });
    const media = [
      matchMedia('(prefers-color-scheme: dark)'),
      matchMedia('(prefers-contrast: more)'),
      matchMedia('(forced-colors: active)'),
    ];
    const click = () => {
      const index = this.chart?.cursor.idx;
      if (index !== null && index !== undefined) this.told.choose(index);
    };
    this.ends = [
      () => size.disconnect(),
      () => themes.disconnect(),
      ...media.map((each) => listen(each, { change: redraw })),
      listen(place, { click }),
    ];
    this.update(props);
  }

  update(props: ChartProps) {
    this.props = props;
    const shape = JSON.stringify(props.series.map(({ kind, colour, dashed, low }) => [kind, colour, dashed, !!low]));
    if (shape === this.shape) {
      this.chart?.setData(aligned(props));
      return;
    }
    this.shape = shape;
    this.chart?.destroy();
    this.chart = new uPlot(this.options(), aligned(props), this.place);
  }

  end() {
    for (const each of this.ends) each();
    this.chart?.destroy();
    this.probe.remove();
  }

  private size() {
    return { width: Math.max(1, this.place.clientWidth), height: Math.max(1, this.place.clientHeight) };
  }

  /** A token's value in the present theme: a canvas does not know `light-dark()`. */
  private colour(token: string, clear = 1) {
    this.probe.style.color =
      clear < 1 ? `color-mix(in srgb, var(--${token}) ${100 * clear}%, transparent)` : `var(--${token})`;
    return getComputedStyle(this.probe).color;
  }

  private font() {
    const { fontFamily, fontSize } = getComputedStyle(this.place);
    return `${fontSize} ${fontFamily}`;
  }

  private options(): uPlot.Options {
    const { props } = this;
    return {
      ...this.size(),
      padding: [GAP, (chart) => Math.max(GAP, this.half(chart)), 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 9 } },
      scales: {
        x: { time: false, range: (_, low, high) => this.across(low, high) },
        y: { range: (_, low, high) => this.up(low, high) },
      },
      axes: [this.axis('x'), this.axis('y')],
      series: [{}, ...columns(props.series).map((one) => this.drawn(one))],
      // Column 0 is x.
      bands: columns(props.series).flatMap(({ values, of }, i) =>
        values === of.high ? [{ series: [i + 1, i + 2], fill: () => this.colour(of.colour, 0.18) }] : [],
      ),
      hooks: {
        drawClear: [(chart) => this.mark(chart)],
        setCursor: [
          (chart) => this.told.point(chart.cursor.left && chart.cursor.left >= 0 ? (chart.cursor.idx ?? null) : null),
        ],
      },
    };
  }

  /** How far the last label below the chart extends beyond its edge. */
  private half(chart: uPlot) {
    return Math.ceil(widest(chart, this.edges().map(this.props.x.words), this.font()) / 2);
  }

  /** Bars at the ends are as wide as the others. */
  private across(low: number, high: number): [number, number] {
    const room = this.props.series.some((one) => one.kind === 'bars') || low === high ? 0.5 : 0;
    const { values } = this.props.x;
    const step = values.length > 1 ? (values[values.length - 1] - values[0]) / (values.length - 1) : 1;
    return [low - room * step, high + room * step];
  }

  private up(low: number | null, high: number | null): [number, number] {
    const { y, series } = this.props;
    const bars = series.some((one) => one.kind === 'bars') ? [0] : [];
    const wanted = [low, high, y.least, y.most, ...bars].filter((value) => value !== null && value !== undefined);
    const [least, most] = [Math.min(...wanted), Math.max(...wanted)];
    if (!wanted.length || least === most) return [Math.min(0, least || 0), Math.max(1, 2 * (most || 0))];
    const room = (most - least) * 0.06;
    const fixed = (value: number) => value === y.least || value === y.most || (bars.length > 0 && value === 0);
    return [fixed(least) ? least : least - room, fixed(most) ? most : most + room];
  }

  private axis(which: 'x' | 'y'): uPlot.Axis {
    const across = which === 'x';
    const { x, y } = this.props;
    const tick = across ? x.words : (y.tick ?? y.words);
    const words = (values: number[]) => values.map((value) => tick(value));
    const em = Number.parseFloat(getComputedStyle(this.place).fontSize);
    return {
      font: this.font(),
      stroke: () => this.colour('ink-soft'),
      grid: { show: !across, stroke: () => this.colour('rule'), width: 1 },
      ticks: { show: false },
      border: { show: across, stroke: () => this.colour('rule-strong'), width: 1 },
      gap: GAP / 2,
      size: (chart, values) => (across ? 1.6 * em : GAP + widest(chart, values ?? [], this.font())),
      space: (chart) => (across ? APART + widest(chart, words(this.edges()), this.font()) : 2.6 * em),
      incrs: across || y.whole ? WHOLE : undefined,
      values: (_, values) => words(values),
    };
  }

  private edges() {
    const { values } = this.props.x;
    return values.length ? [values[0], values[values.length - 1]] : [];
  }

  private drawn({ values, of: one }: Column): uPlot.Series {
    if (values !== one.values) return { width: 0, points: { show: false } };
    const stroke = () => this.colour(one.colour);
    const { bars, stepped, points } = uPlot.paths;
    const series: uPlot.Series = { stroke, width: 2, dash: one.dashed ? [6, 4] : undefined, points: { show: false } };
    if (one.kind === 'bars')
      Object.assign(series, { fill: stroke, width: 0, paths: bars?.({ size: [BARS.width, BARS.most] }) });
    if (one.kind === 'steps') series.paths = stepped?.({ align: 1 });
    if (one.kind === 'points')
      Object.assign(series, { paths: points?.(), points: { show: true, size: 7, fill: stroke } });
    if (!one.kind && one.values.length === 1) series.points = { show: true, size: 8, fill: stroke };
    return series;
  }

  /** A column behind the selected value. */
  private mark(chart: uPlot) {
    const { at, x } = this.props;
    if (at === null || at === undefined || x.values[at] === undefined) return;
    const step = chart.valToPos(x.values[0] + 1, 'x', true) - chart.valToPos(x.values[0], 'x', true);
    const { top, height } = chart.bbox;
    chart.ctx.fillStyle = this.colour('accent-soft');
    chart.ctx.fillRect(chart.valToPos(x.values[at], 'x', true) - step / 2, top, step, height);
  }
}

const WHOLE = [1, 2, 5].flatMap((n) => [n, 10 * n, 100 * n, 1000 * n, 10_000 * n, 100_000 * n]).sort((a, b) => a - b);

type Column = { values: readonly (number | null)[]; of: ChartSeries };

/** uPlot's series: each of ours, followed by the edges of its band if it has one. */
function columns(series: readonly ChartSeries[]): Column[] {
  return series.flatMap((of) => [of.values, of.high, of.low].flatMap((values) => (values ? [{ values, of }] : [])));
}

function aligned({ x, series }: ChartProps) {
  return [[...x.values], ...columns(series).map(({ values }) => [...values])] as uPlot.AlignedData;
}

function widest(chart: uPlot, words: readonly string[], font: string) {
  chart.ctx.save();
  chart.ctx.font = font;
  const width = Math.max(0, ...words.map((word) => chart.ctx.measureText(word).width));
  chart.ctx.restore();
  return Math.ceil(width);
}
