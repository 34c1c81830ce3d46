// @ts-check
// The review of one game: what is stored of it, asking for the rest, and how far that is.
//
//   idle --start--> asking --ack, first moves--> running --last moves--> done
//   asking, running --line breaks--> lost --line is back--> asking
//   asking, running, lost --cancel--> cancelled; refused where the server says no. start() leads on from both.

import { t } from '../i18n/language.js';
import { getJson } from '../net/catalog.js';
import { ConnectionLost } from '../net/connection.js';

/** @typedef {import('../types/page.js').JudgedMove} Judged */
/** @typedef {'idle'|'asking'|'running'|'lost'|'done'|'cancelled'|'refused'} Phase */

const SILENT_MS = 8_000; // then the page says why it may take long
const DEAD_MS = 45_000; // then it asks again: the server answers with all that there is, or says what is wrong

export class Review extends EventTarget {
  /**
   * Tells `change` whenever something did.
   * @param {import('../net/connection.js').Connection} connection @param {string} game the id in the records
   */
  constructor(connection, game) {
    super();
    this.connection = connection;
    this.game = Number(game);
    /** @type {Phase} */
    this.phase = 'idle';
    /** By ply. @type {Map<number, Judged>} */
    this.moves = new Map();
    this.of = 0;
    /** Why the server refused. */
    this.sentence = '';
    /** Whether nothing has come for a while. */
    this.silent = false;
    this.onmessage = (/** @type {Event} */ e) =>
      this.receive(/** @type {CustomEvent<import('../types/page.js').ServerMessage>} */ (e).detail);
    this.onstate = () => {
      if (this.connection.state === 'waiting' && this.busy) this.enter('lost');
    };
    this.onopen = () => {
      if (this.phase === 'lost') void this.start();
    };
    connection.addEventListener('message', this.onmessage);
    connection.addEventListener('state', this.onstate);
    connection.addEventListener('open', this.onopen);
  }

  /** Whoever leaves the page waits no longer. */
  close() {
    clearTimeout(this.timer);
    this.connection.removeEventListener('message', this.onmessage);
    this.connection.removeEventListener('state', this.onstate);
    this.connection.removeEventListener('open', this.onopen);
    if (this.busy) this.forget();
  }

  get busy() {
    return this.phase === 'asking' || this.phase === 'running';
  }

  get done() {
    return this.moves.size;
  }

  /**
   * Shows what is stored, without asking for work. Where that fails there is nothing to show.
   * @param {string|null} token
   */
  async load(token) {
    const stored = await getJson(`/api/games/${this.game}/review`, token).catch(() => null);
    if (!stored || this.phase !== 'idle') return;
    this.take(stored);
    if (this.of && this.done >= this.of) this.enter('done');
    else this.changed();
  }

  async start() {
    if (this.busy || this.phase === 'done') return;
    this.enter('asking');
    try {
      await this.connection.request({ t: 'review', game: this.game });
      if (this.phase === 'asking') this.enter('running');
    } catch (error) {
      if (!this.busy) return; // cancelled meanwhile
      if (error instanceof ConnectionLost) this.enter('lost');
      else this.refuse(/** @type {{code?: string, message: string}} */ (error));
    }
  }

  cancel() {
    if (this.busy) this.forget();
    this.enter('cancelled');
  }

  // Inside

  forget() {
    this.connection.request({ t: 'cancel_review', game: this.game }).catch(() => {}); // a broken line ends it as well
  }

  /** @param {{code?: string, message: string}} error */
  refuse(error) {
    const old = error.code === 'unknown_type' || error.code === 'malformed';
    this.sentence = old ? t('review.old') : error.message;
    this.enter('refused');
  }

  /** @param {import('../types/page.js').ServerMessage} message */
  receive(message) {
    if (!('game' in message) || message.game !== this.game) return;
    // Not an answer: the work broke off.
    if (message.t === 'error' && message.id === undefined && this.busy) this.refuse(message);
    if (message.t !== 'review') return;
    this.take(message);
    if (message.done >= message.of) this.enter('done');
    else if (this.busy) this.enter('running');
    else this.changed();
  }

  /** @param {{of?: number, moves?: Judged[]}} told */
  take(told) {
    this.of = told.of ?? this.of;
    for (const judged of told.moves ?? []) this.moves.set(judged.ply, judged);
  }

  /** @param {Phase} phase */
  enter(phase) {
    this.phase = phase;
    this.silent = false;
    clearTimeout(this.timer);
    if (this.busy) this.timer = window.setTimeout(() => this.wait(), SILENT_MS);
    this.changed();
  }

  wait() {
    this.silent = true;
    this.changed();
    this.timer = window.setTimeout(() => {
      this.phase = 'lost'; // as if it were: so that it is asked for anew
      void this.start();
    }, DEAD_MS);
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }
}
