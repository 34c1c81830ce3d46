// The bots of a list by strength, with the intervals of their ratings.

import { list as listed, number, t } from '../i18n/language.ts';
import type { ListPageAnswer } from '../types/page.d.ts';
import { IntervalBar } from '../ui/bars.tsx';
import { eloWords, percentWords, shareAt, sureWords } from '../ui/figures.ts';
import { PlayerLink } from '../ui/names.tsx';
import { Across } from '../ui/table.tsx';
import { Panel } from '../ui/view.tsx';
import { botName, isRated, type Standing } from './words.ts';

type Columns = { rated: boolean; faults: boolean; scale: { low: number; high: number } };

export function Standings({ list }: { list: ListPageAnswer }) {
  const { standings } = list;
  const rated = standings.filter(isRated);
  const columns = {
    rated: rated.length > 0,
    faults: standings.some((one) => one.faults > 0),
    scale: { low: Math.min(0, ...rated.map((one) => one.low)), high: Math.max(0, ...rated.map((one) => one.high)) },
  };
  return (
    <Panel name="standings" title={t('ladder.standings')}>
      {standings.length ? (
        <Table standings={standings} columns={columns} />
      ) : (
        <p class="empty">{t('ladder.nothing')}</p>
      )}
      {standings.length > 0 && <Notes list={list} columns={columns} />}
    </Panel>
  );
}

function Table({ standings, columns }: { standings: Standing[]; columns: Columns }) {
  const head = (name: string, align?: string) => (
    <th scope="col" class={align}>
      {t(`ladder.head.${name}`)}
    </th>
  );
  return (
    <Across label={t('ladder.standings')}>
      <table class="data standings">
        <caption class="spoken-only">{t('ladder.standings.caption')}</caption>
        <thead>
          <tr>
            <th scope="col" class="num">
              <span class="spoken-only">{t('ladder.head.place')}</span>
            </th>
            {head('bot')}
            {columns.rated && head('rating', 'num')}
            {columns.rated && head('interval')}
            {head('points', 'num')}
            {head('games', 'num')}
            {head('results', 'num')}
            {columns.faults && head('faults', 'num')}
            {columns.rated && head('next')}
          </tr>
        </thead>
        <tbody>
          {standings.map((one, i) => (
            <Row key={one.player} one={one} place={one.place ?? (columns.rated ? '' : i + 1)} columns={columns} />
          ))}
        </tbody>
      </table>
    </Across>
  );
}

function Row({ one, place, columns }: { one: Standing; place: number | string; columns: Columns }) {
  const { superiority } = one;
  return (
    <tr class={one.retired || one.left ? 'retired' : undefined}>
      <td class="num rank">{place}</td>
      <th scope="row">
        <PlayerLink player={{ id: one.player, name: one.bot, kind: 'bot' }} />
        {one.versions > 1 && <small class="muted"> {t('ladder.version', { version: one.version })}</small>}
        {one.retired && <small class="bad"> {t('ladder.retired')}</small>}
        {one.left && <small class="muted"> {t('ladder.left')}</small>}
      </th>
      {columns.rated && <td class="num">{one.rating !== null && <strong>{eloWords(one.rating)}</strong>}</td>}
      {columns.rated && (
        <td>
          {isRated(one) && (
            <>
              <IntervalBar of={one} scale={columns.scale} />
              <small class="muted interval-text">
                {t('figures.range', { low: eloWords(one.low), high: eloWords(one.high) })}
              </small>
            </>
          )}
        </td>
      )}
      <td class="num">{one.games ? percentWords(one.points / one.games) : ''}</td>
      <td class="num">{number(one.games)}</td>
      <td class="num">{[one.won, one.drawn, one.lost].map((count) => number(count)).join(' · ')}</td>
      {columns.faults && <td class={one.faults ? 'num bad' : 'num'}>{one.faults}</td>}
      {columns.rated && (
        <td class="next">
          {superiority !== null &&
            t('ladder.next', { chance: percentWords(superiority), sure: sureWords(superiority) })}
        </td>
      )}
    </tr>
  );
}

/** What the figures mean. */
function Notes({ list, columns }: { list: ListPageAnswer; columns: Columns }) {
  const retired = list.standings.filter((one) => one.retired).map(botName);
  const { drawing } = list;
  const elo =
    drawing === null ? t('ladder.elo') : t('ladder.elo.share', { share: percentWords(shareAt(100, drawing)) });
  return (
    <div class="notes stack tight small-print">
      {retired.length > 0 && <p class="bad">{t('ladder.retired.why', { bots: listed(retired) })}</p>}
      {columns.faults && <p class="muted">{t('ladder.faults')}</p>}
      {list.standings.some((one) => one.left) && <p class="muted">{t('ladder.left.why')}</p>}
      <p class="muted">{columns.rated ? `${elo} ${t('ladder.elo.meaning')}` : t('ladder.no-ratings')}</p>
    </div>
  );
}
