// What bots found in a room's game: told with their moves, and from the record where this page came later.

import { useEffect, useState } from 'preact/hooks';
import { getJson, searchesOf } from '../net/catalog.ts';
import type { Change } from '../net/rooms.ts';
import type { Search } from '../types/page.d.ts';
import { token } from '../ui/settings.ts';
import type { Hand } from './hand.ts';

/** By ply; empty for who does not want to know. */
export function useSearches({ room, likes }: Hand): Record<number, Search> {
  const [recorded, setRecorded] = useState<Record<number, Search>>({});
  useEffect(() => {
    let wanted = true;
    const load = async () => {
      const { game, seats, searches } = room.state;
      const bots = seats.x?.kind === 'bot' || seats.o?.kind === 'bot';
      if (!bots || game.id === null || !game.moves.length || Object.keys(searches ?? {}).length) return;
      const record = await getJson(`/api/games/${game.id}`, token()).catch(() => null);
      if (wanted && record && room.state.game.id === game.id) setRecorded(searchesOf(record));
    };
    const changed = (event: Event) => {
      const { kind, event: what } = (event as CustomEvent<Change>).detail;
      if (what?.e === 'started' || what?.e === 'takenback') setRecorded({});
      // In a rated game they are told when it is over.
      if (kind === 'snapshot' || what?.e === 'ended') void load();
    };
    void load();
    room.addEventListener('change', changed);
    return () => {
      wanted = false;
      room.removeEventListener('change', changed);
    };
  }, [room]);
  return likes.thoughts ? { ...recorded, ...room.state.searches } : {};
}
