// The one websocket of the page: says hello, gives each request a number and each answer to its promise, notices a
// dead line and comes back by itself.
//
//   stopped --start()--> connecting --welcome--> open --lost--> waiting --timer, online, wake--> connecting ...
//   connecting --refused--> stopped --somebody asks again, online, wake--> connecting ...

import { t } from '../i18n/language.ts';
import type { Player, RefusedField, Reply, Request, ServerMessage, Welcome } from '../types/page.d.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { refusal } from './errors.ts';
import { observe } from './observe.ts';

export type Message = ServerMessage;

const FIRST_DELAY_MS = 400;
const LONGEST_DELAY_MS = 15_000;
const PING_EVERY_MS = 15_000;
const SILENCE_MS = 8_000; // after a ping without any frame back the line counts as dead
const WOKEN_MS = 4_000; // the same where somebody comes back to the page and waits
const ANSWER_MS = 2_000; // a request that is not answered by then casts doubt on the line
const GREETING_MS = 10_000; // a network that swallows packets would keep a socket connecting for minutes
const STEADY_MS = 5_000; // a line that breaks sooner than this was no success
/** Refusals of a greeting that pass by themselves: with any other it is not said again before somebody asks. */
const PASSING = ['unauthorised', 'too_fast', 'busy', 'unavailable', 'shutting_down'];

/** What the server refused. */
export class ServerError extends Error {
  code: string;
  room: string | null;
  field: RefusedField | null;

  /** @param room the room that refused, where one did @param field of the request, where one is to blame */
  constructor(code: string, message: string, room: string | null = null, field: RefusedField | null = null) {
    super(refusal(code, message));
    this.code = code;
    this.room = room;
    this.field = field;
  }
}

/** The line broke before an answer came, or there is none at the moment. */
export class ConnectionLost extends Error {
  constructor() {
    super(t('errors.lost'));
  }
}

/** Whoever asked is not who this page is any more. */
export class AnotherPlayer extends Error {
  constructor() {
    super(t('tabs.became'));
  }
}

type Identity = { token: () => string | null; setToken: (token: string | null) => void; guestName: () => string };

/** What a component reads of `state`, `player`, `rooms`, `failures`, `lag_ms` and `refused` draws it again. */
export class Connection extends EventTarget {
  declare state: 'stopped' | 'connecting' | 'open' | 'waiting';
  declare player: Player | null;
  /** Rooms where this player has a seat, as of the last greeting. */
  declare rooms: string[];
  declare failures: number;
  declare lag_ms: number;
  /** Why the server greets nobody here, for as long as the page does not try again by itself. */
  declare refused: ServerError | null;
  url: string;
  identity: Identity;
  greetings = 0;
  /** The token of the last greeting: another tab may have put another one into the storage since. */
  greetedWith: string | null = null;
  /** When the server made this page a guest, by monotonicMs(); null for whoever was known or took a name. */
  madeAt: number | null = null;
  /** When the next try is made, by monotonicMs(). */
  retryAt = 0;
  /** Since when there is no line, by monotonicMs(); null before the first, and soon after it is back. */
  lostAt: number | null = null;
  socket: WebSocket | null = null;
  nextId = 1;
  pending = new Map<number, { resolve: (message: Message) => void; reject: (error: Error) => void }>();
  openedAt = 0;
  timer = 0;
  silenceTimer = 0;
  doubtTimer = 0;
  pingTimer = 0;
  /** A name chosen while there was no line. */
  newName: string | null = null;
  /** Server time minus monotonicMs(), and the round trip that told it. */
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

  /** What is asked of the server waits for `start`, instead of failing. */
  hold() {
    this.state = 'connecting';
  }

  /** Comes back as who has this token; with null as a new guest. */
  become(token: string | null) {
    this.identity.setToken(token);
    this.newName = null;
    this.player = null;
    this.madeAt = null;
    this.rooms = [];
    this.leave(); // what the old line still brings is for somebody else
    this.failures = 0;
    this.greetings = 0;
    this.connect();
  }

  retryNow() {
    if (this.state === 'waiting' || this.refused) this.connect();
  }

  /** Resolves once the server has said welcome. */
  async ready() {
    if (this.state !== 'open') await new Promise((resolve) => this.addEventListener('open', resolve, { once: true }));
  }

  /**
   * Sends a request and waits for the message that answers it. Rejects with ServerError or ConnectionLost.
   * @param as the player who asks, where nobody else may: another tab may become somebody else meanwhile
   */
  async request<R extends Request>(message: R, as: string | null = null): Promise<Reply<R>> {
    // A click in the first instant, before the greeting is through, is not an error.
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
      // What the server answers to which request is the protocol's word.
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

  /** The server's clock now in Unix milliseconds, or null before anything told it. The device's may be hours wrong. */
  serverNow() {
    return this.serverClock ? monotonicMs() + this.serverClock.delta : null;
  }

  // Inside

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
      // The sentence stands in the one place for errors, and the line is tried again.
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
    // Chosen while the greeting was under way.
    if (this.newName !== null) this.rename(this.newName).catch((error) => this.refuse(error));
    this.ping();
    this.pingTimer = window.setInterval(() => this.ping(), PING_EVERY_MS);
  }

  async hello(socket: WebSocket) {
    for (let attempt = 0; ; attempt++) {
      try {
        // Several tabs that are opened at once are one new guest, not one each.
        return this.identity.token() ? await this.introduce(socket) : await oneTabAtATime(() => this.introduce(socket));
      } catch (error) {
        if (!(error instanceof ServerError) || attempt >= 2) throw error;
        const token = this.greetedWith;
        if (error.code === 'unauthorised' && token) {
          if (this.identity.token() !== token) continue; // another tab is somebody else already
          // The server does not know us (another database, say): begin as a new guest, and say so.
          this.identity.setToken(null);
          this.dispatchEvent(new CustomEvent('forgotten'));
        } else if (error.code === 'bad_name' && this.newName) this.newName = null;
        else throw error;
      }
    }
  }

  /** Says who this is, by the token as it is now. */
  async introduce(socket: WebSocket) {
    if (socket !== this.socket) throw new ConnectionLost(); // it waited for another tab too long
    const token = this.identity.token();
    // A name that was chosen without a line is for who one was then.
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
      // Who another tab became meanwhile stays, and this one follows it.
      if (!this.identity.token()) this.identity.setToken(message.token);
      this.greetedWith = message.token;
    }
    this.player = message.player;
    this.rooms = message.rooms ?? [];
  }

  /** Gives a line up at once: the close of a dead one may take minutes to be told. */
  drop(socket: WebSocket) {
    socket.close();
    this.lost(socket);
  }

  /** Gives up until somebody asks again: a player who is kept out would be refused every few seconds. */
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
    // Half of the delay is random, so that a thousand pages do not come back in the same instant.
    const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.failures);
    const delay = ceiling / 2 + Math.random() * (ceiling / 2);
    this.failures += 1;
    this.state = 'waiting';
    this.retryAt = monotonicMs() + delay;
    this.timer = window.setTimeout(() => this.connect(), delay);
    this.changed();
  }

  /** Nothing is expected of the line any more. */
  letGo() {
    clearTimeout(this.timer);
    clearInterval(this.pingTimer);
    this.heard();
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of pending) reject(new ConnectionLost());
  }

  /** The line is alive, or nothing is expected of it. */
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
      return; // Not ours: a later version may send other frames.
    }
    if (typeof message.ts === 'number' && message.t === 'room' && !this.serverClock) {
      this.serverClock = { delta: message.ts - monotonicMs(), rtt: Infinity };
    }
    // Listeners before the promise: whoever waited for the answer finds the state already changed by it.
    this.dispatchEvent(new CustomEvent('message', { detail: message }));
    const id = message.id ?? 0; // ours begin at 1
    const waiting = this.pending.get(id);
    if (waiting) {
      this.pending.delete(id);
      if (message.t === 'error')
        waiting.reject(new ServerError(message.code, message.message, message.room, message.field));
      else waiting.resolve(message);
    } else if (message.t === 'error' && message.game === undefined)
      this.refuse(new ServerError(message.code, message.message));
  }

  /** @param within_ms how long the line may stay silent then */
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
        // The shortest round trip tells best, unless the two cannot both be true: then this device has slept.
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

/** Does what no other tab of this browser may do meanwhile, as far as the browser can tell. */
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
    return task(); // no locks: not a secure address, or storage is denied
  }
}
