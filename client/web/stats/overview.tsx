// The top of the statistics: four figures and two charts.

import { date, number, t } from '../i18n/language.ts';
import type { KindStats, StatsAnswer } from '../types/page.d.ts';
import { OutcomeBar } from '../ui/bars.tsx';
import { outcomeWords, timeWords } from '../ui/figures.ts';
import { Panel, useApp } from '../ui/view.tsx';
import { GamesChart } from './lengths.tsx';
import { everyDay, momentOf, resultsOf } from './words.ts';

/** How many games are shown at first; the table has all. */
const SHOWN = 8;
/** The parts of the bars of outcomes. */
const COLOURS = { x: 'x', drawn: 'rule-strong', o: 'o' };

export function Overview({ stats }: { stats: StatsAnswer }) {
  return (
    <>
      <Figures stats={stats} />
      <div class="stats-charts">
        <Panel name="days" title={t('stats.days')}>
          <Days days={stats.days} />
        </Panel>
        <Panel name="wins" title={t('stats.wins')}>
          <Wins kinds={stats.kinds} />
        </Panel>
      </div>
    </>
  );
}

function Figures({ stats }: { stats: StatsAnswer }) {
  const shares = outcomeWords(resultsOf(stats.kinds));
  const pace = (kind: string) => {
    const found = stats.paces.find((one) => one.kind === kind);
    return found ? timeWords(found.median_ms) : '–';
  };
  const people = stats.paces.some((one) => one.kind === 'person');
  const figures = [
    [t('stats.games'), number(stats.games), t('stats.games.kinds', { count: stats.kinds.length })],
    [
      t('stats.players'),
      number(stats.people + stats.bots),
      t('stats.players.of', { people: stats.people, bots: stats.bots }),
    ],
    [
      t('stats.pace'),
      pace(people ? 'person' : 'bot'),
      t(people ? 'stats.pace.people' : 'stats.pace.bots', { bots: pace('bot') }),
    ],
    [t('stats.x'), shares.x, t('stats.x.rest', shares)],
  ];
  return (
    <dl class="stats-figures">
      {figures.map(([name, figure, rest]) => (
        <div key={name} class="panel">
          <dt>{name}</dt>
          <dd class="figure">{figure}</dd>
          <dd class="muted small-print">{rest}</dd>
        </div>
      ))}
    </dl>
  );
}

function Days({ days }: { days: StatsAnswer['days'] }) {
  const all = everyDay(days);
  const words = (day: number) => date(momentOf(day), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const [first, last] = [all[0].day, all[all.length - 1].day];
  return (
    <GamesChart
      label={t('stats.days.label', { from: words(first), to: words(last) })}
      x={{ label: t('stats.day'), values: all.map(({ day }) => day), words }}
      games={all.map(({ games }) => games)}
      sparse
    />
  );
}

/** Who wins, by game. */
function Wins({ kinds }: { kinds: KindStats[] }) {
  const app = useApp();
  return (
    <>
      <ul class="chart-key" aria-hidden="true">
        {Object.entries(COLOURS).map(([name, colour]) => (
          <li key={name}>
            <span class="key-bars" style={{ color: `var(--${colour})` }} /> {t(`stats.head.${name}`)}
          </li>
        ))}
      </ul>
      <ul class="wins">
        {kinds.slice(0, SHOWN).map((kind) => {
          const results = resultsOf([kind]);
          const shares = outcomeWords(results);
          return (
            <li key={kind.game}>
              <span>{app.catalog.name(kind.game)}</span>
              <span class="muted small-print">{t('stats.wins.x', shares)}</span>
              <OutcomeBar {...results} label={t('stats.wins.label', shares)} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
