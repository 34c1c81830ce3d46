// @ts-check
// The rooms this page is in, kept alive over the connection: entered once, resumed after every break.

import { applyEvent, applyNote, fromSnapshot, isMyTurn, order } from '../room/state.js';
import { ConnectionLost, ServerError } from './connection.js';

/** @typedef {import('../types/page.js').RoomState} RoomState */
/** @typedef {import('../types/page.js').Asked} Asked */
/** @typedef {import('../types/page.js').ServerMessage} ServerMessage */
/** @typedef {Extract<import('../types/page.js').Request, {t: 'create'|'join'|'watch'}>} EnterRequest */
/**
 * @typedef {{kind: 'event', event: import('../types/page.js').RoomEvent, before: RoomState} | {kind: 'snapshot'|'note'|'pending'|'gone', event?: undefined}} Change
 */

const MOST_FOLLOWED = 20;

/** One room and who looks at it. */
export class LiveRoom extends EventTarget {
  /** @param {RoomState} state @param {string|null} code */
  constructor(state, code) {
    super();
    this.state = state;
    /** What opened an invite room: needed again where a resume is not enough. */
    this.code = code;
    /**
     * A move that was sent and whose event has not come yet.
     * @type {{serial: number, ply: number, move: string, since: number}|null}
     */
    this.pending = null;
    this.gone = false;
    /** Whether this page made the room: who lets two bots play may ask them for another game. */
    this.made = false;
    /** How it was asked for, where this page did. @type {Asked|null} */
    this.asked = null;
    this.resuming = false;
    /** Events up to this number happened while the line was broken: they are told only now. */
    this.missed = 0;
    /** When each side was seen to go, by performance.now(). @type {{x?: number, o?: number}} */
    this.absentSince = {};
  }

  /** @param {Change} change */
  tell(change) {
    this.dispatchEvent(new CustomEvent('change', { detail: change }));
  }
}

export class Rooms extends EventTarget {
  /** @param {import('./connection.js').Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {Map<string, LiveRoom>} */
    this.live = new Map();
    /** Rooms this page has done with. @type {Set<string>} */
    this.left = new Set();
    connection.addEventListener('message', (e) => this.receive(/** @type {CustomEvent<ServerMessage>} */ (e).detail));
    connection.addEventListener('open', () => {
      for (const room of this.live.values()) void this.resume(room);
      // Games of this player that were opened elsewhere, or before a reload: followed, so that the page can tell when
      // it is their turn. One that is gone by now is no error.
      const others = connection.rooms.filter((id) => !this.live.has(id) && !this.left.has(id));
      for (const id of others.slice(0, MOST_FOLLOWED)) this.watch(id, null).catch(() => {});
    });
  }

  /** @param {Asked} message @returns {Promise<LiveRoom>} */
  async create(message) {
    const room = await this.enter({ t: 'create', ...message }, null);
    room.made = true;
    room.asked = message;
    return room;
  }

  /** @param {{room?: string, code?: string}} which @returns {Promise<LiveRoom>} */
  join(which) {
    return this.enter({ t: 'join', ...which }, which.code ?? null);
  }

  /** @param {string} room @param {string|null} code @returns {Promise<LiveRoom>} */
  watch(room, code) {
    return this.enter({ t: 'watch', room, ...(code && { code }) }, code);
  }

  /** @param {EnterRequest} message @param {string|null} code @returns {Promise<LiveRoom>} */
  async enter(message, code) {
    const answer = await this.connection.request(message);
    const room = /** @type {LiveRoom} */ (this.live.get(answer.room));
    if (code) room.code = code;
    return room;
  }

  /** Begins anew, for another player. */
  reset() {
    this.live.clear();
    this.left.clear();
    this.changed();
  }

  /** Stops following a room. A seat that is held stays held. */
  leave(/** @type {string} */ id) {
    if (!this.live.delete(id)) return;
    this.left.add(id);
    this.changed();
    this.connection.request({ t: 'leave', room: id }).catch(() => {}); // without a line there is nothing to leave
  }

  /**
   * Sends a move. It stays pending, over a break too, until its event or a refusal comes.
   * @param {LiveRoom} room @param {string} move
   */
  async move(room, move) {
    const { game } = room.state;
    if (room.pending || !isMyTurn(room.state)) return;
    room.pending = { serial: game.serial, ply: game.moves.length, move, since: performance.now() };
    room.tell({ kind: 'pending' });
    await this.sendPending(room);
  }

  /** @param {LiveRoom} room */
  async sendPending(room) {
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
      // Lost on the way: sent again after the resume. The server knows a move that it has already taken.
      if (error instanceof ConnectionLost) return;
      if (room.pending === pending) room.pending = null;
      room.tell({ kind: 'pending' });
      throw error;
    }
  }

  /** @param {LiveRoom} room @param {import('../types/page.js').Act['action']} action */
  act(room, action) {
    return this.connection.request({ t: 'act', room: room.state.room, game: room.state.game.serial, action });
  }

  // Inside

  /** @param {LiveRoom} room */
  async resume(room) {
    if (room.gone || room.resuming) return;
    room.resuming = true;
    const id = room.state.room;
    try {
      const { seq } = await this.connection.request({ t: 'resume', room: id, seq: room.state.seq });
      room.missed = seq ?? room.missed;
      // Clocks may have stood still while the server was away, of which no event tells.
      if (room.state.clock?.running)
        await this.connection.request({ t: 'watch', room: id, ...(room.code && { code: room.code }) });
    } catch (error) {
      if (!(error instanceof ServerError)) return;
      try {
        await this.connection.request({ t: 'watch', room: id, ...(room.code && { code: room.code }) });
      } catch (again) {
        if (!(again instanceof ServerError)) return;
        room.gone = again.code === 'not_found';
        if (room.gone) this.live.delete(id);
        room.tell({ kind: 'gone' });
        return;
      }
    } finally {
      room.resuming = false;
    }
    this.sendPending(room).catch((error) => this.refused(error));
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (message.t === 'room') this.receiveSnapshot(message);
    const room = 'room' in message && message.room ? this.live.get(message.room) : undefined;
    if (!room) return;
    if (message.t === 'event') this.receiveEvent(room, message);
    else if (message.t === 'present' || message.t === 'spectators' || message.t === 'thinking') {
      if (message.t === 'present') {
        if (message.present) delete room.absentSince[message.side];
        else room.absentSince[message.side] = performance.now();
      }
      room.state = applyNote(room.state, message);
      room.tell({ kind: 'note' });
    }
  }

  /** @param {import('../types/page.js').Room} message */
  receiveSnapshot(message) {
    const state = fromSnapshot(message);
    let room = this.live.get(state.room);
    if (room) {
      room.state = state;
      this.settlePending(room);
      room.tell({ kind: 'snapshot' });
    } else {
      room = new LiveRoom(state, state.code ?? null);
      this.live.set(state.room, room);
    }
    this.changed();
  }

  /** @param {LiveRoom} room @param {import('../types/page.js').RoomEvent} event */
  receiveEvent(room, event) {
    const place = order(room.state, event.seq);
    if (place === 'known') return;
    if (place === 'gap') {
      void this.resume(room);
      return;
    }
    const before = room.state;
    room.state = applyEvent(before, event, this.connection.player?.id ?? null);
    this.settlePending(room);
    room.tell({ kind: 'event', event, before });
    if (event.e === 'started') this.dispatchEvent(new CustomEvent('started', { detail: room }));
    this.changed();
  }

  /** A pending move is settled as soon as its ply is played, whoever's move it was, or its game is over. */
  settlePending(/** @type {LiveRoom} */ room) {
    const { pending, state } = room;
    if (!pending) return;
    const { game } = state;
    if (game.serial !== pending.serial || game.result || game.moves.length !== pending.ply) room.pending = null;
  }

  /** @param {unknown} error */
  refused(error) {
    this.dispatchEvent(new CustomEvent('refused', { detail: error }));
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }
}
