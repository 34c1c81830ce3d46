// @ts-check
// What the lobby knows: kept by the server's `lobby` messages, asked for only while a view wants them.

export class LobbyFeed extends EventTarget {
  /** @param {import('../net/connection.js').Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {import('../types/page.js').Lobby|null} */
    this.state = null;
    /** @type {Set<object>} */
    this.wanted = new Set();
    connection.addEventListener('open', () => {
      if (this.wanted.size) this.ask(true);
    });
    connection.addEventListener('message', (e) => {
      const message = /** @type {CustomEvent<import('../types/page.js').ServerMessage>} */ (e).detail;
      if (message.t !== 'lobby') return;
      this.state = message;
      this.dispatchEvent(new Event('change'));
    });
  }

  /** @param {object} view @param {boolean} on */
  want(view, on) {
    const before = this.wanted.size;
    if (on) this.wanted.add(view);
    else this.wanted.delete(view);
    if (!before !== !this.wanted.size) this.ask(on);
  }

  /** @param {boolean} on */
  ask(on) {
    this.connection.request({ t: 'lobby', on }).catch(() => {}); // asked again when the line is back
  }
}
