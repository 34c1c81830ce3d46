// The page's only websocket: says hello, numbers requests and resolves their promises, notices a dead connection and
// reconnects by itself.
//
//   stopped --start()--> connecting --welcome--> open --lost--> waiting --timer, online, wake--> connecting ...
//   connecting --refused--> stopped --retry by the user, online, wake--> connecting ...

import { t } from '../i18n/language.ts';
import type { Player, RefusedField, Reply, Request, ServerMessage, Welcome } from '../types/page.d.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { refusal } from './errors.ts';
import { observe } from './observe.ts';

export type Message = ServerMessage;

const FIRST_DELAY_MS = 400;
const LONGEST_DELAY_MS = 15_000;
const PING_EVERY_MS = 15_000;
const SILENCE_MS = 8_000; // after a ping without any frame back, the connection counts as dead
const WOKEN_MS = 4_000; // the same when the user comes back to the page and waits
const ANSWER_MS = 2_000; // a request without an answer by then casts doubt on the connection
const GREETING_MS = 10_000; // a network that swallows packets would keep a socket connecting for minutes
const STEADY_MS = 5_000; // a connection that breaks sooner than this does not reset the backoff
/** Refused greetings that are retried automatically; after any other, only when the user asks. */
const PASSING = ['unauthorised', 'too_fast', 'busy', 'unavailable', 'shutting_down'];

/** A refusal by the server. */
export class ServerError extends Error {
  code: string;
  room: string | null;
  field: RefusedField | null;

  /** @param room the room that refused, if any @param field of the request that is to blame, if any */
  constructor(code: string, message: string, room: string | null = null, field: RefusedField | null = null) {
    super(refusal(code, message));
    this.code = code;
    this.room = room;
    this.field = field;
  }
}

/** The connection broke before an answer came, or there is none at the moment. */
export class ConnectionLost extends Error {
  constructor() {
    super(t('errors.lost'));
  }
}

/** The page has changed its identity since the request. */
export class AnotherPlayer extends Error {
  constructor() {
    super(t('tabs.became'));
  }
}

type Identity = { token: () => string | null; setToken: (token: string | null) => void; guestName: () => string };

/** `state`, `player`, `rooms`, `failures`, `lag_ms` and `refused` are signals for components. */
export class Connection extends EventTarget {
  declare state: 'stopped' | 'connecting' | 'open' | 'waiting';
  declare player: Player | null;
  /** Rooms where this player has a seat, as of the last greeting. */
  declare rooms: string[];
  declare failures: number;
  declare lag_ms: number;
  /** Why the server refuses to greet this page, while the page does not retry by itself. */
  declare refused: ServerError | null;
  url: string;
  identity: Identity;
  greetings = 0;
  /** The token of the last greeting; another tab may have stored another one since. */
  greetedWith: string | null = null;
  /** When the server made this page a guest, by monotonicMs(); null if the player was known or chose a name. */
  madeAt: number | null = null;
  /** When the next try is made, by monotonicMs(). */
  retryAt = 0;
  /** When the connection was lost, by monotonicMs(); null before the first one, and soon after it is back. */
  lostAt: number | null = null;
  socket: WebSocket | null = null;
  nextId = 1;
  pending = new Map<number, { resolve: (message: Message) => void; reject: (error: Error) => void }>();
  openedAt = 0;
  timer = 0;
  silenceTimer = 0;
  doubtTimer = 0;
  pingTimer = 0;
  /** A name chosen while there was no connection. */
  newName: string | null = null;
  /** Server time minus monotonicMs(), and the round trip of that measurement. */
  serverClock: { delta: number; rtt: number } | null = null;

  constructor(url: string, identity: Identity) {
    super();
    observe(this, { state: 'stopped', player: null, rooms: [], failures: 0, lag_ms: 0, refused: null });
    this.url = url;
    this.identity = identity;
  }

  start() {
    // A phone that wakes, or a network that is back, should not sit out the rest of a long delay.
    window.addEventListener('online', () => this.retryNow());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible') return;
      if (this.state === 'open') this.ping(WOKEN_MS);
      else this.retryNow();
    });
    if (!this.socket) this.connect();
  }

  /** Makes requests wait for `start` instead of failing. */
  hold() {
    this.state = 'connecting';
  }

  /** Reconnects with this token; null for a new guest. */
  become(token: string | null) {
    this.identity.setToken(token);
    this.newName = null;
    this.player = null;
    this.madeAt = null;
    this.rooms = [];
    this.leave(); // what still arrives on the old connection is for another identity
    this.failures = 0;
    this.greetings = 0;
    this.connect();
  }

  retryNow() {
    if (this.state === 'waiting' || this.refused) this.connect();
  }

  /** Resolves after the server's welcome. */
  async ready() {
    if (this.state !== 'open') await new Promise((resolve) => this.addEventListener('open', resolve, { once: true }));
  }

  /**
   * Sends a request and waits for its answer. Rejects with ServerError or ConnectionLost.
   * @param as the player whose request it is, if it must not be sent for another one after a change of identity
   */
  async request<R extends Request>(message: R, as: string | null = null): Promise<Reply<R>> {
    // A click before the greeting is complete is not an error.
    while (this.state === 'connecting') {
      await new Promise((resolve) => this.addEventListener('state', resolve, { once: true }));
    }
    if (this.state !== 'open') throw this.refused ?? new ConnectionLost();
    if (as !== null && this.player?.id !== as) throw new AnotherPlayer();
    this.doubtTimer ||= window.setTimeout(() => this.ping(WOKEN_MS), ANSWER_MS);
    return this.send(message);
  }

  send<R extends Request>(message: R): Promise<Reply<R>> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      // The protocol says which message answers which request.
      this.pending.set(id, { resolve: resolve as (message: object) => void, reject });
      this.socket?.send(JSON.stringify({ ...message, id }));
    });
  }

  async rename(name: string) {
    if (this.state !== 'open') {
      this.newName = name;
      throw new ConnectionLost();
    }
    this.newName = null;
    this.madeAt = null;
    this.welcomed(await this.send({ t: 'hello', v: 1, name }));
    this.changed();
  }

  /** The server's clock now in Unix milliseconds, or null if unknown. The device's own may be hours wrong. */
  serverNow() {
    return this.serverClock ? monotonicMs() + this.serverClock.delta : null;
  }

  // Internals

  connect() {
    clearTimeout(this.timer);
    this.state = 'connecting';
    this.refused = null;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => void this.greet(socket);
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(event.data);
    };
    socket.onclose = () => this.lost(socket);
    this.timer = window.setTimeout(() => this.drop(socket), GREETING_MS);
    this.changed();
  }

  async greet(socket: WebSocket) {
    try {
      await this.hello(socket);
    } catch (error) {
      if (!(error instanceof ServerError) || socket !== this.socket) return;
      if (!PASSING.includes(error.code)) return this.stop(error);
      // The page shows the refusal as an error, and the connection is retried.
      this.refuse(error);
      return this.drop(socket);
    }
    clearTimeout(this.timer);
    this.openedAt = monotonicMs();
    this.greetings += 1;
    this.state = 'open';
    this.changed();
    this.dispatchEvent(new Event('open'));
    this.lostAt = null;
    // Chosen during the greeting.
    if (this.newName !== null) this.rename(this.newName).catch((error) => this.refuse(error));
    this.ping();
    this.pingTimer = window.setInterval(() => this.ping(), PING_EVERY_MS);
  }

  async hello(socket: WebSocket) {
    for (let attempt = 0; ; attempt++) {
      try {
        // Several tabs opened at once become one new guest, not one each.
        return this.identity.token() ? await this.introduce(socket) : await oneTabAtATime(() => this.introduce(socket));
      } catch (error) {
        if (!(error instanceof ServerError) || attempt >= 2) throw error;
        const token = this.greetedWith;
        if (error.code === 'unauthorised' && token) {
          if (this.identity.token() !== token) continue; // another tab has changed the identity already
          // The server does not know this player (a new database, say): begin as a new guest, and say so.
          this.identity.setToken(null);
          this.dispatchEvent(new CustomEvent('forgotten'));
        } else if (error.code === 'bad_name' && this.newName) this.newName = null;
        else throw error;
      }
    }
  }

  /** Says hello with the present token. */
  async introduce(socket: WebSocket) {
    if (socket !== this.socket) throw new ConnectionLost(); // waited too long for another tab
    const token = this.identity.token();
    // A name chosen offline belongs to the identity of that time.
    if (token && this.greetedWith && token !== this.greetedWith) this.newName = null;
    this.greetedWith = token;
    const name = this.newName ?? (token ? null : this.identity.guestName());
    const welcome = await this.send({ t: 'hello', v: 1, ...(token && { token }), ...(name && { name }) });
    if (welcome.token) this.madeAt = this.newName === null ? monotonicMs() : null;
    if (this.newName === name) this.newName = null;
    this.welcomed(welcome);
  }

  welcomed(message: Welcome) {
    if (message.token) {
      // If another tab has stored an identity meanwhile, that one stays and this tab adopts it.
      if (!this.identity.token()) this.identity.setToken(message.token);
      this.greetedWith = message.token;
    }
    this.player = message.player;
    this.rooms = message.rooms ?? [];
  }

  /** Drops a connection at once: a dead one may take minutes to report its close. */
  drop(socket: WebSocket) {
    socket.close();
    this.lost(socket);
  }

  /** Gives up until the user retries: a banned player would be refused every few seconds. */
  stop(refused: ServerError) {
    this.leave();
    this.refused = refused;
    this.state = 'stopped';
    this.changed();
  }

  leave() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.letGo();
  }

  lost(socket: WebSocket) {
    if (socket !== this.socket) return;
    this.socket = null;
    if (this.state === 'open' && monotonicMs() - this.openedAt > STEADY_MS) this.failures = 0;
    this.letGo();
    if (this.state === 'open') this.lostAt = monotonicMs();
    // Half of the delay is random, so that a thousand pages do not come back at the same instant.
    const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.failures);
    const delay = ceiling / 2 + Math.random() * (ceiling / 2);
    this.failures += 1;
    this.state = 'waiting';
    this.retryAt = monotonicMs() + delay;
    this.timer = window.setTimeout(() => this.connect(), delay);
    this.changed();
  }

  /** Nothing more is expected from the connection. */
  letGo() {
    clearTimeout(this.timer);
    clearInterval(this.pingTimer);
    this.heard();
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of pending) reject(new ConnectionLost());
  }

  /** The connection is alive, or nothing is expected from it. */
  heard() {
    clearTimeout(this.silenceTimer);
    clearTimeout(this.doubtTimer);
    this.silenceTimer = this.doubtTimer = 0;
  }

  receive(data: string) {
    this.heard();
    let message: Message & { id?: number | null; ts?: number | null };
    try {
      message = JSON.parse(data);
    } catch {
      return; // Unknown frames of a later version are ignored.
    }
    if (typeof message.ts === 'number' && message.t === 'room' && !this.serverClock) {
      this.serverClock = { delta: message.ts - monotonicMs(), rtt: Infinity };
    }
    // Listeners come before the promise: whoever awaits the answer finds the state updated.
    this.dispatchEvent(new CustomEvent('message', { detail: message }));
    const id = message.id ?? 0; // our numbers begin at 1
    const waiting = this.pending.get(id);
    if (waiting) {
      this.pending.delete(id);
      if (message.t === 'error')
        waiting.reject(new ServerError(message.code, message.message, message.room, message.field));
      else waiting.resolve(message);
    } else if (message.t === 'error' && message.game === undefined)
      this.refuse(new ServerError(message.code, message.message));
  }

  /** @param within_ms how long the connection may stay silent */
  ping(within_ms: number = SILENCE_MS) {
    const socket = this.socket;
    if (!socket || this.state !== 'open') return;
    const sent = monotonicMs();
    if (within_ms < SILENCE_MS || !this.silenceTimer) {
      clearTimeout(this.silenceTimer);
      this.silenceTimer = window.setTimeout(() => this.drop(socket), within_ms);
    }
    this.send({ t: 'ping', ts: Date.now() }).then(
      (pong) => {
        const now = monotonicMs();
        const rtt = now - sent;
        this.lag_ms = Math.max(1, Math.round(rtt));
        const delta = pong.server_ms - (sent + now) / 2;
        // The shortest round trip is the most precise, unless the two contradict each other: then this device has
        // slept.
        const best = this.serverClock;
        if (!best || rtt <= best.rtt || Math.abs(delta - best.delta) > rtt / 2 + 250) this.serverClock = { delta, rtt };
      },
      () => {},
    );
  }

  refuse(error: unknown) {
    this.dispatchEvent(new CustomEvent('refused', { detail: error }));
  }

  changed() {
    this.dispatchEvent(new Event('state'));
  }
}

/** Runs `work` while no other tab of this browser does, as far as the browser can tell. */
async function oneTabAtATime<T>(task: () => Promise<T>): Promise<T> {
  let begun = false;
  const first = () => {
    begun = true;
    return task();
  };
  try {
    return await navigator.locks.request('noughts.hello', first);
  } catch (error) {
    if (begun) throw error;
    return task(); // no locks: not a secure context, or storage is denied
  }
}
