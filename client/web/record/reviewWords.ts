// Words about a reviewed game: how good each move was, how certain that is, and a summary.

import type { Values } from '../i18n/language.ts';
import { t } from '../i18n/language.ts';
import type { Marks, Side, Verdict } from '../types/page.d.ts';

export type Judged = import('../types/page.d.ts').JudgedMove;

/** `only`: it was the only legal move; `bounded`: in this game numbers of moves to the end may be bounds. */
export type JudgedMove = { ply: number; side: Side; move: string; judged: Judged; only?: boolean; bounded?: boolean };
/**
 * A mistake is proven to have cost the result, a slow move only some moves; a doubtful one is a mistake by estimate.
 */
export type Grade = 'mistake' | 'slow' | 'doubtful' | 'only' | 'good';

/** The order of verdicts: a proven result counts more than an estimate. */
const RANK: Record<Verdict, number> = { won: 3, better: 1, even: 0, drawn: 0, worse: -1, lost: -3 };
const DOUBT = 2; // an estimate that is one step worse may be mere noise
const SURE = 2; // a win on the next move, or a loss to the reply, is exact
const NEAR_END = 0.85; // estimates stay off the edges, which mean proven results

export function isProven(verdict: Verdict) {
  return verdict === 'won' || verdict === 'drawn' || verdict === 'lost';
}

export function gradeOf({ judged, move, only, bounded }: JudgedMove): Grade {
  if (only) return 'only';
  if (judged.best[0] === undefined || judged.best[0] === move) return 'good';
  const lost = RANK[judged.could] - RANK[judged.verdict];
  const proven = judged.exact && isProven(judged.could);
  if (proven) return lost > 0 ? 'mistake' : isSlower(judged, bounded) ? 'slow' : 'good';
  // A player who gave up a proven win and still looks better may well have another.
  return lost >= DOUBT && judged.verdict !== 'better' ? 'doubtful' : 'good';
}

/** Of two bounds, the higher one is not necessarily the longer way. */
function isSlower({ verdict, win_in, could_in, at_most }: Judged, bounded: boolean | undefined) {
  if (at_most || (verdict === 'lost' && bounded)) return false;
  return typeof win_in === 'number' && typeof could_in === 'number' && win_in > could_in;
}

/**
 * The text of a key with the number of plies where that is known, as `KEY.in` or `KEY.at_most`; else of the key alone.
 */
function within(key: string, plies: number | null | undefined, at_most: boolean | undefined, values: Values = {}) {
  if (plies === null || plies === undefined) return t(key, values);
  const count = Math.abs(plies);
  return t(at_most && count > SURE ? `${key}.at_most` : `${key}.in`, { count, ...values });
}

/** What a move gave up. */
function thrown(key: string, { judged, bounded }: JudgedMove) {
  // With an estimate it is unknown whether the number is a bound.
  return judged.could === 'won' ? within(`${key}.win`, judged.could_in, bounded || !judged.exact) : t(`${key}.draw`);
}

/** What is notable about a move, in a few words for a list; empty for most moves. */
export function note(judgedMove: JudgedMove) {
  const { judged } = judgedMove;
  switch (gradeOf(judgedMove)) {
    case 'mistake':
      return thrown('review.note.threw', judgedMove);
    case 'slow':
      return t(judged.verdict === 'won' ? 'review.note.slow.win' : 'review.note.slow.loss', numbers(judged));
    case 'doubtful':
      return judged.could === 'won' ? thrown('review.note.let', judgedMove) : t('review.note.doubtful');
    case 'only':
      return t('review.note.only');
    default:
      return '';
  }
}

function numbers({ win_in, could_in }: Judged) {
  return { plies: Math.abs(Number(win_in)), could: Math.abs(Number(could_in)) };
}

/** How good the move was, and what it led to. */
export function sentence(judgedMove: JudgedMove, marks: Marks) {
  const { judged, side } = judgedMove;
  const isBest = judged.best[0] === judgedMove.move || judged.best[0] === undefined;
  const stands = standing(judged, side, marks, isBest);
  switch (gradeOf(judgedMove)) {
    case 'mistake':
      return t('review.threw', { thrown: thrown('review.threw', judgedMove), now: now(judged) });
    case 'slow':
      return t(judged.verdict === 'won' ? 'review.slow.win' : 'review.slow.loss', numbers(judged));
    case 'doubtful':
      return judged.could === 'won'
        ? `${thrown('review.let', judgedMove)} ${stands}`
        : `${stands} ${other(judgedMove)}`;
    case 'only':
      return `${t('review.only')} ${stands}`;
    default:
      return isBest ? stands : `${stands} ${other(judgedMove)}`;
  }
}

/** The result after a mistake. */
function now({ verdict, win_in, at_most }: Judged) {
  return verdict === 'drawn' ? t('review.now.drawn') : within('review.now.lost', win_in, at_most);
}

/** What was known of the best move. */
function other({ judged, bounded }: JudgedMove) {
  const move = judged.best[0];
  if (judged.could === 'won') return within('review.other.won', judged.could_in, bounded || !judged.exact, { move });
  if (judged.could === 'lost') return within('review.other.lost', judged.could_in, bounded, { move });
  if (judged.could === 'drawn') return t('review.other.drawn', { move });
  if (judged.could === judged.verdict) return t('review.other.little', { move });
  return t(judged.could === 'even' ? 'review.other.even' : 'review.other.better', { move });
}

/**
 * The outlook after the move.
 * @param isBest no move is better
 */
function standing(judged: Judged, side: Side, marks: Marks, isBest: boolean) {
  const { verdict, win_in, at_most } = judged;
  if (verdict === 'won')
    return win_in === 1 ? t('review.stands.wins.now') : within('review.stands.wins', win_in, at_most);
  if (verdict === 'drawn') return t('review.stands.drawn');
  if (verdict === 'lost') return within(isBest ? 'review.stands.lost.best' : 'review.stands.lost', win_in, at_most);
  if (verdict === 'even') return t('review.stands.even');
  return t('review.stands.better', { mark: (verdict === 'better') === (side === 'x') ? marks.x : marks.o });
}

/** How certain the verdict is. */
export function meaning(judged: Judged) {
  if (!judged.exact) return t('review.meaning.estimated');
  if (!judged.win_in || judged.win_in === 1) return t('review.meaning.exact');
  return t(judged.at_most ? 'review.meaning.at_most' : 'review.meaning.counted');
}

/** One word for a small tag. */
export function verdictWord(verdict: Verdict) {
  return t(`review.verdict.${verdict}`);
}

/** A verdict for screen readers, within a list of moves. */
export function spokenVerdict(judged: Judged) {
  return t(judged.exact ? 'review.verdict.exact' : 'review.verdict.estimated', {
    verdict: verdictWord(judged.verdict),
  });
}

// The game as a whole

/** A value of -1 to 1 from X's side, as high as it is drawn. */
export function drawnValue({ judged, side }: JudgedMove) {
  const value = side === 'x' ? judged.value : -judged.value;
  return judged.exact ? value : NEAR_END * Math.max(-1, Math.min(1, value));
}

/** The verdict after a move, from X's side. */
export function stateWords(verdict: Verdict, side: Side, marks: Marks) {
  const mark = (verdict === 'won' || verdict === 'better') === (side === 'x') ? marks.x : marks.o;
  if (verdict === 'drawn') return t('review.state.drawn');
  if (verdict === 'even') return t('review.state.even');
  return t(isProven(verdict) ? 'review.state.wins' : 'review.state.better', { mark });
}

/** Runs of moves with the same outlook: the chart for people who cannot see it. */
export function courseWords(moves: JudgedMove[], marks: Marks) {
  const stretches: { words: string; from: number; to: number }[] = [];
  for (const { ply, side, judged } of moves) {
    const words = stateWords(judged.verdict, side, marks);
    const last = stretches.at(-1);
    if (last?.words === words && last.to === ply) last.to = ply + 1;
    else stretches.push({ words, from: ply + 1, to: ply + 1 });
  }
  return stretches
    .map(({ words, from, to }) =>
      t(from === to ? 'review.course.one' : 'review.course.more', { from, to, state: words }),
    )
    .join(' ');
}

export type Tally = { mistake: number; slow: number; doubtful: number; exact: number; judged: number };

/** How many moves of each grade each side made. */
export function tally(moves: JudgedMove[]): { x: Tally; o: Tally } {
  const none = { mistake: 0, slow: 0, doubtful: 0, exact: 0, judged: 0 };
  const found = { x: { ...none }, o: { ...none } };
  for (const each of moves) {
    const grade = gradeOf(each);
    const side = found[each.side];
    side.judged += 1;
    if (each.judged.exact) side.exact += 1;
    if (grade === 'mistake' || grade === 'slow' || grade === 'doubtful') side[grade] += 1;
  }
  return found;
}

/** "1 mistake, 2 slower moves" */
export function tallyWords(side: Tally) {
  if (!side.judged) return t('review.tally.nothing');
  const parts = (['mistake', 'slow', 'doubtful'] as const).filter((grade) => side[grade]);
  if (parts.length) return parts.map((grade) => t(`review.tally.${grade}`, { count: side[grade] })).join(', ');
  return t(side.exact ? 'review.tally.none' : 'review.tally.estimates');
}

/** The sentence that ends a review. */
export function summarySentence(moves: JudgedMove[], marks: Marks) {
  const { x, o } = tally(moves);
  return t('review.summary', { x: marks.x, x_tally: tallyWords(x), o: marks.o, o_tally: tallyWords(o) });
}

/** Where the expected result changed, proven or by estimate. */
export function turns(moves: JudgedMove[], marks: Marks) {
  return moves.flatMap((each) => {
    const grade = gradeOf(each);
    if (grade !== 'mistake' && grade !== 'doubtful') return [];
    const { ply, side, move, judged } = each;
    return [
      {
        ply,
        side,
        move,
        grade,
        from: stateWords(judged.could, side, marks),
        to: stateWords(judged.verdict, side, marks),
      },
    ];
  });
}
