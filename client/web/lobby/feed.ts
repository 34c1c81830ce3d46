// What the lobby knows: kept by the server's `lobby` messages, asked for only while a view wants them.

import { signal } from '@preact/signals';
import type { Connection } from '../net/connection.ts';
import type { Lobby, ServerMessage } from '../types/page.d.ts';

export class LobbyFeed extends EventTarget {
  connection: Connection;
  readonly #state = signal<Lobby | null>(null);
  wanted: Set<object>;

  constructor(connection: Connection) {
    super();
    this.connection = connection;
    this.wanted = new Set();
    connection.addEventListener('open', () => {
      if (this.wanted.size) this.ask(true);
    });
    connection.addEventListener('message', (e) => {
      const message = (e as CustomEvent<ServerMessage>).detail;
      if (message.t !== 'lobby') return;
      this.#state.value = message;
      this.dispatchEvent(new Event('change'));
    });
  }

  /** The last message; a component that reads it is drawn again with the next. */
  get state() {
    return this.#state.value;
  }

  want(view: object, on: boolean) {
    const before = this.wanted.size;
    if (on) this.wanted.add(view);
    else this.wanted.delete(view);
    if (!before !== !this.wanted.size) this.ask(on);
  }

  ask(on: boolean) {
    this.connection.request({ t: 'lobby', on }).catch(() => {}); // asked again when the line is back
  }
}
