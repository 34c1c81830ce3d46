// Playing on from a position of another game: the request, and the last choices. Pure.

import { createMessage, FIRST_CHOICES, usableChoices } from '../lobby/createMessage.ts';
import type { Bot } from '../types/page.d.ts';

/** a game, and the moves up to the position */
export type From = { game: string; start: string[] };
export type Choices = {
  who: 'bot' | 'invite';
  seat: 'x' | 'o' | 'random';
  bot: string;
  limit: 'none' | 'seconds' | 'nodes' | 'depth';
  limitValue: number;
};

export const WAYS = ['bot', 'invite'] as const;
export const SEATS = ['x', 'o', 'random'] as const;

/** Whether a bot can join a game after these moves: some engines follow each game from its start. */
export function takesStart({ opening_plies }: Pick<Bot, 'opening_plies'>, plies: number) {
  return plies <= (opening_plies ?? plies);
}

/** The `create` message, without its `t`. Pure. */
export function playOnMessage(from: From, choices: Choices) {
  const asked = { ...FIRST_CHOICES, ...choices, game: from.game };
  return { ...createMessage(asked), start: from.start };
}

/** The last choices, as far as they are valid. */
export function usable(stored: Record<string, unknown>, toMove: 'x' | 'o'): Choices {
  const { who, seat, bot, limit, limitValue } = { ...FIRST_CHOICES, seat: toMove, ...usableChoices(stored) };
  return { who: who === 'invite' ? who : 'bot', seat, bot, limit, limitValue };
}
