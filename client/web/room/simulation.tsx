// A series of games between two bots, with the statistics that `noughts simulate` prints.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { botFullName } from '../i18n/botWords.ts';
import { number, t } from '../i18n/language.ts';
import { ConnectionLost, ServerError } from '../net/connection.ts';
import type { Change, LiveRoom } from '../net/rooms.ts';
import type { RoomEvent } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { NumberField } from '../ui/fields.tsx';
import { listen } from '../ui/listen.ts';
import { marks } from '../ui/settings.ts';
import { readHere, writeHere } from '../ui/storage.ts';
import { useApp } from '../ui/view.tsx';
import {
  after,
  type Figures,
  figures,
  gamesWanted,
  MOST_GAMES,
  type Series,
  type SideFigures,
  series,
  stopped,
  wantsGame,
} from './simulation.ts';
import { botCount } from './state.ts';

const AT_FIRST = '20';
/** The session storage key of the series, so that it goes on after a reload. */
const KEPT = 'series';

/** Shown only for a game of two bots that this page made, once a game is over. */
export function Simulation({ room }: { room: LiveRoom }) {
  const now = useSignal<Series | null>(room.asked && kept(room.state.room));
  const { game } = room.state;
  useSeries(room, now);
  if (botCount(room.state) < 2 || !room.asked || !(now.value || (game.result && game.started))) return null;
  const { value } = now;
  return (
    <section class="simulation stack" aria-labelledby="simulation-title">
      <h2 id="simulation-title">{t('simulate.title')}</h2>
      {value?.running ? (
        <Button say="simulate.stop" act={() => (now.value = stopped(value, room.state))} />
      ) : (
        <Asking begin={(wanted) => (now.value = series(wanted, room.state))} ready={game.result !== null} />
      )}
      {value && <p role="status">{t('simulate.progress', { played: value.games.length, wanted: value.wanted })}</p>}
      {value && <FiguresTable found={figures(value)} />}
      <p class="muted">{t('simulate.meaning')}</p>
    </section>
  );
}

function kept(room: string): Series | null {
  const series = JSON.parse(readHere(KEPT) ?? 'null');
  return series?.room === room ? series : null;
}

/** Follows the room's events, and requests one game after the other. */
function useSeries(room: LiveRoom, now: { value: Series | null; peek(): Series | null }) {
  const app = useApp();
  /** The game after which the next one was requested. */
  const asked = useRef(0);
  const mounted = useRef(true);
  const more = async (): Promise<void> => {
    const series = now.peek();
    if (!series || !mounted.current || asked.current === series.serial || !wantsGame(series, room.state)) return;
    asked.current = series.serial;
    try {
      await app.connection.request({ t: 'rematch', room: room.state.room });
    } catch (error) {
      asked.current = 0;
      if (error instanceof ConnectionLost) {
        await app.connection.ready();
        return more();
      }
      // The request before a reconnect succeeded: its game will arrive and lead to the next request.
      if (error instanceof ServerError && error.code === 'not_now') return;
      if (now.value) now.value = stopped(now.value, room.state);
      app.fail(error);
    }
  };
  const count = (event: RoomEvent | null) => {
    if (now.value) now.value = after(now.value, room.state, event);
  };
  useEffect(() => {
    const changed = ({ detail: change }: CustomEvent<Change>) => {
      if (change.kind === 'event' || change.kind === 'snapshot') count(change.event ?? null);
      void more();
    };
    mounted.current = true;
    count(null); // a game may have ended during a reload
    const end = listen(room, { change: changed });
    return () => {
      mounted.current = false;
      end();
    };
  }, [room]);
  useEffect(() => {
    if (now.value) writeHere(KEPT, JSON.stringify(now.value));
  }, [now.value]);
  // A new series requests its first game.
  useEffect(() => void more(), [now.value?.running]);
}

function Asking({ begin, ready }: { begin: (wanted: number) => void; ready: boolean }) {
  const wanted = useSignal(AT_FIRST);
  const wrong = useSignal('');
  const submit = (event: Event) => {
    event.preventDefault();
    const games = gamesWanted(wanted.value);
    wrong.value = games === null ? t('simulate.wrong', { most: MOST_GAMES }) : '';
    if (games !== null) begin(games);
  };
  return (
    <form class="submit-row" noValidate onSubmit={submit}>
      <NumberField
        name="games"
        label={t('simulate.games', { most: MOST_GAMES })}
        min={1}
        max={MOST_GAMES}
        step="1"
        value={wanted.value}
        wrong={wrong.value}
        text={(text) => {
          wanted.value = text;
        }}
      />
      <Button say="simulate.play" type="submit" disabled={!ready} />
    </form>
  );
}

function FiguresTable({ found }: { found: Figures }) {
  const mine = marks();
  const { first } = found;
  const rows: [string, string][] = [
    [t('simulate.wins', { mark: mine.x }), share(found.x.wins, found.games)],
    [t('simulate.wins', { mark: mine.o }), share(found.o.wins, found.games)],
    [t('simulate.draws'), share(found.ties, found.games)],
    [t('simulate.game'), ms(found.gameMs)],
    [t('simulate.move', { mark: mine.x }), move(found.x)],
    [t('simulate.move', { mark: mine.o }), move(found.o)],
    [t('simulate.to-win', { mark: mine.x }), average(found.x.movesToWin)],
    [t('simulate.to-win', { mark: mine.o }), average(found.o.movesToWin)],
    [t('simulate.to-end'), average(found.movesToEnd)],
  ];
  if (first) {
    const { won, drawn, lost } = first;
    rows.push([botFullName(first.name), t('simulate.bot', { won, drawn, lost })]);
    rows.push([botFullName(first.other), t('simulate.bot', { won: lost, drawn, lost: won })]);
  }
  return (
    <table class="data">
      <tbody>
        {rows.map(([what, value]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td class="num">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NONE = '–';

function share(games: number, all: number): string {
  if (!all) return NONE;
  return `${number(games)} (${number(games / all, { style: 'percent', maximumFractionDigits: 1 })})`;
}

function average(value: number | null): string {
  return value === null ? NONE : number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function ms(value: number | null): string {
  return value === null ? NONE : t('simulate.ms', { value: number(value, { maximumFractionDigits: 2 }) });
}

function move(side: SideFigures): string {
  if (side.moveMs === null) return NONE;
  return t('simulate.move.all', { ms: ms(side.moveMs), count: side.moves, all: ms(side.ms) });
}
