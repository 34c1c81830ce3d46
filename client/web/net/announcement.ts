// The server operator's announcement, until it is dismissed or expires.

import { signal } from '@preact/signals';
import type { Connection, Message } from './connection.ts';

/** The server repeats it with each greeting; a dismissed one stays hidden. */
export class Announcement {
  readonly #text = signal('');
  #dismissed = '';

  /** @param told is called with each new one */
  constructor(connection: Pick<Connection, 'addEventListener'>, told: (text: string) => void) {
    connection.addEventListener('message', (e) => {
      const message = (e as CustomEvent<Message>).detail;
      if (message.t === 'announcement') this.#receive(message.text, told);
    });
  }

  /** Empty if there is none. */
  get text() {
    return this.#text.value;
  }

  dismiss() {
    this.#dismissed = this.#text.peek();
    this.#text.value = '';
  }

  #receive(text: string, told: (text: string) => void) {
    if (text && text === this.#dismissed) return;
    if (text && text !== this.#text.peek()) told(text);
    this.#dismissed = '';
    this.#text.value = text;
  }
}
