// The moves that were played from a position, and how their games ended.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { number, pieces, t } from '../i18n/language.ts';
import { spokenMove } from '../i18n/moveWords.ts';
import type { ExplorerAnswer, Side } from '../types/page.d.ts';
import { OutcomeBar } from '../ui/bars.tsx';
import { Button } from '../ui/button.tsx';
import { percentWords } from '../ui/figures.ts';
import { Mark } from '../ui/mark.tsx';
import { marks } from '../ui/settings.ts';
import { Panel } from '../ui/view.tsx';
import type { Shown } from './position.ts';
import { type Count, countWords, type Explored, emptyWords, scoreWords } from './words.ts';

const ROWS = 12;

type Acts = { onPlay: (move: string) => void; onPoint: (cells: string[]) => void };

export function Summary({ shown }: { shown: Shown }) {
  const { answer, moves, rules } = shown;
  return (
    <Panel name="here" title={t('explorer.here')} class="summary stack tight">
      {answer.games > 0 ? (
        <>
          <p>
            {pieces<ComponentChildren>('explorer.went.strong', {
              count: answer.games,
              games: <strong>{t('explorer.games', { count: answer.games })}</strong>,
            })}
          </p>
          <Outcome of={answer} />
          <Legend of={answer} />
        </>
      ) : (
        <p class="empty">{emptyWords({ answer, moves, nested: rules.nested }, rules.name)}</p>
      )}
    </Panel>
  );
}

function Outcome({ of }: { of: Count }) {
  return <OutcomeBar x={of.x_won} drawn={of.drawn} o={of.o_won} label={countWords(of, marks())} />;
}

function Legend({ of }: { of: Count }) {
  const names = marks();
  const won = (side: Side, part: number) =>
    t('explorer.legend.won', { mark: names[side], share: percentWords(part / of.games) });
  const entries = [
    ['x', won('x', of.x_won)],
    ['rule-strong', t('explorer.legend.drawn', { share: percentWords(of.drawn / of.games) })],
    ['o', won('o', of.o_won)],
  ];
  return (
    <ul class="chart-key legend">
      {entries.map(([colour, words]) => (
        <li key={colour}>
          <span class="key-bars" style={{ color: `var(--${colour})` }} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}

export function Played({ answer, ply, ...acts }: Acts & { answer: ExplorerAnswer; ply: number }) {
  const [all, setAll] = useState(false);
  const rows = useRef<HTMLDivElement>(null);
  const { next, set_up, to_move } = answer;
  useEffect(() => setAll(false), [ply]);
  useEffect(() => {
    if (all) rows.current?.querySelectorAll<HTMLElement>('tbody button')[ROWS]?.focus();
  }, [all]);
  if (!to_move || (!next.length && !set_up.length)) return null;
  const shown = all ? next : next.slice(0, ROWS);
  return (
    <div class="panel played stack tight" data-part="played" ref={rows}>
      {next.length > 0 && (
        <>
          <h2>{t('explorer.played')}</h2>
          <Moves moves={shown} mover={to_move} ply={ply} {...acts} />
        </>
      )}
      {next.length > shown.length && (
        <Button class="quiet" act={() => setAll(true)}>
          {t('explorer.all', { count: next.length })}
        </Button>
      )}
      {set_up.length > 0 && (
        <>
          <h2>{t('explorer.set-up')}</h2>
          <p class="muted small-print">{t('explorer.set-up.meaning')}</p>
          <Moves moves={set_up} mover={to_move} ply={ply} {...acts} />
        </>
      )}
      <p class="muted small-print">{t('explorer.alike.meaning')}</p>
    </div>
  );
}

function Moves({ moves, mover, ply, onPlay, onPoint }: Acts & { moves: Explored[]; mover: Side; ply: number }) {
  const names = marks();
  const heads = [
    t('explorer.head.move'),
    t('explorer.head.games'),
    t('explorer.head.score', { mark: names[mover] }),
    t('explorer.head.results', names),
  ];
  return (
    <table class="data explored" onMouseLeave={() => onPoint([])} onFocusOut={() => onPoint([])}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moves.map((each) => {
          const point = () => onPoint([each.move, ...each.alike]);
          return (
            <tr key={each.move} onMouseEnter={point} onFocusIn={point}>
              <th scope="row">
                <Move each={each} mover={mover} onPlay={onPlay} />
              </th>
              <td class="num">{number(each.games)}</td>
              <td class="num">{scoreWords(each, mover)}</td>
              <td>
                <Outcome of={each} />
                <div class="outcome-line">
                  <span aria-hidden="true">
                    {[each.x_won, each.drawn, each.o_won].map((part) => number(part)).join(' / ')}
                  </span>
                  <a
                    href={`/game/${each.last_game}?marks=${ply + 1}`}
                    aria-label={t('explorer.last.meaning', { move: spokenMove(each.move) })}
                  >
                    {t('explorer.last')}
                  </a>
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Move({ each, mover, onPlay }: { each: Explored; mover: Side; onPlay: (move: string) => void }) {
  const { move, alike } = each;
  const count = alike.length;
  const values = { mark: marks()[mover], cell: move, move: spokenMove(move), count };
  const label = t(count ? 'explorer.play.alike' : 'explorer.play', values);
  return (
    <>
      <Button class="move" aria-label={label} act={() => onPlay(move)}>
        <Mark side={mover} hidden /> {move}
      </Button>
      {count > 0 && (
        <small class="muted" title={alike.join(' ')}>
          {t('explorer.alike', { count })}
        </small>
      )}
    </>
  );
}
