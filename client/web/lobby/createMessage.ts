// The request for a new game: the choices, the bounds of the fields, and which field a refusal is about. Pure but for
// `oneAtATime`.

import { t } from '../i18n/language.ts';
import type { Asked, Opponent, RefusedField } from '../types/page.d.ts';

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

/** The form's defaults. */
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

/** Who may take the other seat. */
export const WAYS = ['bot', 'invite', 'open', 'player', 'self', 'bots'];
export const LIMITS = ['none', 'seconds', 'nodes', 'depth'] as const;
const WORDS: Partial<Record<keyof Choices, string[]>> = {
  who: WAYS,
  seat: ['x', 'o', 'random'],
  clock: ['none', 'game', 'move'],
  limit: [...LIMITS],
};

/** Choices from storage or an address, as far as they are valid. */
export function usableChoices(stored: Partial<Choices>): Partial<Choices> {
  const fits = ([key, usual]: [string, unknown]) => {
    const value: unknown = stored[key as keyof Choices];
    return typeof value === typeof usual && WORDS[key as keyof Choices]?.includes(value as string) !== false;
  };
  const keys = Object.entries(FIRST_CHOICES).filter(fits);
  return Object.fromEntries(keys.map(([key]) => [key, stored[key as keyof Choices]]));
}

/** The bounds of a bot's limit, as in the protocol. */
export const BOUNDS: Record<string, { min: number; max: number; step: string }> = {
  seconds: { min: 0.001, max: 86_400, step: 'any' },
  nodes: { min: 1, max: 1e12, step: '1' },
  depth: { min: 1, max: 1000, step: '1' },
};

export type Only = (work: () => Promise<unknown>) => Promise<void>;

/**
 * Ignores further clicks while one is handled, and after it has led elsewhere: a second one would make a second room.
 */
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

/** Why no bot can have this limit, else ''. */
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

function areTwo(c: Choices) {
  return c.who !== 'self' && (c.who !== 'bots' || c.botX !== c.botO);
}

/** The hint beside the checkbox for rated games. */
export function ratedWords(c: Choices) {
  if (!areTwo(c)) return t('create.rated.two');
  return t(c.clock === 'none' ? 'create.rated.clock' : 'create.rated.meaning');
}

/** Units as written everywhere: initial time in minutes, increment in seconds. */
export const PRESETS = ['1+0', '3+2', '5+3', '10+5'];

/** A preset, `none`, or `game` and `move` for custom clocks. */
export function presetOf({ clock, minutes, increment }: Pick<Choices, 'clock' | 'minutes' | 'increment'>) {
  const written = `${minutes}+${increment}`;
  return clock === 'game' && PRESETS.includes(written) ? written : clock;
}

/** The fields that a preset, `none`, `game` or `move` sets. */
export function clockOf(preset: string): Partial<Choices> {
  if (!PRESETS.includes(preset)) return { clock: preset as Choices['clock'] };
  const [minutes, increment] = preset.split('+').map(Number);
  return { clock: 'game', minutes, increment };
}

export type Field = 'game' | 'player' | 'bot' | 'minutes' | 'increment' | 'perMove' | 'limitValue';

/** The bounds of a clock's field, and how many of the protocol's milliseconds make one unit. */
export const CLOCK_FIELDS = {
  minutes: { min: 0.1, max: 180, unit: 60_000 },
  increment: { min: 0, max: 180, unit: 1000 },
  perMove: { min: 0.1, max: 86_400, unit: 1000 },
};

/** A field's name in the protocol. */
const ON_THE_WIRE: Record<string, Field> = {
  game: 'game',
  'opponent.player': 'player',
  'opponent.bot': 'bot',
  'bots.x': 'bot',
  'bots.o': 'bot',
  'clock.initial_ms': 'minutes',
  'clock.increment_ms': 'increment',
  'clock.move_ms': 'perMove',
  'limit.move_ms': 'limitValue',
  'limit.nodes': 'limitValue',
  'limit.depth': 'limitValue',
};

/** The first invalid field, and what is wrong with it. */
export function wrongField(c: Choices): [Field, string] | null {
  const bots = c.who === 'bot' || c.who === 'bots';
  if (c.who === 'player' && !c.player) return ['player', t('create.nobody')];
  const clocks = { none: [], game: ['minutes', 'increment'] as const, move: ['perMove'] as const }[c.clock];
  for (const field of clocks) {
    const { min, max } = CLOCK_FIELDS[field];
    if (!(c[field] >= min && c[field] <= max)) return [field, t('create.wrong', { min, max })];
  }
  const wrong = bots ? limitWrong(c) : '';
  return wrong ? ['limitValue', wrong] : null;
}

/**
 * The field that a refusal by the server is about, and what to say there, with bounds in the field's own unit. Null if
 * no field is to blame.
 */
export function refusedField(
  error: { message: string; field?: RefusedField | null },
  c: Choices,
): [Field, string] | null {
  const { name = '', least, most } = error.field ?? {};
  const field = ON_THE_WIRE[name];
  if (!field) return null;
  if (typeof least !== 'number' || typeof most !== 'number') return [field, error.message];
  const unit = unitOf(field, c);
  return [field, t('create.wrong', { min: rounded(least / unit), max: rounded(most / unit) })];
}

function unitOf(field: Field, c: Choices) {
  if (field in CLOCK_FIELDS) return CLOCK_FIELDS[field as keyof typeof CLOCK_FIELDS].unit;
  return field === 'limitValue' && c.limit === 'seconds' ? 1000 : 1;
}

function rounded(value: number) {
  return Number(value.toPrecision(2)) === value ? value : Math.ceil(value * 1000) / 1000;
}
