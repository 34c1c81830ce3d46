// How long moves take: ply by ply, bot by bot, and the slowest of all.

import { playerName } from '../i18n/botWords.ts';
import { number, t } from '../i18n/language.ts';
import type { KindStats, StatsAnswer } from '../types/page.d.ts';
import { Chart } from '../ui/chart.tsx';
import { plain, timeWords } from '../ui/figures.ts';
import { Name, PlayerLink } from '../ui/names.tsx';
import { DataTable } from '../ui/table.tsx';
import { useApp } from '../ui/view.tsx';
import { type Chosen, chosenKind, GameChoice } from './lengths.tsx';
import { heads } from './words.ts';

const KINDS = ['person', 'bot'] as const;
const COLOURS = { person: 'o', bot: 'accent' };

export function Times({ stats, ...chosen }: Chosen & { stats: StatsAnswer }) {
  return (
    <div class="stack">
      <GameChoice {...chosen} />
      <Plies kind={chosenKind(chosen)} />
      {stats.movers.length > 0 && <Movers movers={stats.movers} />}
      {stats.slowest.length > 0 && <Slowest moves={stats.slowest} />}
    </div>
  );
}

function Plies({ kind }: { kind: KindStats }) {
  const app = useApp();
  const plies = [...new Set(kind.times.map(({ ply }) => ply))].sort((a, b) => a - b);
  const series = KINDS.filter((who) => kind.times.some((time) => time.kind === who)).map((who) => {
    const times = new Map(kind.times.filter((time) => time.kind === who).map((time) => [time.ply, time]));
    return {
      label: t(`stats.times.${who}`),
      colour: COLOURS[who],
      values: plies.map((ply) => times.get(ply)?.median_ms ?? null),
      low: plies.map((ply) => times.get(ply)?.low_ms ?? null),
      high: plies.map((ply) => times.get(ply)?.high_ms ?? null),
    };
  });
  if (!plies.length) return <p class="empty">{t('stats.times.none')}</p>;
  const label = t('stats.times.label', { game: app.catalog.name(kind.game) });
  return (
    <Chart
      label={label}
      x={{ label: t('stats.ply'), values: plies, words: (ply) => number(ply) }}
      y={{ label: t('stats.times.axis'), words: (ms) => (ms ? timeWords(ms) : number(0)), least: 0 }}
      series={series}
    >
      {label} <small class="muted">{t('stats.times.band')}</small>
    </Chart>
  );
}

function Movers({ movers }: { movers: StatsAnswer['movers'] }) {
  return (
    <DataTable
      caption={t('stats.movers')}
      heads={heads('bot', 'games', 'moves', 'median', 'p90', 'longest', 'rate')}
      rows={movers.map((one) => [
        one.player,
        <PlayerLink player={{ id: one.player, name: one.name, kind: 'bot' }} />,
        number(one.games),
        number(one.moves),
        timeWords(one.median_ms),
        timeWords(one.p90_ms),
        timeWords(one.longest_ms),
        one.nodes_s === null ? '–' : number(one.nodes_s),
      ])}
    />
  );
}

function Slowest({ moves }: { moves: StatsAnswer['slowest'] }) {
  return (
    <DataTable
      caption={t('stats.slowest')}
      heads={heads('move', 'bot', 'time')}
      texts={2}
      rows={moves.map((one) => [
        `${one.game_id} ${one.ply}`,
        <a href={`/game/${one.game_id}?ply=${one.ply}`}>
          {t('stats.move', { game: plain(one.game_id), ply: one.ply })}
        </a>,
        <Name name={playerName({ name: one.name, kind: 'bot' })} />,
        timeWords(one.think_ms),
      ])}
    />
  );
}
