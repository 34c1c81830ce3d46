// What a bot thinks or has found: the moves that it expects, and how good it takes the position to be. Pure.

import { PROVEN } from '../i18n/moveWords.ts';
import type { RoomState, Search, Side } from '../types/page.d.ts';
import { other } from './state.ts';

const EXPECTED = 6;

/** What a bot found, from the view of `by`. */
export type Thought = Pick<Search, 'nodes' | 'depth' | 'value' | 'at_most'> & {
  by: Side;
  win_in: number | null;
  pv: string[];
};

/**
 * What the bot to move thinks, else what the last that moved had found.
 * @param searches what bots found, by ply
 */
export function thought(room: RoomState, searches: Record<number, Search>): Thought | null {
  const { game, thinking } = room;
  if (game.result) return null;
  if (thinking?.by) return { ...thinking, by: thinking.by, win_in: thinking.win_in ?? null, pv: thinking.pv };
  const ply = game.moves.length - 1;
  const found = searches[ply];
  if (!found || !game.to_move) return null;
  const { nodes, depth, value, at_most, win_in = null, pv = [] } = found;
  return { nodes, depth, value, at_most, win_in, pv: pv.slice(1), by: other(game.to_move) };
}

/** The moves that the bot to move, or the one that has just moved, expects from here on. */
export function expected(told: Thought | null): string[] {
  return told?.pv.slice(0, EXPECTED) ?? [];
}

/** X's share of a bar that shows how good the position is, from 0 to 1; null where nothing tells. */
export function shareOfX({ by, value, win_in }: Thought) {
  const own = win_in ? Math.sign(win_in) : typeof value === 'number' ? leaning(value) : null;
  if (own === null) return null;
  return (1 + (by === 'x' ? own : -own)) / 2;
}

/**
 * From -1 to 1, which only a seen end reaches. What decides a game is 1 in the scale of one bot and tens of thousands in
 * that of another: a logarithm shows both.
 */
function leaning(value: number) {
  return Math.sign(value) * Math.min(1, Math.log1p(Math.abs(value)) / Math.log1p(PROVEN));
}
