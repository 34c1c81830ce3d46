// The ladder: bots of a list by strength, how certain that is, who beat whom, the games, and the one being played.

import type { ComponentChildren } from 'preact';
import { joined, pieces, t } from '../i18n/language.ts';
import { ladderPath } from '../net/address.ts';
import { getJson } from '../net/catalog.ts';
import type { ListAnswer, ListPageAnswer } from '../types/page.d.ts';
import { Field, OptionGroup } from '../ui/fields.tsx';
import { limitWords, whenWords } from '../ui/figures.ts';
import { useEvery } from '../ui/listen.ts';
import { Loaded, useLoading } from '../ui/unloaded.tsx';
import { useApp, useTitle } from '../ui/view.tsx';
import { Crosstable } from './crosstable.tsx';
import { FirstMove } from './firstMove.tsx';
import { Games, useFilters } from './games.tsx';
import { History } from './history.tsx';
import { Live } from './live.tsx';
import { Standings } from './standings.tsx';
import { firstList, howSure, named } from './words.ts';

const REFRESH_MS = 10_000;
/** The page mentions games that are missing in the ratings from this share on. */
const OLD = 0.1;

type Answer = { lists: ListAnswer[]; list: ListPageAnswer | null };

/** @param query run, a, b, opening */
export function Ladder({ query }: { query: URLSearchParams }) {
  const app = useApp();
  const loading = useLoading(async (): Promise<Answer> => {
    await app.catalog.games().catch(() => {}); // only for the names of games
    const { lists } = await getJson('/api/ladder');
    const run = query.get('run') ?? firstList(lists)?.run;
    return { lists, list: run ? await getJson(`/api/ladder?run=${encodeURIComponent(run)}`) : null };
  }, []);
  useEvery(loading.answer ? REFRESH_MS : null, loading.load);
  const game = loading.answer?.list?.game;
  useTitle(game && t('ladder.of', { game: app.catalog.name(game) }));
  const heading = <h1 tabIndex={-1}>{t('ladder.title')}</h1>;
  const waiting = (
    <div class="records stack">
      <div class="records-head">{heading}</div>
      <p class="muted">{t('ladder.looking')}</p>
    </div>
  );
  return (
    <Loaded of={loading} waiting={waiting}>
      {({ lists, list }) => (
        <div class="records stack">
          <div class="records-head">
            {heading}
            {list && <Chooser lists={lists} run={list.run} />}
          </div>
          {list ? <List lists={lists} list={list} query={query} /> : <HowToStart />}
        </div>
      )}
    </Loaded>
  );
}

function List({ lists, list, query }: { lists: ListAnswer[]; list: ListPageAnswer; query: URLSearchParams }) {
  const filters = useFilters(list.run, query);
  const playing = lists.some((one) => one.ladder === list.ladder && one.running);
  return (
    <>
      <About list={list} />
      <div class="beside">
        <Standings list={list} />
        <div class="stack">
          <Live ladder={list.ladder} playing={playing} />
          <FirstMove list={list} />
        </div>
      </div>
      <History list={list} />
      <Crosstable list={list} filters={filters} />
      <Games list={list} filters={filters} />
    </>
  );
}

/** The figures of the list, and how certain the order is. */
function About({ list }: { list: ListPageAnswer }) {
  const { rated_ms } = list;
  const about = [
    named(list, list.ladder),
    t('ladder.games', { count: list.games }),
    rated_ms && t('ladder.rated', { when: whenWords(rated_ms) }),
    list.running && t('ladder.running'),
  ];
  const old = rated_ms !== null && list.unrated > OLD * list.games;
  return (
    <div class="stack tight">
      {howSure(list) && <p class="lead">{howSure(list)}</p>}
      <p class="muted">{joined(about, ' · ')}</p>
      {old && <p class="muted">{t('ladder.unrated', { when: whenWords(rated_ms), count: list.unrated })}</p>}
    </div>
  );
}

/** The choice of a list. */
function Chooser({ lists, run }: { lists: ListAnswer[]; run: string }) {
  const app = useApp();
  const label = (list: ListAnswer) => {
    const newest = lists.find((one) => one.ladder === list.ladder && one.list === list.list);
    const values = {
      game: app.catalog.name(list.game),
      limit: limitWords(list.limit),
      when: whenWords(list.created_ms),
    };
    return named(list, t(list === newest ? 'ladder.list' : 'ladder.list.old', values));
  };
  const ladders = [...new Set(lists.map((list) => list.ladder))];
  return (
    <Field label={t('ladder.chooser')}>
      <select value={run} onChange={(event) => app.navigate(ladderPath(event.currentTarget.value))}>
        {ladders.map((ladder) => (
          <OptionGroup
            key={ladder}
            label={ladder}
            options={lists
              .filter((list) => list.ladder === ladder)
              .sort((a, b) => a.game.localeCompare(b.game))
              .map((list) => [list.run, label(list)])}
          />
        ))}
      </select>
    </Field>
  );
}

function HowToStart() {
  return (
    <div class="panel stack">
      <p>{t('ladder.none')}</p>
      <p>{t('ladder.none.start')}</p>
      <pre>
        <code>noughts ladder run ladders/overnight.toml</code>
      </pre>
      <p>
        {pieces<ComponentChildren>('ladder.none.records', { file: <code>noughts.db</code>, option: <code>--db</code> })}
      </p>
      <pre>
        <code>noughts serve --ladder ladders/overnight.toml</code>
      </pre>
      <p class="muted">{t('ladder.none.soon')}</p>
    </div>
  );
}
