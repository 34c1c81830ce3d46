// A player's page: name, ratings over time, places in ladders, thinking time, and games.

import type { ComponentChildren } from 'preact';
import { botCharacter, botTitle, playerName } from '../i18n/botWords.ts';
import { joined, number, pieces, t } from '../i18n/language.ts';
import { ladderPath } from '../net/address.ts';
import { getJson } from '../net/catalog.ts';
import type { BotLimit, EntryAnswer, FamilyAnswer, PlayerAnswer, RatingAnswer, TimeAnswer } from '../types/page.d.ts';
import { Chart } from '../ui/chart.tsx';
import { eloWords, limitWords, percentWords, plain, timeWords, whenWords } from '../ui/figures.ts';
import { Name } from '../ui/names.tsx';
import { DataTable } from '../ui/table.tsx';
import { Loaded, useLoading } from '../ui/unloaded.tsx';
import { Panel, useApp, useTitle } from '../ui/view.tsx';
import { GameList } from './gameList.tsx';
import { chartWords, named } from './words.ts';

type Limits = Map<string, BotLimit | null>;

export function Player({ id }: { id: string }) {
  const app = useApp();
  const loading = useLoading(async () => {
    await app.catalog.games().catch(() => {}); // only for the names of games
    if (!/^\d{1,18}$/.test(id)) throw Object.assign(new Error(t('player.none')), { status: 404 });
    const [player, { lists }] = await Promise.all([getJson(`/api/players/${id}`), getJson('/api/ladder')]);
    return { player, limits: new Map(lists.map((list) => [list.run, list.limit])) };
  }, [id]);
  const name = loading.answer && playerName({ ...loading.answer.player, bot: null });
  useTitle(name);
  const heading = <h1 tabIndex={-1}>{name ? <Name name={name} /> : t('player.looking')}</h1>;
  return (
    <Loaded of={loading} waiting={<div class="records stack">{heading}</div>}>
      {(answer) => (
        <div class="records stack">
          {heading}
          <Known {...answer} />
        </div>
      )}
    </Loaded>
  );
}

function Known({ player, limits }: { player: PlayerAnswer; limits: Limits }) {
  const since = t('player.since', { when: whenWords(player.since_ms) });
  return (
    <>
      <p class="muted">{player.kind === 'bot' ? t('player.kind.bot') : since}</p>
      {player.bot && <AboutBot bot={player.bot} name={player.name} />}
      {player.ratings.length > 0 && (
        <Panel name="ratings" title={t('player.ratings')} class="stack">
          {player.ratings.map((one) => (
            <Rating key={one.game} of={one} />
          ))}
        </Panel>
      )}
      {player.ladder.length > 0 && <Ladders entries={player.ladder} limits={limits} />}
      {player.times.length > 0 && <Times times={player.times} />}
      <Panel name="games" title={t('player.games')} class="quiet stack">
        <GameList filters={{ player: player.id }} caption={t('player.newest')} mine={player.id} kinds />
      </Panel>
    </>
  );
}

function AboutBot({ bot, name }: { bot: FamilyAnswer; name: string }) {
  const known = { ...bot, family: bot.family ?? name.split(':')[0] };
  const sentences = [
    t(bot.current ? 'player.version' : 'player.version.old', { version: bot.version }),
    bot.versions > 1 && t('player.versions', { count: bot.versions }),
    bot.source !== 'ours' && t('player.source', { source: bot.source }),
  ];
  return (
    <section class="panel" aria-label={t('player.bot')}>
      <p>
        <strong>{botTitle(known)}</strong> {botCharacter(known)}
      </p>
      <p class="muted">{joined(sentences)}</p>
    </section>
  );
}

function Rating({ of }: { of: RatingAnswer }) {
  const name = useApp().catalog.name(of.game);
  const { history } = of;
  const ratings = {
    label: t('player.head.rating'),
    values: history.map((point) => point.rating),
    low: history.map((point) => point.rating - 2 * point.deviation),
    high: history.map((point) => point.rating + 2 * point.deviation),
    colour: 'accent',
  };
  const headline = (
    <>
      {pieces<ComponentChildren>('player.rating', {
        game: <strong>{name}</strong>,
        rating: plain(Math.round(of.rating)),
        spread: plain(Math.round(2 * of.deviation)),
      })}{' '}
      <small class="muted">{t('player.rating.games', { count: of.games })}</small>
    </>
  );
  if (history.length < 2) return <p>{headline}</p>;
  return (
    <Chart
      label={chartWords(name, history)}
      x={{ label: t('player.chart.below'), values: history.map((_, i) => i + 1), words: plain }}
      y={{ label: ratings.label, words: (value) => plain(Math.round(value)) }}
      series={[ratings]}
    >
      {headline}
    </Chart>
  );
}

function Ladders({ entries, limits }: { entries: EntryAnswer[]; limits: Limits }) {
  const app = useApp();
  return (
    <Panel name="ladder" title={t('player.ladders')}>
      <DataTable
        caption={t('player.ladders.caption')}
        heads={heads('list', 'place', 'rating', 'interval', 'points', 'games')}
        rows={entries.map((entry) => [
          entry.run,
          <>
            <a href={ladderPath(entry.run)}>
              {t('player.list', {
                game: app.catalog.name(entry.game),
                limit: limitWords(limits.get(entry.run) ?? null),
              })}
            </a>{' '}
            <small class="muted">{named(entry, entry.ladder)}</small>
          </>,
          <>
            {t('player.place', { place: entry.place, of: entry.of })}
            {entry.retired && <small class="bad"> {t('player.retired')}</small>}
          </>,
          <strong>{eloWords(entry.rating)}</strong>,
          t('figures.range', { low: eloWords(entry.low), high: eloWords(entry.high) }),
          percentWords(entry.points / entry.games),
          number(entry.games),
        ])}
      />
    </Panel>
  );
}

/** From the newest games only. */
function Times({ times }: { times: TimeAnswer[] }) {
  const app = useApp();
  const games = times.reduce((sum, one) => sum + one.games, 0);
  return (
    <Panel name="times" title={t('player.times')}>
      <DataTable
        caption={t('player.times.caption', { count: games })}
        heads={heads('game', 'median', 'p90', 'games', 'moves')}
        rows={times.map((one) => [
          one.game,
          app.catalog.name(one.game),
          timeWords(one.median_ms),
          timeWords(one.p90_ms),
          number(one.games),
          number(one.moves),
        ])}
      />
    </Panel>
  );
}

function heads(...names: string[]) {
  return names.map((name) => t(`player.head.${name}`));
}
