// The series of a record's charts. Pure.

import { number, t } from '../i18n/language.ts';
import type { GameAnswer, Marks, Side } from '../types/page.d.ts';
import type { ChartProps, ChartSeries } from '../ui/chartData.ts';
import { timeWords } from '../ui/figures.ts';
import type { Grade, JudgedMove } from './reviewWords.ts';
import { drawnValue, gradeOf } from './reviewWords.ts';

type Drawn = Pick<ChartProps, 'x' | 'y' | 'series'>;
type Timed = { by: Side; think_ms: number };

/** A limit of more times the longest move than this would flatten the bars, and is left out. */
const LIMIT_SHOWN = 4;
/** For shorter times a chart's grid lines would be at fractions of a millisecond, which records do not have. */
const FINE_MS = 10;

/** The time of each move, upwards for X, downwards for O. */
export function timesDrawn(moves: Timed[], limits: { x?: number | null; o?: number | null }, marks: Marks): Drawn {
  const longest = Math.max(1, ...moves.map((move) => move.think_ms));
  const bars = (side: Side, sign: number): ChartSeries => ({
    label: marks[side],
    values: moves.map((move) => (move.by === side ? sign * move.think_ms : null)),
    colour: side,
    kind: 'bars',
  });
  const limit = (side: Side, sign: number): ChartSeries[] => {
    const ms = limits[side];
    if (!ms || ms > LIMIT_SHOWN * longest) return [];
    const label = t('chart.limit', { mark: marks[side] });
    return [{ label, values: moves.map(() => sign * ms), colour: 'ink-soft', dashed: true }];
  };
  return {
    x: plies(moves.length),
    y: {
      label: t('chart.time.of'),
      words: (ms) => timeWords(Math.abs(ms)),
      tick: (ms) => (ms ? timeWords(Math.abs(ms)) : number(0)),
      whole: longest < FINE_MS,
    },
    series: [bars('x', 1), bars('o', -1), ...limit('x', 1), ...limit('o', -1)],
  };
}

/** The total of both sides, and the longest move. */
export function timesSentence(moves: Timed[], marks: Marks) {
  const used = (side: Side) =>
    timeWords(moves.filter((move) => move.by === side).reduce((sum, move) => sum + move.think_ms, 0));
  const longest = Math.max(0, ...moves.map((move) => move.think_ms));
  const scale = longest < 2 ? t('chart.scale.instant') : t('chart.scale', { time: timeWords(longest) });
  return `${t('chart.all', { x: marks.x, x_time: used('x'), o: marks.o, o_time: used('o') })} · ${scale}`;
}

/** The value of the game after each move, for X: proven results reach the edges, estimates stay off them. */
export function valuesDrawn(judged: ReadonlyMap<number, JudgedMove>, of: number, marks: Marks): Drawn {
  const found = Array.from({ length: of }, (_, ply) => judged.get(ply));
  const values = (holds: (each: JudgedMove) => boolean) =>
    found.map((each) => (each && holds(each) ? drawnValue(each) : null));
  const points = (grade: Grade, colour: string): ChartSeries => ({
    label: t(`chart.${grade}`),
    values: values((each) => gradeOf(each) === grade),
    colour,
    kind: 'points',
  });
  // Bars of zero height would be invisible.
  const level = found.every((each) => !each || !drawnValue(each));
  const bars = (exact: boolean): ChartSeries => ({
    label: t(exact ? 'chart.proven' : 'chart.estimated'),
    values: values((each) => each.judged.exact === exact),
    colour: exact ? 'accent' : 'rule-strong',
    kind: level ? undefined : 'bars',
  });
  const series = [bars(true), bars(false), points('mistake', 'bad'), points('doubtful', 'ink')];
  return {
    x: plies(of),
    y: { label: t('chart.value.of'), least: -1, most: 1, words: (value) => standing(value, marks) },
    series: series.filter((one) => one.values.some((value) => value !== null)),
  };
}

/** A value of -1 to 1 in words. */
function standing(value: number, marks: Marks) {
  if (value === 0) return t('chart.draw');
  const mark = value > 0 ? marks.x : marks.o;
  return t(Math.abs(value) === 1 ? 'chart.wins' : 'chart.better', { mark });
}

function plies(count: number) {
  return {
    label: t('record.slider'),
    values: Array.from({ length: count }, (_, ply) => ply + 1),
    words: (ply: number) => number(ply),
  };
}

/** The time limits of each side. */
export function limitsOf({ clock, x_limit, o_limit }: GameAnswer) {
  return { x: x_limit?.move_ms ?? clock?.move_ms, o: o_limit?.move_ms ?? clock?.move_ms };
}
