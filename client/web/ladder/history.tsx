// The history of a list's ratings: a line for each bot, a few at a time.

import { useState } from 'preact/hooks';
import { botFullName } from '../i18n/botWords.ts';
import { number, t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import type { HistoryAnswer, ListPageAnswer } from '../types/page.d.ts';
import { Chart } from '../ui/chart.tsx';
import { SelectField } from '../ui/fields.tsx';
import { eloWords } from '../ui/figures.ts';
import { useEvery } from '../ui/listen.ts';
import { useLoading } from '../ui/unloaded.tsx';
import { Panel } from '../ui/view.tsx';

const REFRESH_MS = 60_000;
/** As many lines as there are colours that can be told apart. */
const COLOURS = ['accent', 'o', 'here', 'bad', 'ink-soft'];

export function History({ list }: { list: ListPageAnswer }) {
  const { run } = list;
  const { answer, load } = useLoading(() => getJson(`/api/ladder/history?run=${encodeURIComponent(run)}`), [run]);
  useEvery(list.running ? REFRESH_MS : null, load);
  if (!answer || answer.run !== run || answer.games.length < 2) return null; // the standings do without it
  return (
    <Panel name="history" title={t('ladder.history')}>
      <Course key={run} history={answer} />
    </Panel>
  );
}

function Course({ history }: { history: HistoryAnswer }) {
  const { bots, games } = history;
  const [from, setFrom] = useState(0);
  const name = (one: HistoryAnswer['bots'][number]) => {
    const bot = botFullName(one.bot);
    const several = bots.filter((other) => other.bot === one.bot).length > 1;
    return several ? t('ladder.bot.version', { bot, version: one.version }) : bot;
  };
  const starts = bots.map((_, i) => i).filter((i) => i % COLOURS.length === 0);
  const first = starts.includes(from) ? from : 0;
  const shown = bots.slice(first, first + COLOURS.length);
  return (
    <>
      {starts.length > 1 && (
        <SelectField
          label={t('ladder.history.places')}
          value={first}
          options={starts.map((start) => [
            String(start),
            t('ladder.history.from', { first: start + 1, last: Math.min(bots.length, start + COLOURS.length) }),
          ])}
          change={(start) => setFrom(Number(start))}
        />
      )}
      <Chart
        label={t('ladder.history.label', { bots: shown.length, points: games.length })}
        x={{ label: t('ladder.head.games'), values: games, words: (count) => number(count) }}
        y={{ label: t('ladder.head.rating'), words: eloWords, whole: true }}
        series={shown.map((one, i) => ({
          label: name(one),
          colour: COLOURS[i],
          values: one.rating,
          ...(shown.length === 1 ? { low: one.low, high: one.high } : {}),
        }))}
      />
      <p class="muted">{t('ladder.history.meaning')}</p>
    </>
  );
}
