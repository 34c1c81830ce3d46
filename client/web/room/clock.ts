// The time that a side has left, in words and figures. The server's clock decides; this only shows it.

import { number, t } from '../i18n/language.ts';
import type { ClockSettings, ClockView, Side } from '../types/page.d.ts';

/**
 * @param clock as of `ts`
 * @param now by the server's clock
 */
export function remaining_ms(clock: ClockView, side: Side, ts: number, now: number | null) {
  const left = side === 'x' ? clock.x_ms : clock.o_ms;
  if (clock.running !== side || now === null) return Math.max(0, left);
  return Math.max(0, left - Math.max(0, now - ts));
}

/** 1:05:09, 4:07, 9.3 under ten seconds. Rounded so that 0.0 means that the time is up. */
export function clockText(ms: number) {
  if (ms < 10_000) return number(Math.ceil(ms / 100) / 10, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const seconds = Math.ceil(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** "5 min + 3 s", "30 s a move", "no clock". */
export function clockWords(clock: ClockSettings | null | undefined) {
  if (clock?.move_ms) return t('clock.per-move', { time: duration(clock.move_ms) });
  if (!clock?.initial_ms) return t('clock.none');
  const time = duration(clock.initial_ms);
  return clock.increment_ms ? t('clock.added', { time, increment: duration(clock.increment_ms) }) : time;
}

function duration(ms: number) {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return t('clock.h', { count: ms / 3_600_000 });
  if (ms >= 60_000 && ms % 30_000 === 0) return t('clock.min', { count: ms / 60_000 });
  return t('clock.s', { count: Math.round(ms / 100) / 10 });
}
