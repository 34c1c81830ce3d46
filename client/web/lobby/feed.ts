// What the lobby knows, kept by the server's `lobby` messages: all of it while a view wants it, else only challenges.

import type { Connection } from '../net/connection.ts';
import { observe } from '../net/observe.ts';
import type { Lobby, Seek, ServerMessage } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';

export class LobbyFeed {
  connection: Connection;
  /** The last message that was of the whole lobby. */
  declare state: Lobby | null;
  /** Those to this player, wherever one looks. */
  declare challenges: Seek[];
  /** Players whose challenges the lobby alone lists from now on: one was declined or put off. */
  declare quiet: string[];
  followers = 0;

  /** @param challenged is called with each new challenge that is to be told at once */
  constructor(connection: Connection, challenged: (challenge: Seek) => void) {
    observe(this, { state: null, challenges: [], quiet: [] });
    this.connection = connection;
    const message = ({ detail }: CustomEvent<ServerMessage>) => {
      if (detail.t === 'lobby') this.#receive(detail, challenged);
    };
    listen(connection, { open: () => this.#ask(), message });
  }

  /** @returns what ends it */
  follow() {
    if (!this.followers++) this.#ask();
    return () => {
      if (!--this.followers) this.#ask();
    };
  }

  /** Of the challenges that are to be told wherever one looks the first. */
  get urgent() {
    return this.challenges.find((challenge) => this.#isUrgent(challenge));
  }

  putOff(challenge: Seek) {
    this.quiet = [...this.quiet, challenge.by.id];
  }

  /** Who is challenged does not want to play. */
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
    this.connection.request({ t: 'lobby', on: true, ...only }).catch(() => {}); // asked again when the line is back
  }
}
