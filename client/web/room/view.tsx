// The page of a room: enters it, retries after a lost connection, and shows it once it and its rules are loaded.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { roomPath } from '../net/address.ts';
import { ConnectionLost, ServerError } from '../net/connection.ts';
import type { LiveRoom } from '../net/rooms.ts';
import { Button } from '../ui/button.tsx';
import { readHere, writeHere } from '../ui/storage.ts';
import { Lost } from '../ui/unloaded.tsx';
import { useApp } from '../ui/view.tsx';
import { Hand } from './hand.ts';
import { Table } from './table.tsx';

/** @param id null in old links, which have only the code @param code opens an invite room */
export function RoomPage({ id, code }: { id: string | null; code: string | null }) {
  const app = useApp();
  const place = useRef<HTMLDivElement>(null);
  const [hand, setHand] = useState<Hand | null>(null);
  const [failed, setFailed] = useState(false);
  /** The room whose seats are taken, and whether the user chose to watch. */
  const [taken, setTaken] = useState<string | null>(null);
  const [looksOn, setLooksOn] = useState(readHere('watched') === (id ?? '')); // a reload does not ask again
  useEffect(() => {
    let room: LiveRoom | null = null;
    let here = true;
    const open = async () => {
      try {
        const entered = await enter(app, taken ?? id, code, looksOn, () => here);
        if (!here || !entered) return entered && app.leaveQuietly(entered.room);
        room = entered.room;
        showAddress(app, room.state.room, room.code);
      } catch (error) {
        if (!here) return;
        if (error instanceof ServerError && error.code === 'seat_taken' && error.room) {
          setTaken(error.room);
          showAddress(app, error.room, code);
        } else app.missing(error, t(id ? 'room.missing' : 'room.missing.code'));
        return;
      }
      try {
        const rules = await app.catalog.rules(room.state.game.game);
        if (here) setHand(new Hand(app, room, rules));
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
  }, [id, code, looksOn]);
  useEffect(() => {
    if (hand || taken) app.settle(place.current?.querySelector('h1') ?? null);
  }, [hand, taken]);
  return (
    <div class="view" ref={place}>
      {hand ? (
        <Table hand={hand} />
      ) : taken && !looksOn ? (
        // For a third person with the invitation.
        <Lost title={t('room.taken')} sentence={t('room.taken.watch')}>
          <Button
            say="lobby.watch"
            class="primary"
            act={() => {
              writeHere('watched', taken);
              setLooksOn(true);
            }}
          />
        </Lost>
      ) : (
        <div class="room loading">
          <h1 tabIndex={-1}>{t('room.opening')}</h1>
          {failed && <Button say="page.again" act={() => app.show(location.pathname + location.hash)} />}
        </div>
      )}
    </div>
  );
}

/** Follows the room, and takes a free seat if it is an invitation. */
async function enter(app: App, id: string | null, code: string | null, looksOn: boolean, wanted: () => boolean) {
  const { connection, rooms } = app;
  while (wanted()) {
    await connection.ready();
    try {
      const room = rooms.live.get(id ?? '');
      if (room && (room.state.you || !code || looksOn)) return { room };
      return { room: code && !looksOn ? await accept(app, code) : await rooms.watch(id ?? '', code) };
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }
  return null;
}

/** Takes the seat of an invitation, or shows how its game ended. */
async function accept({ rooms }: App, code: string) {
  try {
    return await rooms.join({ code });
  } catch (error) {
    if (!(error instanceof ServerError) || error.code !== 'game_over' || !error.room) throw error;
    return await rooms.watch(error.room, code);
  }
}

/** Whatever address was used, the shown one works for a friend too. */
function showAddress(app: App, id: string, code: string | null) {
  const path = roomPath(id, code);
  if (location.pathname + location.hash !== path) app.readdress(path);
}
