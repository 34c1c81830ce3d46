// The statistics of public games: four figures, two charts, and the rest behind tabs.

import { useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import type { StatsAnswer } from '../types/page.d.ts';
import { whenWords } from '../ui/figures.ts';
import { useEvery } from '../ui/listen.ts';
import { Tabs } from '../ui/tabs.tsx';
import { Loaded, useLoading } from '../ui/unloaded.tsx';
import { useApp } from '../ui/view.tsx';
import { Lengths } from './lengths.tsx';
import { Overview } from './overview.tsx';
import { Endings, ResultsTable } from './results.tsx';
import { Times } from './times.tsx';

/** The server recounts as often. */
const REFRESH_MS = 60_000;

export function Stats() {
  const app = useApp();
  const loading = useLoading(async () => {
    await app.catalog.games().catch(() => {}); // only for the names of games
    return getJson('/api/stats');
  }, []);
  useEvery(loading.answer ? REFRESH_MS : null, loading.load);
  const heading = <h1 tabIndex={-1}>{t('stats.title')}</h1>;
  const waiting = (
    <div class="records stack">
      <div class="records-head">{heading}</div>
      <p class="muted">{t('stats.looking')}</p>
    </div>
  );
  return (
    <Loaded of={loading} waiting={waiting}>
      {(stats) => (
        <div class="records stack stats">
          <div class="records-head">
            {heading}
            {stats.as_of_ms !== null && (
              <p class="muted">{t('stats.about', { count: stats.games, when: whenWords(stats.as_of_ms) })}</p>
            )}
          </div>
          {stats.games ? <Counted stats={stats} /> : <p class="panel">{t('stats.none')}</p>}
        </div>
      )}
    </Loaded>
  );
}

function Counted({ stats }: { stats: StatsAnswer }) {
  const [tab, setTab] = useState('results');
  const [game, setGame] = useState(stats.kinds[0].game);
  const chosen = { kinds: stats.kinds, game, onChoose: setGame };
  const tabs = [
    { id: 'results', label: t('stats.results'), content: <ResultsTable kinds={stats.kinds} /> },
    { id: 'lengths', label: t('stats.lengths'), content: <Lengths {...chosen} /> },
    { id: 'times', label: t('stats.times'), content: <Times stats={stats} {...chosen} /> },
    { id: 'endings', label: t('stats.endings'), content: <Endings stats={stats} /> },
  ];
  return (
    <>
      <Overview stats={stats} />
      <section class="panel" aria-label={t('stats.more')}>
        <Tabs label={t('stats.more')} tabs={tabs} chosen={tab} onChoose={setTab} />
      </section>
    </>
  );
}
