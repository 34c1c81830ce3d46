// Who won, by game, with the advantage of moving first; how games end, and which bots lost by a fault.

import { playerName } from '../i18n/botWords.ts';
import { number, t } from '../i18n/language.ts';
import { explorePath } from '../net/address.ts';
import type { KindStats, StatsAnswer } from '../types/page.d.ts';
import { percentWords, plain, shareOfX } from '../ui/figures.ts';
import { Name, PlayerLink } from '../ui/names.tsx';
import { DataTable, type Row } from '../ui/table.tsx';
import { useApp } from '../ui/view.tsx';
import { endedBy, endingsOf, heads, resultsOf } from './words.ts';

export function ResultsTable({ kinds }: { kinds: KindStats[] }) {
  const app = useApp();
  const row = (kind: KindStats): Row => {
    const { x, drawn, o, games } = resultsOf([kind]);
    const { share, low, high } = shareOfX(x, drawn, o);
    return [
      kind.game,
      <a href={explorePath(kind.game)}>{app.catalog.name(kind.game)}</a>,
      ...[games, x, drawn, o].map((count) => number(count)),
      percentWords(share),
      t('figures.range', { low: percentWords(low), high: percentWords(high) }),
    ];
  };
  return (
    <>
      <DataTable
        caption={t('stats.results.caption')}
        heads={heads('game', 'games', 'x', 'drawn', 'o', 'points', 'interval')}
        rows={kinds.map(row)}
      />
      <p class="muted">{t('stats.results.note')}</p>
    </>
  );
}

export function Endings({ stats }: { stats: StatsAnswer }) {
  const app = useApp();
  const endings = endingsOf(stats.kinds);
  return (
    <div class="stack">
      <DataTable
        caption={t('stats.endings.caption')}
        heads={heads('game', ...endings.map((one) => `end.${one}`))}
        rows={stats.kinds.map((kind) => [
          kind.game,
          app.catalog.name(kind.game),
          ...endings.map((one) => number(endedBy(kind, one))),
        ])}
      />
      {stats.forfeits.length > 0 ? <Faults stats={stats} /> : <p class="muted">{t('stats.faults.none')}</p>}
    </div>
  );
}

function Faults({ stats }: { stats: StatsAnswer }) {
  const app = useApp();
  return (
    <>
      <DataTable
        caption={t('stats.forfeits')}
        heads={heads('bot', 'end', 'games')}
        texts={2}
        rows={stats.forfeits.map((one) => [
          `${one.player} ${one.termination}`,
          <PlayerLink player={{ id: one.player, name: one.name, kind: 'bot' }} />,
          t(`stats.head.end.${one.termination}`),
          number(one.games),
        ])}
      />
      {stats.faults.length > 0 && (
        <DataTable
          caption={t('stats.faults')}
          heads={heads('record', 'game', 'bot', 'reason')}
          texts={4}
          rows={stats.faults.map((one) => [
            one.game_id,
            <a href={`/game/${one.game_id}`}>{t('stats.record', { game: plain(one.game_id) })}</a>,
            app.catalog.name(one.game),
            <Name name={playerName({ name: one.name, kind: 'bot' })} />,
            <span lang="en">{one.sentence}</span>,
          ])}
        />
      )}
    </>
  );
}
