// Puzzles: positions from recorded games in which only one move wins in time, or only one does not lose. Each puzzle
// comes with the right moves, refutations of the others and continuations, proven when it was made.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { botFullName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import { loaded } from '../net/errors.ts';
import type { Rules } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { marks } from '../ui/settings.ts';
import { Hosted, useApp } from '../ui/view.tsx';
import { useLearnBoard } from './board.ts';
import type { Puzzle, Solving } from './puzzle.ts';
import { begun, hinted, played, shown, takenBack, taskWords } from './puzzle.ts';
import { keepSolved, solved } from './solved.ts';

let asked: Promise<{ default: { games: Record<string, Puzzle[]> } }> | null = null;

export async function puzzlesOf(game: string): Promise<Puzzle[]> {
  asked ??= loaded(import('./puzzles.json', { with: { type: 'json' } })) as unknown as NonNullable<typeof asked>;
  try {
    return (await asked).default.games[game] ?? [];
  } catch (error) {
    asked = null; // so that the next caller tries again
    throw error;
  }
}

export function Puzzles({ rules, puzzles }: { rules: Rules; puzzles: Puzzle[] }) {
  const app = useApp();
  const number = useSignal(
    Math.max(
      0,
      puzzles.findIndex((puzzle) => !solved().has(nameOf(rules, puzzle))),
    ),
  );
  const puzzle = puzzles[number.value];
  const at = useSignal<Solving>(begun(puzzle));
  const page = useRef<HTMLDivElement>(null);

  const change = (to: Solving) => {
    at.value = to;
    if (to.told) app.say(to.told);
  };
  const open = (to: number) => {
    number.value = to;
    at.value = { ...begun(puzzles[to]), focus: 'task' };
    app.say(taskWords(puzzles[to], marks()));
  };
  const board = useLearnBoard(rules, {
    onplay: (cell) => {
      const after = played(puzzle, at.value, cell, board.table, marks());
      if (!after.turn) keepSolved(nameOf(rules, puzzle));
      change(after);
    },
    tell: (told) => change({ ...at.value, told, focus: null }),
  });

  const { moves, turn, wrong, pointed, told, focus } = at.value;
  useLayoutEffect(() => {
    board.show(moves, turn !== null && !wrong, pointed);
    if (focus === 'board') board.focus();
    else if (focus) page.current?.querySelector<HTMLElement>(`[data-focus=${focus}]`)?.focus({ preventScroll: true });
  }, [at.value]);
  // The keyboard starts at the last move, since most puzzles are about what is near it.
  useLayoutEffect(() => board.stand(puzzle.moves.at(-1) as string), [number.value]);

  return (
    <div ref={page} class="learn-play">
      <div class="panel stack learn-words">
        <h2 class="learn-task" tabIndex={-1} data-focus="task">
          {taskWords(puzzle, marks())}
        </h2>
        <p class="muted small-print">{aboutWords(puzzle)}</p>
        <p class="status learn-status">{told}</p>
      </div>
      <div class="board-area">
        <Hosted class="learn-board" node={board.node} />
      </div>
      <div class="learn-side stack">
        <div class="learn-tools">
          {wrong > 0 && (
            <Button
              say="learn.retry"
              class="primary"
              data-focus="retry"
              act={() => change(takenBack(puzzle, at.value, marks()))}
            />
          )}
          {!turn && (
            <Button
              say="learn.next"
              class="primary"
              data-focus="next"
              act={() => open((number.value + 1) % puzzles.length)}
            />
          )}
          {turn && !wrong && (
            <Button say="learn.hint" act={() => change(hinted(puzzle, at.value, board.table, marks()))} />
          )}
          {turn && <Button say="learn.solution" act={() => change(shown(puzzle, marks()))} />}
        </div>
        <PuzzleList rules={rules} puzzles={puzzles} number={number.value} open={open} />
      </div>
    </div>
  );
}

function PuzzleList({
  rules,
  puzzles,
  number,
  open,
}: {
  rules: Rules;
  puzzles: Puzzle[];
  number: number;
  open: (number: number) => void;
}) {
  const done = solved();
  return (
    <ol class="learn-list" aria-label={t('learn.puzzles')}>
      {puzzles.map((puzzle, i) => {
        const isSolved = done.has(nameOf(rules, puzzle));
        return (
          <li key={nameOf(rules, puzzle)}>
            <button
              type="button"
              class={isSolved ? 'solved' : ''}
              aria-current={i === number ? 'true' : undefined}
              aria-label={t(isSolved ? 'learn.puzzle.solved' : 'learn.puzzle', { number: i + 1 })}
              onClick={() => open(i)}
            >
              {i + 1}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** How hard it is and where it comes from. */
function aboutWords({ source: { x, o }, difficulty, moves }: Puzzle) {
  const level = t(`learn.difficulty.${difficulty}`);
  const count = moves.length;
  if (!x || !o) return t('learn.from', { level, count });
  const names = marks();
  const of = (bot: string, mark: string) => `${botFullName(bot)} (${mark})`;
  return t('learn.from.bots', { level, x: of(x, names.x), o: of(o, names.o), count });
}

/** The key under which a solved puzzle is remembered. */
function nameOf(rules: Rules, puzzle: Puzzle) {
  return `${rules.id} ${puzzle.moves.join(' ')}`;
}
