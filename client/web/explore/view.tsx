// The explorer: for any position, the moves that were played and how their games ended. Rotations and reflections of a
// position count as one, and so do the moves that lead to them.

import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { BoardFrame } from '../board/frame.ts';
import { pictureOf, sideAt } from '../board/position.ts';
import { t } from '../i18n/language.ts';
import { capital, spokenMove } from '../i18n/moveWords.ts';
import { Button } from '../ui/button.tsx';
import { Options } from '../ui/fields.tsx';
import { isModified, listen } from '../ui/listen.ts';
import { Mark } from '../ui/mark.tsx';
import { lastChoices, marks } from '../ui/settings.ts';
import { Unloaded } from '../ui/unloaded.tsx';
import { Hosted } from '../ui/view.tsx';
import { Played, Summary } from './moves.tsx';
import { type Explorer, type Shown, useExplorer } from './position.ts';
import { hintsOf, whereWords } from './words.ts';

export function ExplorerPage({ query }: { query: URLSearchParams }) {
  const moves = (query.get('moves') ?? '').split(',').filter(Boolean);
  const explorer = useExplorer(query.get('game') || String(lastChoices().game ?? 'tictactoe'), moves);
  const { shown, error } = explorer;
  useFocusKept(shown);
  if (error) return <Unloaded error={error} retry={explorer.retry} />;
  const heading = <h1 tabIndex={-1}>{t('explorer.title')}</h1>;
  if (shown) return <Position shown={shown} explorer={explorer} heading={heading} />;
  return (
    <div class="room explorer">
      <div class="table">
        <div class="room-head">{heading}</div>
        <p class="status" />
        <div class="board-area" />
      </div>
    </div>
  );
}

type PositionProps = { shown: Shown; explorer: Explorer; heading: VNode };

function Position({ shown, explorer, heading }: PositionProps) {
  const { rules, offered, moves, answer } = shown;
  const [pointed, setPointed] = useState<string[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const play = useRef((_: string) => {});
  play.current = (cell) => explorer.go([...moves, cell]);
  const board = useMemo(
    () => new BoardFrame(rules, { onplay: (cell) => play.current(cell), onchoose: setChosen }),
    [rules],
  );
  useEffect(() => {
    setPointed([]);
    setChosen(null);
  }, [answer]);
  useLayoutEffect(() => {
    board.update({
      ...pictureOf(rules, moves, marks()),
      playable: new Set(answer.legal),
      mover: answer.to_move,
      line: new Set(answer.line),
      over: !answer.to_move,
      hints: hintsOf(answer),
      pointed: new Set(pointed),
    });
  }, [answer, pointed]);
  useKeys(explorer, moves.length);
  return (
    <div class="room explorer">
      <div class="table">
        <div class="room-head">
          {heading}
          <div class="picker">
            <select
              aria-label={t('explorer.game')}
              value={rules.id}
              onChange={(event) => explorer.choose(event.currentTarget.value)}
            >
              <Options options={offered.map((each) => [each.id, each.name])} />
            </select>
          </div>
        </div>
        <p class="status">
          {chosen
            ? t('explorer.chosen', { cell: capital(spokenMove(chosen)) })
            : whereWords({ answer, moves, nested: rules.nested }, marks())}
        </p>
        <Hosted class="board-area" node={board.node} />
        <Steps moves={moves} explorer={explorer} />
      </div>
      <div class="side stack">
        {answer.pending > 0 && (
          <p class="muted counting small-print">{t('explorer.pending', { count: answer.pending })}</p>
        )}
        <Summary shown={shown} />
        <Played answer={answer} ply={moves.length} onPlay={(move) => play.current(move)} onPoint={setPointed} />
      </div>
    </div>
  );
}

/** The moves to this position, and buttons that step back. */
function Steps({ moves, explorer }: { moves: string[]; explorer: Explorer }) {
  return (
    <div class="steps">
      <Button
        say="explorer.start"
        disabled={!moves.length}
        aria-label={t('explorer.start.meaning')}
        data-part="start"
        act={() => explorer.go([])}
      />
      <Button say="explorer.back" disabled={!moves.length} data-part="back" act={explorer.back} />
      <ol class="trail" aria-label={t('explorer.trail')} data-part="trail">
        {moves.map((move, ply) => {
          const here = ply === moves.length - 1;
          return (
            <li key={`${ply} ${move}`}>
              <Button
                class={here ? 'move current' : 'move'}
                aria-current={here ? 'step' : undefined}
                act={() => explorer.go(moves.slice(0, ply + 1))}
              >
                <Mark side={sideAt(ply)} hidden /> {move}
              </Button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** Keys that step back, wherever the focus is except in fields and on the board. */
function useKeys(explorer: Explorer, count: number) {
  const latest = useRef({ explorer, count });
  latest.current = { explorer, count };
  useEffect(() => {
    const keyed = (event: KeyboardEvent) => {
      const { explorer, count } = latest.current;
      if (!count || event.defaultPrevented || isModified(event)) return;
      if ((event.target as Element).closest?.('input, select, textarea, dialog, .board')) return;
      if (event.key === 'ArrowLeft') explorer.back();
      else if (event.key === 'Home') explorer.go([]);
      else return;
      event.preventDefault();
    };
    return listen(document, { keydown: keyed });
  }, []);
}

/** Restores the focus after a part was rebuilt: to the same element, else to the start of the part or page. */
function useFocusKept(shown: unknown) {
  // Must be asked before the page changes.
  const stood = document.activeElement;
  const part = stood?.closest('[data-part]')?.getAttribute('data-part');
  useLayoutEffect(() => {
    const active = document.activeElement as HTMLButtonElement;
    if (stood === document.body || (active !== document.body && !active.disabled)) return;
    const find = (place: string) => document.querySelector<HTMLElement>(place);
    const next = part && find(part === 'played' ? '.explored .move' : '.trail .current');
    const open = next || (part && find('[data-part="back"]:enabled')) || find('h1');
    open?.focus({ preventScroll: true });
  }, [shown]);
}
