// Playing a person: at once if somebody waits, else in a new room, until somebody joins or is found to wait elsewhere.

import { computed, effect, untracked } from '@preact/signals';
import type { App } from '../main.tsx';
import { roomPath } from '../net/address.ts';
import { ServerError } from '../net/connection.ts';
import type { LiveRoom } from '../net/rooms.ts';
import type { Asked, Seek } from '../types/page.d.ts';
import { oneAtATime } from './createMessage.ts';
import { olderSeek } from './quickStart.ts';

/** Joins whoever has waited longest; else waits, in this player's open room if there is one. */
export async function playPerson(app: App, seeks: Seek[], message: Asked) {
  let seated: LiveRoom | null = null;
  const found = await app.attempt(async () => {
    for (const seek of seeks) seated ??= await sitDown(app, seek.room);
  });
  if (seated || !found) return;
  const me = app.connection.player?.id;
  const own = app.lobby.state?.seeks.find((seek) => seek.game === message.game && seek.by.id === me);
  if (own) app.enter(own.room);
  else await app.attempt(async () => joinOlder(app, await app.make(message)));
}

/**
 * Two players who ask at the same moment do not see each other, and each wait in a room of their own: the one with the
 * younger room then joins the other. If that seat is refused, they go on waiting.
 */
function joinOlder(app: App, own: LiveRoom) {
  const { room } = own.state;
  let tried: string | undefined;
  const only = oneAtATime();
  const waits = computed(() => !own.state.game.started && app.path === roomPath(room));
  const move = async (older: string) => {
    tried = older;
    if (!(await sitDown(app, older)) || own.state.game.started) return;
    await app.rooms.act(own, 'abort');
    app.rooms.leave(room);
  };
  effect(() => (waits.value ? untracked(() => app.lobby.follow()) : undefined));
  effect(() => {
    const older = waits.value && olderSeek(app.lobby.state, room);
    if (older && older !== tried) untracked(() => void only(() => app.attempt(() => move(older))));
  });
}

/** Null if the seat is not free any more. */
async function sitDown(app: App, room: string) {
  try {
    return await app.arrive(app.rooms.join({ room }));
  } catch (error) {
    // Taken, gone, or cancelled since the list was made.
    if (error instanceof ServerError && /seat_taken|not_found|game_over/.test(error.code)) return null;
    throw error;
  }
}
