// Playing on from a position of another game: what is asked for, and what was chosen last. Pure.

import { createMessage, LIMITS } from '../lobby/createMessage.ts';
import type { Bot } from '../types/page.d.ts';

/** a kind of game, and the moves that lead to the position */
export type From = { game: string; start: string[] };
export type Choices = {
  who: 'bot' | 'invite';
  seat: 'x' | 'o' | 'random';
  bot: string;
  limit: 'none' | 'seconds' | 'nodes' | 'depth';
  limitValue: number;
};

/** What is not asked. */
const NOTHING_ELSE = {
  botX: '',
  botO: '',
  player: '',
  clock: 'none' as const,
  minutes: 0,
  increment: 0,
  perMove: 0,
  rated: false,
  human: false,
};
export const WAYS = ['bot', 'invite'] as const;
export const SEATS = ['x', 'o', 'random'] as const;

/** Whether a bot can take a game up after so many moves: some engines follow each game from its start. */
export function takesStart({ opening_plies }: Pick<Bot, 'opening_plies'>, plies: number) {
  return plies <= (opening_plies ?? plies);
}

/** The `create` message, without its `t`. Pure. */
export function playOnMessage(from: From, choices: Choices) {
  const asked = { ...NOTHING_ELSE, ...choices, game: from.game };
  return { ...createMessage(asked), start: from.start };
}

/** What was chosen last, as far as it can be used. */
export function usable(stored: Record<string, unknown>, toMove: 'x' | 'o'): Choices {
  const among = <One extends string>(known: readonly One[], value: unknown, fallback: One) =>
    known.find((each) => each === value) ?? fallback;
  return {
    who: among(WAYS, stored.who, 'bot'),
    seat: among(SEATS, stored.seat, toMove),
    bot: typeof stored.bot === 'string' ? stored.bot : '',
    limit: among(LIMITS, stored.limit, 'none'),
    limitValue: Number(stored.limitValue) > 0 ? Number(stored.limitValue) : 1,
  };
}
