// How long games last, for the chosen game.

import { number, t } from '../i18n/language.ts';
import type { KindStats } from '../types/page.d.ts';
import { Chart } from '../ui/chart.tsx';
import type { ChartProps } from '../ui/chartData.ts';
import { SelectField } from '../ui/fields.tsx';
import { useApp } from '../ui/view.tsx';
import { binned, medianLength } from './words.ts';

export function Lengths(chosen: Chosen) {
  const app = useApp();
  const { game, lengths } = chosenKind(chosen);
  const bins = binned(lengths);
  const values = {
    game: app.catalog.name(game),
    count: bins.reduce((sum, bin) => sum + bin.games, 0),
    median: medianLength(lengths),
    least: lengths[0].plies,
    most: lengths[lengths.length - 1].plies,
  };
  const words = (i: number) => {
    const bin = bins[i];
    if (!bin) return '';
    return bin.first === bin.last
      ? number(bin.first)
      : t('figures.range', { low: number(bin.first), high: number(bin.last) });
  };
  return (
    <div class="stack">
      <GameChoice {...chosen} />
      <GamesChart
        label={t('stats.lengths.label', values)}
        x={{ label: t('stats.plies'), values: bins.map((_, i) => i), words }}
        games={bins.map((bin) => bin.games)}
      >
        {t('stats.lengths.label', values)}
      </GamesChart>
    </div>
  );
}

/** How many games there are for each value of `x`. */
export function GamesChart({ games, ...props }: Omit<ChartProps, 'y' | 'series'> & { games: number[] }) {
  const label = t('stats.games');
  return (
    <Chart
      y={{ label, words: (value) => number(value), whole: true }}
      series={[{ label, values: games, colour: 'accent', kind: 'bars' }]}
      {...props}
    />
  );
}

export type Chosen = { kinds: KindStats[]; game: string; onChoose: (game: string) => void };

export function GameChoice({ kinds, game, onChoose }: Chosen) {
  const app = useApp();
  return (
    <SelectField
      label={t('stats.of')}
      value={game}
      options={kinds.map((kind) => [kind.game, app.catalog.name(kind.game)])}
      change={onChoose}
    />
  );
}

/** Falls back to the first game if the chosen one is no longer counted. */
export function chosenKind({ kinds, game }: Pick<Chosen, 'kinds' | 'game'>) {
  return kinds.find((kind) => kind.game === game) ?? kinds[0];
}
