// The rooms this page is in: entered once, resumed after every reconnect.

import { batch, signal } from '@preact/signals';
import { applyEvent, applyNote, fromSnapshot, isMyTurn, order } from '../room/state.ts';
import type { Act, Asked, Request, Room, RoomEvent, RoomState, ServerMessage, Side } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { readHere, writeHere } from '../ui/storage.ts';
import type { Connection } from './connection.ts';
import { ConnectionLost, ServerError } from './connection.ts';
import { observe } from './observe.ts';

export type EnterRequest = Extract<Request, { t: 'create' | 'join' | 'watch' }>;
export type Change =
  | { kind: 'event'; event: RoomEvent; before: RoomState }
  | { kind: 'snapshot' | 'note' | 'pending' | 'gone'; event?: undefined };

const MOST_FOLLOWED = 20;

/** A move that was sent and whose event has not arrived yet; `since` by monotonicMs(). */
export type Pending = { serial: number; ply: number; move: string; since: number };

/** One room. `state`, `pending` and `gone` are signals for components. */
export class LiveRoom extends EventTarget {
  declare state: RoomState;
  declare pending: Pending | null;
  declare gone: boolean;
  /** What opened an invite room: needed again if a resume is not enough. */
  code: string | null;
  /** The request that made the room, if this page did: whoever lets two bots play may request another game. */
  asked: Asked | null = null;
  resuming = false;
  /** Events up to this number happened while the connection was broken, and are reported only now. */
  missed = 0;
  /** From when on the win can be claimed against an absent side, by monotonicMs(). */
  claimAt: { [side in Side]?: number } = {};

  constructor(state: RoomState, code: string | null) {
    super();
    observe(this, { state, pending: null, gone: false });
    this.code = code;
    this.expectClaims();
  }

  /** The delay in a snapshot or note counts from its arrival. */
  expectClaims(sides: readonly Side[] = ['x', 'o']) {
    for (const side of sides) {
      const ms = this.state.seats[side]?.claim_ms;
      this.claimAt[side] = typeof ms === 'number' ? monotonicMs() + ms : undefined;
    }
  }

  tell(change: Change) {
    this.dispatchEvent(new CustomEvent('change', { detail: change }));
  }
}

export class Rooms extends EventTarget {
  connection: Connection;
  readonly #live = new Map<string, LiveRoom>();
  /** Requests of this tab by the room that they made; kept over a reload, and after leaving the room. */
  readonly #made = new Map<string, Asked>(JSON.parse(readHere('made') ?? '[]'));
  readonly #changes = signal(0);
  /** Rooms that this page has left. */
  left = new Set<string>();

  constructor(connection: Connection) {
    super();
    this.connection = connection;
    const message = ({ detail }: CustomEvent<ServerMessage>) => this.receive(detail);
    const open = () => {
      for (const room of this.live.values()) void this.resume(room);
      // This player's games from another tab or before a reload are followed, so that the page can say when it is their
      // turn. A game that is gone by now is no error.
      for (const id of this.coming.slice(0, MOST_FOLLOWED)) this.watch(id, null).catch(() => {});
    };
    listen(connection, { message, open });
  }

  async create(message: Asked): Promise<LiveRoom> {
    const room = await this.enter({ t: 'create', ...message }, null);
    room.asked = message;
    this.#made.set(room.state.room, message);
    this.#keepMade();
    return room;
  }

  join(which: { room?: string; code?: string }): Promise<LiveRoom> {
    return this.enter({ t: 'join', ...which }, which.code ?? null);
  }

  watch(room: string, code: string | null): Promise<LiveRoom> {
    return this.enter({ t: 'watch', room, ...(code && { code }) }, code);
  }

  async enter(message: EnterRequest, code: string | null): Promise<LiveRoom> {
    const answer = await this.connection.request(message);
    const room = this.live.get(answer.room) as LiveRoom;
    if (code) room.code = code;
    return room;
  }

  /** Starts again for another player. */
  reset() {
    this.#live.clear();
    this.#made.clear();
    this.#keepMade();
    this.left.clear();
    this.changed();
  }

  #keepMade() {
    writeHere('made', JSON.stringify([...this.#made]));
  }

  /** Stops following a room. The player keeps the seat. */
  leave(id: string) {
    if (!this.#live.delete(id)) return;
    this.left.add(id);
    this.changed();
    this.connection.request({ t: 'leave', room: id }).catch(() => {}); // without a connection there is nothing to leave
  }

  /** Sends a move. It stays pending, even over a reconnect, until its event or a refusal comes. */
  async move(room: LiveRoom, move: string) {
    const { game } = room.state;
    if (room.pending || !isMyTurn(room.state)) return;
    room.pending = { serial: game.serial, ply: game.moves.length, move, since: monotonicMs() };
    room.tell({ kind: 'pending' });
    await this.sendPending(room);
  }

  async sendPending(room: LiveRoom) {
    const { pending, state } = room;
    if (!pending) return;
    try {
      await this.connection.request({
        t: 'move',
        room: state.room,
        game: pending.serial,
        ply: pending.ply,
        move: pending.move,
        after: state.seq,
      });
    } catch (error) {
      // Lost on the way: sent again after the resume. The server recognises a move that it already has.
      if (error instanceof ConnectionLost) return;
      if (room.pending === pending) room.pending = null;
      room.tell({ kind: 'pending' });
      throw error;
    }
  }

  act(room: LiveRoom, action: Act['action']) {
    return this.connection.request({ t: 'act', room: room.state.room, game: room.state.game.serial, action });
  }

  // Internals

  async resume(room: LiveRoom) {
    if (room.gone || room.resuming) return;
    room.resuming = true;
    const id = room.state.room;
    try {
      const { seq } = await this.connection.request({ t: 'resume', room: id, seq: room.state.seq });
      room.missed = seq ?? room.missed;
      // Clocks may have stood still while the server was away, which no event reports.
      if (room.state.clock?.running) await this.watch(id, room.code);
    } catch (error) {
      if (!(error instanceof ServerError)) return;
      try {
        await this.watch(id, room.code);
      } catch (again) {
        if (!(again instanceof ServerError)) return;
        room.gone = again.code === 'not_found';
        if (room.gone) this.#live.delete(id);
        room.tell({ kind: 'gone' });
        return;
      }
    } finally {
      room.resuming = false;
    }
    this.sendPending(room).catch((error) => this.refused(error));
  }

  receive(message: ServerMessage) {
    if (message.t === 'room') this.receiveSnapshot(message);
    const room = 'room' in message && message.room ? this.live.get(message.room) : undefined;
    if (!room) return;
    if (message.t === 'event') this.receiveEvent(room, message);
    else if (message.t === 'present' || message.t === 'spectators' || message.t === 'thinking') {
      room.state = applyNote(room.state, message);
      if (message.t === 'present') room.expectClaims([message.side]);
      room.tell({ kind: 'note' });
    }
  }

  receiveSnapshot(message: Room) {
    const state = fromSnapshot(message);
    let room = this.live.get(state.room);
    if (room) {
      this.put(room, state);
      room.expectClaims();
      room.tell({ kind: 'snapshot' });
    } else {
      room = new LiveRoom(state, state.code ?? null);
      room.asked = this.#made.get(state.room) ?? null;
      this.#live.set(state.room, room);
    }
    this.changed();
  }

  receiveEvent(room: LiveRoom, event: RoomEvent) {
    const place = order(room.state, event.seq);
    if (place === 'known') return;
    if (place === 'gap') {
      void this.resume(room);
      return;
    }
    const before = room.state;
    this.put(room, applyEvent(before, event, this.connection.player?.id ?? null));
    room.tell({ kind: 'event', event, before });
    if (event.e === 'started') this.dispatchEvent(new CustomEvent('started', { detail: room }));
    this.changed();
  }

  /** Updates state and pending move in one batch. */
  put(room: LiveRoom, state: RoomState) {
    batch(() => {
      room.state = state;
      this.settlePending(room);
    });
  }

  /** A pending move is settled once any move of its ply has been played, or its game is over. */
  settlePending(room: LiveRoom) {
    const { pending, state } = room;
    if (!pending) return;
    const { game } = state;
    if (game.serial !== pending.serial || game.result || game.moves.length !== pending.ply) room.pending = null;
  }

  refused(error: unknown) {
    this.dispatchEvent(new CustomEvent('refused', { detail: error }));
  }

  /** By id. A component that reads it is redrawn when a room comes or goes. */
  get live(): ReadonlyMap<string, LiveRoom> {
    void this.#changes.value;
    return this.#live;
  }

  /** This player's rooms that are not followed yet. */
  get coming() {
    return this.connection.rooms.filter((id) => !this.live.has(id) && !this.left.has(id));
  }

  changed() {
    this.#changes.value += 1;
    this.dispatchEvent(new Event('change'));
  }
}
