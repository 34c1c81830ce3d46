// A reviewed game in short: the mistakes of both sides, and the moves at which the result changed hands.

import { playerName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import { Mark } from '../ui/mark.tsx';
import { marks } from '../ui/settings.ts';
import type { Replay } from './replay.ts';
import type { JudgedMove } from './reviewWords.ts';
import { courseWords, tally, tallyWords, turns } from './reviewWords.ts';

export function ReviewSummary({ replay }: { replay: Replay }) {
  const moves = replay.inOrder.value;
  if (!moves.length) return null;
  const record = replay.record.value;
  const found = tally(moves);
  const exact = found.x.exact + found.o.exact;
  return (
    <section class="panel in-short" aria-label={t('review.short')}>
      <h2>{t('review.short')}</h2>
      <div class="review-summary">
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
