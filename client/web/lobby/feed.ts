// The lobby's state from the server's `lobby` messages: complete while a view follows it, else only challenges.

import type { Connection } from '../net/connection.ts';
import { observe } from '../net/observe.ts';
import type { Lobby, Seek, ServerMessage } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';

export class LobbyFeed {
  connection: Connection;
  /** The last message about the whole lobby. */
  declare state: Lobby | null;
  /** Challenges to this player, known in every view. */
  declare challenges: Seek[];
  /** Players whose challenges only the lobby shows from now on: one of theirs was declined or dismissed. */
  declare quiet: string[];
  followers = 0;

  /** @param challenged is called with each new challenge to be shown at once */
  constructor(connection: Connection, challenged: (challenge: Seek) => void) {
    observe(this, { state: null, challenges: [], quiet: [] });
    this.connection = connection;
    const message = ({ detail }: CustomEvent<ServerMessage>) => {
      if (detail.t === 'lobby') this.#receive(detail, challenged);
    };
    listen(connection, { open: () => this.#ask(), message });
  }

  /** @returns a function that ends it */
  follow() {
    if (!this.followers++) this.#ask();
    return () => {
      if (!--this.followers) this.#ask();
    };
  }

  /** The first challenge to be shown outside the lobby. */
  get urgent() {
    return this.challenges.find((challenge) => this.#isUrgent(challenge));
  }

  putOff(challenge: Seek) {
    this.quiet = [...this.quiet, challenge.by.id];
  }

  /** Declines a challenge. */
  decline(challenge: Seek) {
    this.putOff(challenge);
    return this.connection.request({ t: 'act', room: challenge.room, game: 1, action: 'decline_challenge' });
  }

  #receive(lobby: Lobby, challenged: (challenge: Seek) => void) {
    const before = new Set(this.challenges.map(({ room }) => room));
    if (!lobby.only) this.state = lobby;
    this.challenges = lobby.challenges.filter(({ by }) => by.id !== this.connection.player?.id);
    const fresh = this.challenges.filter((challenge) => !before.has(challenge.room) && this.#isUrgent(challenge));
    for (const challenge of fresh) challenged(challenge);
  }

  #isUrgent(challenge: Seek) {
    return !this.quiet.includes(challenge.by.id);
  }

  #ask() {
    const only = this.followers ? {} : { only: 'challenges' as const };
    this.connection.request({ t: 'lobby', on: true, ...only }).catch(() => {}); // asked again after a reconnect
  }
}
