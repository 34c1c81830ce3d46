// What the lobby knows: kept by the server's `lobby` messages, asked for only while a view wants them.

import type { Connection } from '../net/connection.ts';
import { observe } from '../net/observe.ts';
import type { Lobby, ServerMessage } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';

export class LobbyFeed {
  connection: Connection;
  /** The last message. */
  declare state: Lobby | null;
  followers = 0;

  constructor(connection: Connection) {
    observe(this, { state: null });
    this.connection = connection;
    const open = () => this.followers && this.ask(true);
    const message = ({ detail }: CustomEvent<ServerMessage>) => {
      if (detail.t === 'lobby') this.state = detail;
    };
    listen(connection, { open, message });
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
