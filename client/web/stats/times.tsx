// How long moves take: ply by ply, bot by bot, and the slowest of all.

import { playerName } from '../i18n/botWords.ts';
import { number, t } from '../i18n/language.ts';
import type { KindStats, StatsAnswer } from '../types/page.d.ts';
import { Chart } from '../ui/chart.tsx';
import { plain, timeWords } from '../ui/figures.ts';
import { Name, PlayerLink } from '../ui/names.tsx';
import { useApp } from '../ui/view.tsx';
import { DataTable } from './dataTable.tsx';
import { type Chosen, chosenKind, GameChoice } from './gameChoice.tsx';

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
      label={t('stats.movers')}
      caption={t('stats.movers')}
      heads={['bot', 'games', 'moves', 'median', 'p90', 'longest', 'rate']}
    >
      {movers.map((one) => (
        <tr key={one.player}>
          <th scope="row">
            <PlayerLink player={{ id: one.player, name: one.name, kind: 'bot' }} />
          </th>
          <td class="num">{number(one.games)}</td>
          <td class="num">{number(one.moves)}</td>
          <td class="num">{timeWords(one.median_ms)}</td>
          <td class="num">{timeWords(one.p90_ms)}</td>
          <td class="num">{timeWords(one.longest_ms)}</td>
          <td class="num">{one.nodes_s === null ? '–' : number(one.nodes_s)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function Slowest({ moves }: { moves: StatsAnswer['slowest'] }) {
  return (
    <DataTable label={t('stats.slowest')} caption={t('stats.slowest')} heads={['move', 'bot', 'time']} texts={2}>
      {moves.map((one) => (
        <tr key={`${one.game_id} ${one.ply}`}>
          <th scope="row">
            <a href={`/game/${one.game_id}?ply=${one.ply}`}>
              {t('stats.move', { game: plain(one.game_id), ply: one.ply })}
            </a>
          </th>
          <td>
            <Name name={playerName({ name: one.name, kind: 'bot' })} />
          </td>
          <td class="num">{timeWords(one.think_ms)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
