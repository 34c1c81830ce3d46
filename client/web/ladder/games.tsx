// The games of a list, with filters.

import { useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { ListPageAnswer } from '../types/page.d.ts';
import { SelectField } from '../ui/fields.tsx';
import { isModified } from '../ui/listen.ts';
import { Panel } from '../ui/view.tsx';
import { GameList } from './gameList.tsx';
import { botName } from './words.ts';

const NAMES = ['a', 'b', 'opening'] as const;

export type Filter = Record<(typeof NAMES)[number], string | null>;
export type Filters = ReturnType<typeof useFilters>;

/** The filters, kept in the address. @param query the address at first */
export function useFilters(run: string, query: URLSearchParams) {
  const [now, set] = useState<Filter>({ a: query.get('a'), b: query.get('b'), opening: query.get('opening') });
  const heading = useRef<HTMLHeadingElement>(null);
  const address = (filter: Filter) => {
    const wanted = new URLSearchParams({ run });
    for (const name of NAMES) if (filter[name]) wanted.set(name, filter[name]);
    return `/ladder?${wanted}`;
  };
  const choose = (filter: Filter) => {
    set(filter);
    history.replaceState(null, '', address(filter));
  };
  /** Links to games of this list set the filters of this page. */
  const follow = (event: MouseEvent, filter: Filter) => {
    if (event.button !== 0 || isModified(event)) return;
    event.preventDefault();
    choose(filter);
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  };
  return { now, heading, address, choose, follow };
}

export function Games({ list, filters }: { list: ListPageAnswer; filters: Filters }) {
  const bots = list.standings.map((one) => [one.player, botName(one)]);
  const openings = list.openings.map(({ opening, games }) => [
    opening,
    t('ladder.opening', { opening: opening || t('ladder.opening.none'), count: games }),
  ]);
  const choices = { a: bots, b: bots, opening: openings };
  return (
    <Panel name="games" title={t('ladder.games.title')} class="quiet" heading={filters.heading}>
      <form class="field-row">
        {NAMES.map((name) => (
          <SelectField
            key={name}
            name={name}
            label={t(`ladder.choice.${name}`)}
            value={filters.now[name] ?? ''}
            options={[['', t('ladder.any')], ...choices[name]]}
            change={(value) => filters.choose({ ...filters.now, [name]: value || null })}
          />
        ))}
      </form>
      <GameList filters={{ run: list.run, ...filters.now }} caption={t('ladder.games.caption')} />
    </Panel>
  );
}
