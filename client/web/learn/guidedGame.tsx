// A guided first game: the reader makes the moves asked for, the other side answers as scripted, and X wins.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { joined, t } from '../i18n/language.ts';
import { capital, spokenMove } from '../i18n/moveWords.ts';
import type { Rules } from '../types/page.d.ts';
import { Button, once } from '../ui/button.tsx';
import { marks } from '../ui/settings.ts';
import { Hosted, useApp } from '../ui/view.tsx';
import { useLearnBoard } from './board.ts';
import type { Lesson } from './lessons.ts';
import { lessonFor } from './lessons.ts';

type Props = { rules: Rules; hasPuzzles: boolean; playReal: () => void };

export function GuidedGame({ rules, hasPuzzles, playReal }: Props) {
  const app = useApp();
  const lesson = useRef(lessonFor(rules)).current;
  /** How many steps are done. */
  const done = useSignal(0);
  const hint = useSignal('');
  const page = useRef<HTMLDivElement>(null);
  const seen = useRef(0);

  const tell = (sentence: string) => {
    hint.value = sentence;
    app.say(sentence);
  };
  const go = (to: number) => {
    const forward = to > done.value;
    done.value = to;
    hint.value = '';
    app.say(joined([forward && answered(lesson, to), sentence(lesson, to)]));
  };
  const played = (cell: string) => {
    const step = lesson.steps[done.value];
    if (!step) return;
    const asked = lesson.moves[step.ply];
    if (cell === asked) return go(done.value + 1);
    const trap = step.traps?.[cell];
    const words = { move: capital(spokenMove(cell)), asked: spokenMove(asked) };
    tell(trap ? t(trap, valuesOf(lesson, done.value)) : t('learn.not-this', words));
  };
  const board = useLearnBoard(rules, { onplay: played, tell });

  const step = lesson.steps[done.value];
  const asked = step && lesson.moves[step.ply];
  useLayoutEffect(() => {
    board.show(step ? lesson.moves.slice(0, step.ply) : lesson.moves, !!step, asked ? [asked] : []);
    const active = document.activeElement;
    if (asked && !page.current?.contains(active)) board.stand(asked);
    if (seen.current === done.value) return;
    seen.current = done.value;
    if (!step) page.current?.querySelector<HTMLElement>('.learn-after button')?.focus();
    else if (active === document.body || active?.matches(':disabled')) board.focus();
  }, [done.value]);

  return (
    <div ref={page} class={step ? 'learn-play' : 'learn-play over'}>
      <div class="panel stack learn-words">
        <div class="learn-steps">
          <ol class="learn-dots" aria-hidden="true">
            {lesson.steps.map(({ ply }, i) => (
              <li key={ply} class={i < done.value ? 'done' : i === done.value ? 'now' : ''} />
            ))}
          </ol>
          <p class="muted learn-progress">
            {step ? t('learn.step', { step: done.value + 1, of: lesson.steps.length }) : t('learn.done')}
          </p>
        </div>
        {hint.value ? (
          <p class="learn-status learn-hint">{hint.value}</p>
        ) : (
          <p class="status learn-status">
            {step && <span class="learn-answer">{answered(lesson, done.value)} </span>}
            {sentence(lesson, done.value)}
          </p>
        )}
        {!step && (
          <div class="learn-after" onClickCapture={once}>
            <Button say="learn.real" class="primary" act={playReal} />
            {hasPuzzles && (
              <a class="button" href="#puzzles">
                {t('learn.to-puzzles')}
              </a>
            )}
          </div>
        )}
      </div>
      <div class="board-area">
        <Hosted class="learn-board" node={board.node} />
      </div>
      <div class="learn-side stack">
        <div class="learn-tools">
          <Button say="learn.back" disabled={done.value === 0} act={() => go(done.value - 1)} />
          <Button say="learn.again" disabled={done.value === 0} act={() => go(0)} />
        </div>
      </div>
    </div>
  );
}

function valuesOf({ steps, moves }: Lesson, done: number) {
  const step = steps[done];
  return { ...step.values, x: marks().x, o: marks().o, move: spokenMove(moves[step.ply]) };
}

/** The next task, or that the game is won. */
function sentence(lesson: Lesson, done: number) {
  const step = lesson.steps[done];
  return step ? t(step.key, valuesOf(lesson, done)) : t('learn.won', { x: marks().x });
}

/** What the other side has just played, or that moves were made; empty before the first move. */
function answered({ steps, moves }: Lesson, done: number) {
  const step = steps[done];
  if (!step || step.ply === 0) return '';
  const before = steps[done - 1];
  if (!before) return t('learn.begun', { x: marks().x });
  const skipped = step.ply - before.ply > 2;
  return t(skipped ? 'learn.later' : 'learn.answer', { o: marks().o, move: spokenMove(moves[step.ply - 1]) });
}
