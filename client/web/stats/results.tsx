// Who won, by kind of game, with what that says of moving first.

import { number, t } from '../i18n/language.ts';
import type { KindStats } from '../types/page.d.ts';
import { percentWords, shareOfX } from '../ui/figures.ts';
import { useApp } from '../ui/view.tsx';
import { DataTable } from './dataTable.tsx';
import { resultsOf } from './words.ts';

/** Fewer games say nothing of an interval. */
const GAMES_LEAST = 10;

export function ResultsTable({ kinds }: { kinds: KindStats[] }) {
  const app = useApp();
  return (
    <>
      <DataTable
        label={t('stats.results')}
        caption={t('stats.results.caption')}
        heads={['game', 'games', 'x', 'drawn', 'o', 'points', 'interval']}
      >
        {kinds.map((kind) => {
          const { x, drawn, o, games } = resultsOf([kind]);
          const { share, low, high } = shareOfX(x, drawn, o);
          return (
            <tr key={kind.game}>
              <th scope="row">
                <a href={`/explorer?game=${encodeURIComponent(kind.game)}`}>{app.catalog.name(kind.game)}</a>
              </th>
              <td class="num">{number(games)}</td>
              <td class="num">{number(x)}</td>
              <td class="num">{number(drawn)}</td>
              <td class="num">{number(o)}</td>
              <td class="num">{percentWords(share)}</td>
              <td class="num">
                {games < GAMES_LEAST ? '–' : t('figures.range', { low: percentWords(low), high: percentWords(high) })}
              </td>
            </tr>
          );
        })}
      </DataTable>
      <p class="muted">{t('stats.results.note')}</p>
    </>
  );
}
