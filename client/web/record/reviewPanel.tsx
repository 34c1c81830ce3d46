// The review below the board: progress, the verdict on the shown move, the best line, which can be stepped through on
// the board, and a summary of the game.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sideAt } from '../board/position.ts';
import { playerName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import { spokenMove } from '../i18n/moveWords.ts';
import { Button } from '../ui/button.tsx';
import { isModified } from '../ui/listen.ts';
import { Mark } from '../ui/mark.tsx';
import { marks } from '../ui/settings.ts';
import type { Replay } from './replay.ts';
import type { Phase } from './review.ts';
import { progressWords } from './review.ts';
import type { JudgedMove } from './reviewWords.ts';
import { courseWords, gradeOf, meaning, sentence, tally, tallyWords, turns, verdictWord } from './reviewWords.ts';

export function ReviewPanel({ replay }: { replay: Replay }) {
  const { review, last } = replay;
  const phase = review.phase.value;
  const judged = replay.judged.value.get(replay.ply.value - 1);
  const before = useRef<Phase>(phase);
  useLayoutEffect(() => {
    replay.tellPhase(before.current);
    before.current = phase;
  }, [phase]);
  const shown = replay.over && last > 0 && (replay.asks || review.done > 0);
  return (
    <section class="panel stack tight review" aria-label={t('review.title')} hidden={!shown}>
      <div class="review-move stack tight" hidden={!judged}>
        {judged && <JudgedPart key={judged.ply} replay={replay} found={judged} />}
      </div>
      <Progress replay={replay} of={last} />
    </section>
  );
}

function Progress({ replay, of }: { replay: Replay; of: number }) {
  const { review } = replay;
  const phase = review.phase.value;
  const waiting = review.busy || phase === 'lost';
  // One button for all phases, so that the focus stays on it.
  return (
    <div class="review-head">
      <p class={`review-state ${phase === 'refused' ? 'bad' : 'muted'}`}>{progressWords(review, of)}</p>
      <progress class="review-bar" aria-label={t('review.bar')} hidden={!waiting} max={of} value={review.done} />
      {phase !== 'done' && replay.asks && (
        <Button
          say={
            waiting
              ? 'review.cancel'
              : phase === 'refused'
                ? 'review.ask.again'
                : review.done
                  ? 'review.ask.on'
                  : 'review.ask'
          }
          class={waiting ? '' : 'primary'}
          act={() => (waiting ? review.cancel() : replay.startReview())}
        />
      )}
    </div>
  );
}

function JudgedPart({ replay, found }: { replay: Replay; found: JudgedMove }) {
  const { judged, ply, side, move } = found;
  const own = judged.best[0] === move;
  const more = judged.best.length > (own ? 1 : 0); // more than the board already shows
  return (
    <>
      <p class={`review-sentence ${gradeOf(found)}`}>
        <span class={`verdict ${judged.exact ? 'exact' : 'estimated'} verdict-${judged.verdict}`}>
          {verdictWord(judged.verdict)}
        </span>{' '}
        <span class="muted">
          {ply + 1}. {marks()[side]} {move}
        </span>{' '}
        <strong>{sentence(found, marks())}</strong>
      </p>
      <p class="review-meaning small-print muted">{meaning(judged)}</p>
      {more && <BestLine replay={replay} best={judged.best} own={own} first={replay.start.length + ply} />}
    </>
  );
}

/** @param first the ply of the line's first move, counted over all moves including the start */
function BestLine({ replay, best, own, first }: { replay: Replay; best: string[]; own: boolean; first: number }) {
  /** How many moves of the line stay on the board. */
  const [pinned, setPinned] = useState(0);
  /** The move in the tab order; arrow keys move along the line. */
  const [stop, setStop] = useState(1);
  const line = useRef<HTMLDivElement>(null);
  const seen = replay.beyond.value;
  const look = (plies: number) => {
    replay.beyond.value = plies;
  };
  useLayoutEffect(() => () => look(0), []);
  const button = (plies: number) => line.current?.children[plies - 1] as HTMLElement;
  /** Selecting the same move again removes the line. */
  const pin = (plies: number | null) => {
    if (plies === null) return;
    const now = pinned === plies ? 0 : plies;
    setPinned(now);
    setStop(plies);
    look(now);
  };
  /** Back to the game; keyboard focus stays in the line, which shows nothing until the next key. */
  const release = () => {
    button(stop).focus({ preventScroll: true });
    setPinned(0);
    look(0);
  };
  const keyed = (event: KeyboardEvent) => {
    const plies = pliesOf(event);
    if (plies === null || isModified(event)) return;
    const places: Record<string, number> = { ArrowLeft: plies - 1, ArrowRight: plies + 1, Home: 1, End: best.length };
    if (event.key === 'Escape') release();
    else if (event.key in places) {
      const to = Math.min(Math.max(1, places[event.key]), best.length);
      setStop(to);
      setPinned(pinned && to);
      button(to).focus({ preventScroll: true });
      center(line.current as HTMLElement, button(to));
    } else return;
    event.preventDefault(); // the game does not step
  };
  return (
    <>
      <div class="review-best">
        <h2>{t(own ? 'review.line.own' : 'review.line.best')}</h2>
        <Button say="review.line.back" class="quiet" hidden={!pinned} act={release} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div
        ref={line}
        class="review-line"
        role="group"
        aria-label={t('review.line')}
        onPointerOver={(e) => look(pliesOf(e) ?? pinned)}
        onPointerLeave={() => look(pinned)}
        onFocusIn={(e) => look(pliesOf(e) ?? pinned)}
        onFocusOut={() => look(pinned)}
        onClick={(e) => pin(pliesOf(e))}
        onKeyDown={keyed}
      >
        {best.map((text, i) => {
          const by = sideAt(first + i);
          const now = i + 1 === seen ? ' current' : i + 1 < seen ? ' passed' : '';
          return (
            <button
              key={i}
              type="button"
              class={`move${now}`}
              data-plies={i + 1}
              tabIndex={i + 1 === stop ? 0 : -1}
              aria-pressed={i + 1 === pinned}
              aria-label={t('review.line.move', { mark: marks()[by], move: spokenMove(text) })}
            >
              <Mark side={by} /> {text}
            </button>
          );
        })}
      </div>
    </>
  );
}

function pliesOf(event: Event) {
  const plies = (event.target as Element).closest<HTMLElement>('[data-plies]')?.dataset.plies;
  return plies ? Number(plies) : null;
}

/** Scrolls only the line, not the page. */
function center(line: HTMLElement, each: HTMLElement) {
  line.scrollLeft = each.offsetLeft - (line.clientWidth - each.offsetWidth) / 2;
}

export function ReviewSummary({ replay }: { replay: Replay }) {
  const moves = replay.inOrder.value;
  if (!moves.length) return null;
  const record = replay.record.value;
  const found = tally(moves);
  const exact = found.x.exact + found.o.exact;
  return (
    <section class="panel in-short" aria-label={t('review.short')}>
      <h2>{t('review.short')}</h2>
      <div class="review-summary stack tight">
        <dl class="facts">
          {(['x', 'o'] as const).map((side) => (
            <div key={side}>
              <dt>
                <Mark side={side} /> <bdi>{playerName(record[side])}</bdi>
              </dt>
              <dd>{tallyWords(found[side])}</dd>
            </div>
          ))}
        </dl>
        <Turns replay={replay} moves={moves} />
        <p class="muted small-print">
          {t(exact < moves.length ? 'review.short.rest' : 'review.short.exact', { exact, count: moves.length })}
        </p>
        <p class="spoken-only">{t('review.course', { course: courseWords(moves, marks()) })}</p>
      </div>
    </section>
  );
}

function Turns({ replay, moves }: { replay: Replay; moves: JudgedMove[] }) {
  const found = turns(moves, marks());
  if (!found.length) return moves.length === replay.last ? <p>{t('review.turns.none')}</p> : null;
  return (
    <ul class="turns" aria-label={t('review.turns')}>
      {found.map(({ ply, side, move, grade, from, to }) => (
        <li key={ply}>
          <button type="button" class="move" onClick={() => replay.go(ply + 1)}>
            {ply + 1}. <Mark side={side} /> {move}
          </button>
          <span class={grade}>
            {from}
            <span aria-hidden="true"> → </span>
            <span class="spoken-only"> {t('review.turns.became')} </span>
            {to}
            {grade === 'doubtful' && ` ${t('review.turns.estimated')}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
