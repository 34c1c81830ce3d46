// The list of moves, in pairs as players write them, and what a bot found at one of them.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { sideAt } from '../board/position.ts';
import { t } from '../i18n/language.ts';
import { searchWords } from '../room/words.ts';
import type { Search, Side } from '../types/page.d.ts';
import { Mark } from '../ui/mark.tsx';
import { marks } from '../ui/settings.ts';
import type { JudgedMove } from './reviewWords.ts';
import { gradeOf, note, spokenVerdict, verdictWord } from './reviewWords.ts';

/** As annotators of chess write them. */
const SIGNS: Record<string, string> = { mistake: '??', slow: '?!', doubtful: '?', only: '!' };
const SHORT = 3; // letters of a move that stands in narrow columns

export type MoveListProps = {
  moves: string[];
  /** Set up before the first move. */
  start?: string[];
  /** Number of moves on the board; the last of them is marked. */
  shown?: number;
  /** What bots found, by ply. */
  searches?: Record<number, Search>;
  /** What each move took, in words. */
  times?: string[] | null;
  /** What a review says, by ply. */
  judged?: ReadonlyMap<number, JudgedMove>;
  /** Is told which move somebody points at. */
  onPoint?: (ply: number | null) => void;
  /** Makes each move a button that leads to its position. */
  onChoose?: (shown: number) => void;
};

type Entry = { text: string; ply: number; side: Side };

export function MoveList(props: MoveListProps) {
  const { moves, start = [], shown = moves.length, times = null, judged, onPoint, onChoose } = props;
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => reveal(list.current as HTMLElement, !!onChoose), [moves.length, shown]);
  const texts = [...start, ...moves];
  const all = texts.map((text, i): Entry => ({ text, ply: i - start.length, side: sideAt(i) }));
  const pairs = Array.from({ length: Math.ceil(all.length / 2) }, (_, i) => all.slice(2 * i, 2 * i + 2));
  const long = times !== null || texts.some((text) => text.length > SHORT);
  const point = (event: Event) => onPoint?.(plyOf(event));
  const none = () => onPoint?.(null);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: what is clicked are buttons, which keys press too
    <ol
      ref={list}
      class={`moves${judged?.size ? ' judged' : ''}${long ? ' long' : ''}`}
      aria-label={t('moves.title')}
      tabIndex={onChoose ? undefined : 0}
      onPointerOver={point}
      onFocusIn={point}
      onClick={point}
      onPointerLeave={none}
      onFocusOut={none}
    >
      {pairs.length === 0 && <li class="muted">{t('moves.none')}</li>}
      {pairs.map((pair, i) => (
        <li key={pair[0].ply}>
          <span class="move-number">{i + 1}.</span>
          {pair.map((entry) => (
            <Move key={entry.ply} {...props} {...entry} current={entry.ply >= 0 && entry.ply === shown - 1} />
          ))}
          {pair.map(({ ply }) => (
            <Note key={ply} judged={judged?.get(ply)} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function Move({
  text,
  ply,
  side,
  current,
  judged,
  times,
  searches,
  onChoose,
}: Entry & MoveListProps & { current: boolean }) {
  const found = judged?.get(ply);
  const content = (
    <>
      <Mark side={side} hidden /> {text}
      {/* There is room for one of both; the time stands below the board too. */}
      {found ? <Verdict found={found} /> : times && ply >= 0 && <small class="move-time">{times[ply]}</small>}
    </>
  );
  if (ply < 0)
    return (
      <span class="move muted" title={t('moves.set-up')}>
        {content}
      </span>
    );
  const name = `move${current ? ' current' : ''}`;
  if (!onChoose && !(searches && ply in searches)) return <span class={name}>{content}</span>;
  return (
    <button
      type="button"
      class={name}
      data-ply={ply}
      aria-current={current ? 'step' : undefined}
      onClick={() => onChoose?.(ply + 1)}
    >
      {content}
    </button>
  );
}

/** What a review says of a move: a filled tag where it is proven, a dashed one for estimates. */
function Verdict({ found }: { found: JudgedMove }) {
  const { judged } = found;
  const grade = gradeOf(found);
  const kind = judged.exact ? 'exact' : 'estimated';
  return (
    <>
      <span class={`verdict ${kind} verdict-${judged.verdict}`} title={spokenVerdict(judged)}>
        {verdictWord(judged.verdict)}
        <span class="spoken-only">, {t(`moves.${kind}`)}</span>
      </span>
      {SIGNS[grade] && (
        <span class={`sign ${grade}`} aria-hidden="true">
          {SIGNS[grade]}
        </span>
      )}
    </>
  );
}

/** What stands out, below the moves. */
function Note({ judged }: { judged: JudgedMove | undefined }) {
  const words = judged && note(judged);
  if (!words) return null;
  return (
    <p class={`move-note ${gradeOf(judged)}`}>
      <Mark side={judged.side} /> {words}
    </p>
  );
}

/** What a bot found, in a line, and the moves that it expects. */
export function Figures({ label, search, expected }: { label: string; search: Search | undefined; expected: number }) {
  const moves = (search?.pv ?? []).slice(1, expected + 1);
  return (
    <p class="figures muted" hidden={!search}>
      <strong>{label}</strong> {search && searchWords(search)}
      {moves.length > 0 && <span class="expected">{t('moves.expects', { moves: moves.join(' ') })}</span>}
    </p>
  );
}

/** "X b2" @param by moves before it, those that were set up counted */
export function moveLabel(text: string, by: number) {
  return `${marks()[sideAt(by)]} ${text}`;
}

/** The move of the list that an event is about, by its ply. */
function plyOf(event: Event): number | null {
  const ply = (event.target as Element).closest<HTMLElement>('[data-ply]')?.dataset.ply;
  return ply === undefined ? null : Number(ply);
}

/** Only the list itself scrolls: scrollIntoView would move the page under a player's finger. */
function reveal(list: HTMLElement, follow: boolean) {
  const current = list.querySelector<HTMLElement>('.current');
  if (!current) return;
  // Whoever steps through the moves from the list goes along.
  if (follow && list.contains(document.activeElement)) current.focus({ preventScroll: true });
  list.scrollTop = current.offsetTop - list.clientHeight / 2;
}
