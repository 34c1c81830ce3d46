// The bars above and below the board: players and clocks.

import { botFullName } from '../i18n/botWords.ts';
import { joined, t } from '../i18n/language.ts';
import type { ClockView, Marks, RoomState, Seat, Side } from '../types/page.d.ts';
import { useTick } from '../ui/listen.ts';
import { Mark } from '../ui/mark.tsx';
import { PlayerLink } from '../ui/names.tsx';
import { useApp } from '../ui/view.tsx';
import { clockText, remaining_ms } from './clock.ts';
import { isRunning } from './state.ts';
import { ratingWords } from './words.ts';

/** How often countdowns are updated. */
export const CLOCK_MS = 100;
const LOW_MS = 10_000;

export function PlayerBar({ state, side, marks }: { state: RoomState; side: Side; marks: Marks }) {
  const { clock, game } = state;
  const seat = state.seats[side];
  return (
    <div
      class={joined([
        'bar',
        game.to_move === side && isRunning(state) && 'to-move',
        game.result?.winner === side && 'winner',
      ])}
    >
      <span class="bar-mark">
        <Mark side={side} />
      </span>
      <span class="bar-who">{seat ? <Who seat={seat} isYou={state.you === side} /> : <em>{t('seat.free')}</em>}</span>
      {clock && (
        <Clock
          clock={clock}
          side={side}
          ts={state.ts}
          over={game.result !== null}
          label={t('seat.clock', { mark: marks[side] })}
        />
      )}
    </div>
  );
}

function Who({ seat, isYou }: { seat: Seat; isYou: boolean }) {
  const away = !seat.present; // this server's bots are always there, network bots are not
  const plays = seat.bot && seat.bot !== seat.name ? botFullName(seat.bot) : seat.kind === 'bot' ? t('seat.bot') : null;
  const notes = [isYou && t('seat.you'), plays, seat.rating && ratingWords(seat.rating), away && t('seat.away')];
  const told = joined(notes, ' · ');
  return (
    <>
      <PlayerLink player={seat} />
      {told && <small class={away ? 'away' : undefined}>{told}</small>}
    </>
  );
}

function Clock(props: { clock: ClockView; side: Side; ts: number; over: boolean; label: string }) {
  const { clock, side, ts, over, label } = props;
  const app = useApp();
  const runs = clock.running === side && !over;
  useTick(runs ? CLOCK_MS : null);
  const left_ms = remaining_ms(clock, side, ts, over ? null : app.connection.serverNow());
  return (
    <span class={runs && left_ms < LOW_MS ? 'bar-clock low' : 'bar-clock'} role="timer" aria-label={label}>
      {clockText(left_ms)}
    </span>
  );
}
