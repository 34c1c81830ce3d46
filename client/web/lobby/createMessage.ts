// The request for a new game, and what may be asked for. Pure but for `oneAtATime`.

import { t } from '../i18n/language.ts';
import type { Asked, Opponent } from '../types/page.d.ts';

export type Choices = {
  game: string;
  who: string;
  seat: 'x' | 'o' | 'random';
  bot: string;
  botX: string;
  botO: string;
  player: string;
  clock: 'none' | 'game' | 'move';
  minutes: number;
  increment: number;
  perMove: number;
  rated: boolean;
  limit: 'none' | 'seconds' | 'nodes' | 'depth';
  limitValue: number;
  human: boolean;
};

/** What the form for a new game holds before anything was chosen. */
export const FIRST_CHOICES: Choices = {
  game: '',
  who: 'bot',
  seat: 'random',
  bot: '',
  botX: '',
  botO: '',
  player: '',
  clock: 'none',
  minutes: 5,
  increment: 3,
  perMove: 30,
  rated: false,
  limit: 'none',
  limitValue: 1,
  human: false,
};

/** Who may sit on the other side. */
export const WAYS = ['bot', 'invite', 'open', 'player', 'self', 'bots'];
export const LIMITS = ['none', 'seconds', 'nodes', 'depth'] as const;
const WORDS: Partial<Record<keyof Choices, string[]>> = {
  who: WAYS,
  seat: ['x', 'o', 'random'],
  clock: ['none', 'game', 'move'],
  limit: [...LIMITS],
};

/** What was stored, or stands in an address, as far as it can be used. */
export function usableChoices(stored: Partial<Choices>): Partial<Choices> {
  const fits = ([key, usual]: [string, unknown]) => {
    const value: unknown = stored[key as keyof Choices];
    return typeof value === typeof usual && WORDS[key as keyof Choices]?.includes(value as string) !== false;
  };
  const keys = Object.entries(FIRST_CHOICES).filter(fits);
  return Object.fromEntries(keys.map(([key]) => [key, stored[key as keyof Choices]]));
}

/** What a bot may be told to spend at most on a move, as the server takes it. */
export const BOUNDS: Record<string, { min: number; max: number; step: string }> = {
  seconds: { min: 0.001, max: 86_400, step: 'any' },
  nodes: { min: 1, max: 1e12, step: '1' },
  depth: { min: 1, max: 1000, step: '1' },
};

export type Only = (work: () => Promise<unknown>) => Promise<void>;

/** Does one thing at a time, and no more when it has led elsewhere: a second click would make a second room. */
export function oneAtATime(): Only {
  let busy = false;
  return async (work) => {
    if (busy) return;
    busy = true;
    const here = location.pathname;
    try {
      await work();
    } finally {
      busy = location.pathname !== here; // the next view may still be loading
    }
  };
}

/** Why no bot can be limited so, else ''. */
export function limitWrong({ limit, limitValue: value }: Pick<Choices, 'limit' | 'limitValue'>) {
  const bounds = BOUNDS[limit];
  if (!bounds) return '';
  const { min, max, step } = bounds;
  if (value >= min && value <= max && (step === 'any' || Number.isInteger(value))) return '';
  return t(step === 'any' ? 'create.wrong' : 'create.wrong.whole', { min, max });
}

/** The `create` message for these choices, without its `t`. Pure. */
export function createMessage(c: Choices) {
  const message: Asked = { game: c.game };
  if (c.who === 'bots') {
    message.seat = 'none';
    message.bots = { x: c.botX, o: c.botO };
  } else {
    if (c.who !== 'self') message.seat = c.seat;
    message.opponent = {
      kind: c.who as Opponent['kind'],
      ...(c.who === 'bot' && { bot: c.bot }),
      ...(c.who === 'player' && { player: c.player }),
    };
  }
  if (c.clock === 'game') {
    message.clock = { initial_ms: Math.round(c.minutes * 60_000), increment_ms: Math.round(c.increment * 1000) };
  } else if (c.clock === 'move') message.clock = { move_ms: Math.round(c.perMove * 1000) };
  if (c.who === 'bot' || c.who === 'bots') {
    if (c.limit === 'seconds') message.limit = { move_ms: Math.round(c.limitValue * 1000) };
    else if (c.limit !== 'none') message.limit = { [c.limit]: Math.round(c.limitValue) };
    if (c.human) message.pace = 'human';
  }
  if (c.rated && mayBeRated(c)) message.rated = true;
  return message;
}

/** Rated games need two different players and a clock. */
export function mayBeRated(c: Choices) {
  return c.clock !== 'none' && areTwo(c);
}

export function areTwo(c: Choices) {
  return c.who !== 'self' && (c.who !== 'bots' || c.botX !== c.botO);
}

/** What the box for rated games says beside itself. */
export function ratedWords(c: Choices) {
  if (!areTwo(c)) return t('create.rated.two');
  return t(c.clock === 'none' ? 'create.rated.clock' : 'create.rated.meaning');
}
