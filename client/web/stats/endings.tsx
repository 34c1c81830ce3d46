// How games end, and which bots lost by a fault.

import { playerName } from '../i18n/botWords.ts';
import { language, number, t } from '../i18n/language.ts';
import type { StatsAnswer } from '../types/page.d.ts';
import { plain } from '../ui/figures.ts';
import { Name, PlayerLink } from '../ui/names.tsx';
import { useApp } from '../ui/view.tsx';
import { DataTable } from './dataTable.tsx';
import { endedBy, endingsOf } from './words.ts';

/** The language of the server's own sentences. */
const SERVER = 'en';

export function Endings({ stats }: { stats: StatsAnswer }) {
  const app = useApp();
  const endings = endingsOf(stats.kinds);
  return (
    <div class="stack">
      <DataTable
        label={t('stats.endings')}
        caption={t('stats.endings.caption')}
        heads={['game', ...endings.map((one) => `end.${one}`)]}
      >
        {stats.kinds.map((kind) => (
          <tr key={kind.game}>
            <th scope="row">{app.catalog.name(kind.game)}</th>
            {endings.map((one) => (
              <td key={one} class="num">
                {number(endedBy(kind, one))}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
      {stats.forfeits.length > 0 ? <Faults stats={stats} /> : <p class="muted">{t('stats.faults.none')}</p>}
    </div>
  );
}

function Faults({ stats }: { stats: StatsAnswer }) {
  const app = useApp();
  return (
    <>
      <DataTable label={t('stats.forfeits')} caption={t('stats.forfeits')} heads={['bot', 'end', 'games']} texts={2}>
        {stats.forfeits.map((one) => (
          <tr key={`${one.player} ${one.termination}`}>
            <th scope="row">
              <PlayerLink player={{ id: one.player, name: one.name, kind: 'bot' }} />
            </th>
            <td>{t(`stats.head.end.${one.termination}`)}</td>
            <td class="num">{number(one.games)}</td>
          </tr>
        ))}
      </DataTable>
      {stats.faults.length > 0 && (
        <DataTable
          label={t('stats.faults')}
          caption={t('stats.faults')}
          heads={['record', 'game', 'bot', 'reason']}
          texts={4}
        >
          {stats.faults.map((one) => (
            <tr key={one.game_id}>
              <th scope="row">
                <a href={`/game/${one.game_id}`}>{t('stats.record', { game: plain(one.game_id) })}</a>
              </th>
              <td>{app.catalog.name(one.game)}</td>
              <td>
                <Name name={playerName({ name: one.name, kind: 'bot' })} />
              </td>
              <td lang={language === SERVER ? undefined : SERVER}>{one.sentence}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </>
  );
}
