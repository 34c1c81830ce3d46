// The page of a room: enters it, tries again where the line breaks, and shows it when it and its rules are here.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { ConnectionLost } from '../net/connection.ts';
import { isTaken, type LiveRoom } from '../net/rooms.ts';
import { useApp } from '../ui/view.tsx';
import { roomPath } from './address.ts';
import { Hand } from './hand.ts';
import { isRunning } from './state.ts';
import { Table } from './table.tsx';

/** @param code opens an invite room */
export function RoomPage({ id, code }: { id: string; code: string | null }) {
  const app = useApp();
  const place = useRef<HTMLDivElement>(null);
  const [hand, setHand] = useState<Hand | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let room: LiveRoom | null = null;
    let here = true;
    const open = async () => {
      try {
        const entered = await enter(app, id, code, () => here);
        if (!here || !entered) return entered && app.leaveQuietly(entered.room);
        room = entered.room;
        showAddress(app, room);
      } catch (error) {
        if (here) app.missing(error, t('room.missing'));
        return;
      }
      try {
        const rules = await app.catalog.rules(room.state.game.game);
        if (here) setHand(withHint(new Hand(app, room, rules)));
      } catch (error) {
        app.fail(error);
        setFailed(true);
      }
    };
    void open();
    return () => {
      here = false;
      if (room) app.leaveQuietly(room);
    };
  }, [id, code]);
  useEffect(() => {
    if (hand) app.settle(place.current?.querySelector('h1') ?? null);
  }, [hand]);
  return (
    <div class="view" ref={place}>
      {hand ? (
        <Table hand={hand} />
      ) : (
        <div class="room loading">
          <h1 tabIndex={-1}>{t('room.opening')}</h1>
          {failed && (
            <button type="button" onClick={() => app.show(location.pathname + location.hash)}>
              {t('page.again')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Follows the room, sitting down where it is an invitation with a free seat. */
async function enter(app: App, id: string, code: string | null, wanted: () => boolean) {
  const { connection, rooms } = app;
  while (wanted()) {
    await connection.ready();
    try {
      const room = rooms.live.get(id);
      if (room && (room.state.you || !code)) return { room };
      return { room: code ? await accept(app, id, code) : await rooms.watch(id, null) };
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }
  return null;
}

/** Takes the seat of an invitation, or looks on where it is taken. */
async function accept({ rooms }: App, id: string, code: string) {
  try {
    return await rooms.join({ code });
  } catch (error) {
    if (!isTaken(error)) throw error;
    return await rooms.watch(id, code);
  }
}

/** Whatever address led here, the one that is shown leads a friend here too. */
function showAddress(app: App, { code, state }: LiveRoom) {
  const path = roomPath(state.room, code);
  if (location.pathname + location.hash !== path) app.readdress(path);
}

function withHint(hand: Hand) {
  const { state } = hand.room;
  if (hand.room.code && !state.you && isRunning(state)) hand.hint.value = t('room.full');
  return hand;
}
