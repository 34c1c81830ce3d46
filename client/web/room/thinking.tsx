// What a bot thinks, for whoever wants to know: how good it takes the position to be, how far it has looked, and, when
// it is asked for, the moves that it expects. Looked at, by mouse or by focus, those are drawn on the board.

import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { Search } from '../types/page.d.ts';
import type { Hand } from './hand.ts';
import { expected, shareOfX, thought } from './thoughts.ts';
import { useWarmUp } from './warmUp.ts';
import { searchWords, warmingWords } from './words.ts';

/** @param unfolded whether the expected moves are asked for */
export function Thinking(props: { hand: Hand; searches: Record<number, Search>; unfolded: Signal<boolean> }) {
  const { hand, searches, unfolded } = props;
  const { state } = hand.room;
  const warming = useWarmUp(hand.room);
  const told = hand.likes.thoughts ? thought(state, searches) : null;
  const moves = expected(told);
  const line = unfolded.value ? moves : [];
  const drawn = line.join(' ');
  const looks = hand.imagined.value.length > 0;
  const look = (on: boolean) => () => (hand.imagined.value = on ? line : []);
  // Deeper: what is looked at follows.
  useEffect(() => {
    if (looks && hand.imagined.peek().join(' ') !== drawn) hand.imagined.value = line;
  }, [drawn]);
  useEffect(
    () => () => {
      hand.imagined.value = [];
    },
    [hand],
  );
  const waits = !state.game.result && !state.thinking && warming ? warmingWords(warming) : '';
  const share = told ? shareOfX(told) : null;
  return (
    <div class="thinking" hidden={!told && !waits}>
      <span
        class={share === null ? 'value-bar unknown' : 'value-bar'}
        aria-hidden="true"
        style={{ '--share': share ?? 0 }}
      >
        <span />
      </span>
      <p>
        {told ? `${hand.marks[told.by]}: ${searchWords(told)}` : waits}
        {moves.length > 0 && (
          <button
            type="button"
            class="quiet fold"
            aria-expanded={unfolded.value}
            onClick={() => (unfolded.value = !unfolded.value)}
          >
            {t('thoughts.expects')}
          </button>
        )}
      </p>
      {line.length > 0 && (
        // Focus without the keyboard is a touch: it looks too, until something else is touched.
        <button
          type="button"
          class="thought-line quiet"
          title={t('thoughts.line')}
          onMouseEnter={look(true)}
          onMouseLeave={look(false)}
          onFocus={look(true)}
          onBlur={look(false)}
        >
          {drawn}
        </button>
      )}
    </div>
  );
}
