// What the fields of the form take, in their own units, and to which of them a refusal of the server belongs. Pure.

import { t } from '../i18n/language.ts';
import type { RefusedField } from '../types/page.d.ts';
import type { Choices } from './createMessage.ts';
import { limitWrong } from './createMessage.ts';

export type Field = 'game' | 'player' | 'bot' | 'minutes' | 'increment' | 'perMove' | 'limitValue';

/** What may stand in a clock's field, and how many of the wire's milliseconds are one. */
export const CLOCK_FIELDS = {
  minutes: { min: 0.1, max: 180, unit: 60_000 },
  increment: { min: 0, max: 180, unit: 1000 },
  perMove: { min: 0.1, max: 86_400, unit: 1000 },
};

/** What a field is called on the wire. */
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

/** The first field that cannot be sent as it stands, and why. */
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
 * Where a refusal of the server belongs, and what to say there: bounds in the field's own unit. Null where no field is
 * to blame.
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
