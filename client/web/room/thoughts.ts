// What a bot thinks or has found: the moves that it expects, and its view of the position. Pure.

import { sideAt } from '../board/position.ts';
import { PROVEN } from '../i18n/moveWords.ts';
import type { RoomState, Search, Side } from '../types/page.d.ts';

const EXPECTED = 6;

/** A bot's search from the view of `by`, at the move of `ply`; null while it has not moved. */
export type Thought = Pick<Search, 'nodes' | 'depth' | 'value' | 'at_most'> & {
  by: Side;
  ply: number | null;
  win_in: number | null;
  pv: string[];
};

/**
 * The search at the move pointed at, else the running search of the bot to move, else the last one.
 * @param searches by ply
 */
export function thought(
  room: RoomState,
  searches: Record<number, Search>,
  pointed: number | null = null,
): Thought | null {
  const { game, thinking } = room;
  const told = Object.keys(searches)
    .map(Number)
    .filter((ply) => ply < game.moves.length);
  const asked = pointed !== null && told.includes(pointed);
  if (!asked && !game.result && thinking?.by)
    return { ...thinking, by: thinking.by, ply: null, win_in: thinking.win_in ?? null, pv: thinking.pv };
  const ply = asked ? pointed : Math.max(...told);
  const found = searches[ply];
  if (!found) return null;
  const { nodes, depth, value, at_most, win_in = null, pv = [] } = found;
  return { nodes, depth, value, at_most, win_in, pv: pv.slice(1), by: sideAt(game.start.length + ply), ply };
}

/** Whether the search is about the position on the board, so that its moves can be previewed there. */
export function isOfNow({ game }: RoomState, { ply }: Thought): boolean {
  return !game.result && (ply === null || ply === game.moves.length - 1);
}

/** The moves expected from there on. */
export function expected(told: Thought | null): string[] {
  return told?.pv.slice(0, EXPECTED) ?? [];
}

/** X's share of the evaluation bar, from 0 to 1; null if unknown. */
export function shareOfX({ by, value, win_in }: Thought) {
  const own = win_in ? Math.sign(win_in) : typeof value === 'number' ? leaning(value) : null;
  if (own === null) return null;
  return (1 + (by === 'x' ? own : -own)) / 2;
}

/**
 * Maps a value to -1 to 1, which only proven ends reach. A decisive value is 1 for one bot and tens of thousands for
 * another: a logarithm shows both.
 */
function leaning(value: number) {
  return Math.sign(value) * Math.min(1, Math.log1p(Math.abs(value)) / Math.log1p(PROVEN));
}
