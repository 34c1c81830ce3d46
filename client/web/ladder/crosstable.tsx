// Who beat whom: each cell links to the games of that pair.

import { useRef, useState } from 'preact/hooks';
import { STEPS } from '../board/geometry.ts';
import { t } from '../i18n/language.ts';
import type { ListPageAnswer } from '../types/page.d.ts';
import { vars } from '../ui/bars.tsx';
import { pointsWords } from '../ui/figures.ts';
import { Across } from '../ui/table.tsx';
import { Panel } from '../ui/view.tsx';
import type { Filters } from './games.tsx';
import { botName } from './words.ts';

type Place = [row: number, column: number];

export function Crosstable({ list, filters }: { list: ListPageAnswer; filters: Filters }) {
  return (
    <Panel name="crosstable" title={t('ladder.cross')}>
      {list.standings.length ? <Table list={list} filters={filters} /> : <p class="empty">{t('ladder.nothing')}</p>}
    </Panel>
  );
}

/** Arrow keys move between cells, of which one is in the tab order. */
function Table({ list, filters }: { list: ListPageAnswer; filters: Filters }) {
  const { standings, crosstable } = list;
  const { cells } = crosstable;
  const table = useRef<HTMLTableElement>(null);
  const there = ([row, column]: Place) => row !== column && Boolean(cells[row]?.[column]?.games);
  const all = cells.flatMap((row, i) => row.map((_, j): Place => [i, j]));
  const [walked, setWalked] = useState<Place | null>(null);
  const [first = [-1, -1]] = all.filter(there);
  const open = walked && there(walked) ? walked : first;

  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    let [row, column] = open;
    do {
      row += step[0];
      column += step[1];
    } while (cells[row]?.[column] !== undefined && !there([row, column]));
    if (cells[row]?.[column] === undefined) return;
    setWalked([row, column]);
    table.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  };
  return (
    <>
      <p class="muted">{t('ladder.cross.meaning')}</p>
      <Across label={t('ladder.cross.label')}>
        <table class="data cross" ref={table} onKeyDown={walk}>
          <caption class="spoken-only">{t('ladder.cross.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('ladder.head.bot')}</th>
              {standings.map((one, i) => (
                <th key={one.player} scope="col" class="num">
                  <abbr title={botName(one)}>{i + 1}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((row, i) => (
              <tr key={standings[i].player}>
                <th scope="row">
                  <span class="muted rank">{i + 1}</span> {botName(standings[i])}
                </th>
                {row.map((_, j) => (
                  <Cell
                    key={standings[j].player}
                    list={list}
                    place={[i, j]}
                    open={open[0] === i && open[1] === j}
                    filters={filters}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Across>
    </>
  );
}

function Cell(props: { list: ListPageAnswer; place: Place; open: boolean; filters: Filters }) {
  const { list, filters } = props;
  const [row, column] = props.place;
  const cell = list.crosstable.cells[row][column];
  if (row === column) return <td class="self" />;
  if (!cell?.games) return <td class="num muted">–</td>;
  const [one, other] = [list.standings[row], list.standings[column]];
  const share = cell.points / cell.games;
  const percent = Math.round(100 * share);
  const label = t('ladder.cell', {
    percent,
    bot: botName(one),
    points: pointsWords(cell.points),
    count: cell.games,
    other: botName(other),
  });
  const chosen = { a: one.player, b: other.player, opening: null };
  return (
    <td class="num share" style={vars({ '--share': share })}>
      <a
        href={filters.address(chosen)}
        tabIndex={props.open ? 0 : -1}
        data-cell={`${row} ${column}`}
        aria-label={label}
        title={label}
        onClick={(event) => filters.follow(event, chosen)}
      >
        {percent}
      </a>
    </td>
  );
}
