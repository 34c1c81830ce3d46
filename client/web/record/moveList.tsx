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

/** The signs of chess annotation. */
const SIGNS: Record<string, string> = { mistake: '??', slow: '?!', doubtful: '?', only: '!' };
const SHORT = 3; // the longest move that fits narrow columns

export type MoveListProps = {
  moves: string[];
  /** Moves set up before the first one. */
  start?: string[];
  /** The number of moves on the board; the last of them is marked. */
  shown?: number;
  /** The bots' searches, by ply. */
  searches?: Record<number, Search>;
  /** The time of each move, in words. */
  times?: string[] | null;
  /** The review's verdicts, by ply. */
  judged?: ReadonlyMap<number, JudgedMove>;
  /** Called with the move under the pointer or focus. */
  onPoint?: (ply: number | null) => void;
  /** Makes each move a button that shows its position. */
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click targets are buttons, which keys press too
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
      {/* Only one of them fits; the time is also shown below the board. */}
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

/** The review's verdict on a move: a filled tag if proven, a dashed one if estimated. */
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

/** What is notable about a move, below the moves. */
function Note({ judged }: { judged: JudgedMove | undefined }) {
  const words = judged && note(judged);
  if (!words) return null;
  return (
    <p class={`move-note ${gradeOf(judged)}`}>
      <Mark side={judged.side} /> {words}
    </p>
  );
}

/** A bot's search in a line, and the moves that it expects. */
export function Figures({ label, search, expected }: { label: string; search: Search | undefined; expected: number }) {
  const moves = (search?.pv ?? []).slice(1, expected + 1);
  return (
    <p class="figures muted" hidden={!search}>
      <strong>{label}</strong> {search && searchWords(search)}
      {moves.length > 0 && <span class="expected">{t('moves.expects', { moves: moves.join(' ') })}</span>}
    </p>
  );
}

/** "X b2" @param by how many moves came before, including the start */
export function moveLabel(text: string, by: number) {
  return `${marks()[sideAt(by)]} ${text}`;
}

/** The ply of the move that an event is about. */
function plyOf(event: Event): number | null {
  const ply = (event.target as Element).closest<HTMLElement>('[data-ply]')?.dataset.ply;
  return ply === undefined ? null : Number(ply);
}

/** Scrolls only the list: scrollIntoView would move the page under a player's finger. */
function reveal(list: HTMLElement, follow: boolean) {
  const current = list.querySelector<HTMLElement>('.current');
  if (!current) return;
  // The focus follows if it was on a move of the list.
  if (follow && list.contains(document.activeElement)) current.focus({ preventScroll: true });
  list.scrollTop = current.offsetTop - list.clientHeight / 2;
}
