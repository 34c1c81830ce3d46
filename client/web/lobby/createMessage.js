// @ts-check
// The request for a new game, and what may be asked for. Pure but for `oneAtATime`.

import { t } from '../i18n/language.js';

/**
 * @typedef {{game: string, who: string, seat: 'x'|'o'|'random', bot: string, botX: string, botO: string,
 *            player: string, clock: 'none'|'game'|'move', minutes: number, increment: number, perMove: number,
 *            rated: boolean, limit: 'none'|'seconds'|'nodes'|'depth', limitValue: number, human: boolean}} Choices
 */

/** What the form for a new game holds before anything was chosen. @type {Choices} */
export const FIRST_CHOICES = {
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

/**
 * What a bot may be told to spend at most on a move, as the server takes it.
 * @type {Record<string, {min: number, max: number, step: string}>}
 */
const BOUNDS = {
  seconds: { min: 0.001, max: 86_400, step: 'any' },
  nodes: { min: 1, max: 1e12, step: '1' },
  depth: { min: 1, max: 1000, step: '1' },
};

/** @typedef {(work: () => Promise<unknown>) => Promise<void>} Only */

/**
 * Does one thing at a time, and no more when it has led elsewhere: a second click would make a second room.
 * @returns {Only}
 */
export function oneAtATime() {
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

/** Tells the field what the limit may be. @param {HTMLInputElement} input @param {string} limit */
export function boundLimit(input, limit) {
  const bounds = BOUNDS[limit];
  input.required = bounds !== undefined;
  if (bounds) Object.assign(input, { ...bounds, inputMode: bounds.step === '1' ? 'numeric' : 'decimal' });
}

/** Why no bot can be limited so, else ''. @param {string} limit @param {number} value */
export function limitWrong(limit, value) {
  const bounds = BOUNDS[limit];
  if (!bounds) return '';
  const { min, max, step } = bounds;
  if (value >= min && value <= max && (step === 'any' || Number.isInteger(value))) return '';
  return t(step === 'any' ? 'create.limit.wrong.seconds' : 'create.limit.wrong.whole', { min, max });
}

/** The `create` message for these choices, without its `t`. Pure. @param {Choices} c */
export function createMessage(c) {
  /** @type {import('../types/page.js').Asked} */
  const message = { game: c.game };
  if (c.who === 'bots') {
    message.seat = 'none';
    message.bots = { x: c.botX, o: c.botO };
  } else {
    if (c.who !== 'self') message.seat = c.seat;
    message.opponent = {
      kind: /** @type {import('../types/page.js').Opponent['kind']} */ (c.who),
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

/** Rated games need two different players and a clock. @param {Choices} c */
export function mayBeRated(c) {
  return c.clock !== 'none' && areTwo(c);
}

/** @param {Choices} c */
export function areTwo(c) {
  return c.who !== 'self' && (c.who !== 'bots' || c.botX !== c.botO);
}
