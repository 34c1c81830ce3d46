// What the lobby knows: kept by the server's `lobby` messages, asked for only while a view wants them.

import type { Connection } from '../net/connection.ts';
import { observe } from '../net/observe.ts';
import type { Lobby, ServerMessage } from '../types/page.d.ts';

export class LobbyFeed {
  connection: Connection;
  /** The last message. */
  declare state: Lobby | null;
  followers = 0;

  constructor(connection: Connection) {
    observe(this, { state: null });
    this.connection = connection;
    connection.addEventListener('open', () => {
      if (this.followers) this.ask(true);
    });
    connection.addEventListener('message', (e) => {
      const message = (e as CustomEvent<ServerMessage>).detail;
      if (message.t !== 'lobby') return;
      this.state = message;
    });
  }

  /** @returns what ends it */
  follow() {
    if (!this.followers++) this.ask(true);
    return () => {
      if (!--this.followers) this.ask(false);
    };
  }

  ask(on: boolean) {
    this.connection.request({ t: 'lobby', on }).catch(() => {}); // asked again when the line is back
  }
}
