// @ts-check
// The state of a room as this page knows it: a `room` message, kept up to date by the messages after it. Pure: each
// function answers a new state and changes nothing.

/** @typedef {import('../types/page.js').RoomState} RoomState */
/** @typedef {import('../types/page.js').Side} Side */

const CHAT_LINES = 100;

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === 'x' ? 'o' : 'x';
}

/** @param {import('../types/page.js').Room} message @returns {RoomState} */
export function fromSnapshot(message) {
  return { ...message, clock: message.clock ?? null, you: message.you ?? null, thinking: null, searches: {} };
}

/** What to do with an event of this number: events come in order, so a gap means that some were missed. */
export function order(/** @type {RoomState} */ room, /** @type {number} */ seq) {
  if (seq <= room.seq) return 'known';
  return seq === room.seq + 1 ? 'next' : 'gap';
}

/**
 * The state after the next event.
 * @param {RoomState} room
 * @param {import('../types/page.js').RoomEvent} event
 * @param {string|null} me the id of this page's player
 * @returns {RoomState}
 */
export function applyEvent(room, event, me) {
  const next = { ...room, seq: event.seq };
  if ('clock' in event) {
    // Settings are told once, with the room; events tell what is left.
    next.clock = event.clock ? { ...room.clock, ...event.clock } : null;
    next.ts = event.ts;
  }
  switch (event.e) {
    case 'seated':
      next.seats = { ...room.seats, [event.side]: event.seat };
      next.you = seatOf(next.seats, me);
      return next;
    case 'started':
      return { ...next, game: event.game, offers: [], thinking: null, searches: {} };
    case 'moved':
      next.game = {
        ...room.game,
        moves: [...room.game.moves, event.move],
        to_move: event.to_move ?? null,
        legal: event.to_move ? (event.legal ?? null) : [],
        last: event.move,
      };
      if ('forced' in event) next.game.forced = event.forced;
      // A request for a takeback lapses with any move, a draw offer with the opponent's.
      next.offers = room.offers.filter((offer) => offer.what === 'draw' && offer.by === event.by);
      next.thinking = null;
      if (event.search) next.searches = { ...room.searches, [event.ply]: event.search };
      return next;
    case 'ended':
      next.game = {
        ...room.game,
        to_move: null,
        legal: [],
        line: event.line ?? null,
        result: { winner: event.winner ?? null, termination: event.termination },
      };
      if (event.ratings)
        next.seats = { x: rated(room.seats.x, event.ratings.x), o: rated(room.seats.o, event.ratings.o) };
      if ('forced' in room.game) next.game.forced = null;
      next.offers = [];
      next.thinking = null;
      return next;
    case 'offered':
      next.offers = [...room.offers.filter((o) => o.by !== event.by || o.what !== event.what), event];
      return next;
    case 'declined':
      next.offers = room.offers.filter((offer) => offer.by === event.by || offer.what !== event.what);
      return next;
    case 'takenback': {
      const moves = room.game.moves.slice(0, event.ply);
      next.game = {
        ...room.game,
        moves,
        to_move: event.to_move ?? null,
        legal: event.legal ?? null,
        last: moves.at(-1) ?? room.game.start.at(-1) ?? null,
        line: null,
      };
      if ('forced' in event) next.game.forced = event.forced;
      next.offers = [];
      next.thinking = null;
      next.searches = Object.fromEntries(
        Object.entries(room.searches ?? {}).filter(([ply]) => Number(ply) < event.ply),
      );
      return next;
    }
    case 'said':
      next.chat = [...room.chat, { by: event.by, text: event.text, ts: event.ts }].slice(-CHAT_LINES);
      return next;
    default:
      return next; // an event of a later version: its number counts, the rest does not concern us
  }
}

/** A message without a number: who is present, who watches, what a bot thinks. */
export function applyNote(/** @type {RoomState} */ room, /** @type {import('../types/page.js').RoomNote} */ message) {
  switch (message.t) {
    case 'present': {
      const seat = room.seats[message.side];
      return seat ? { ...room, seats: { ...room.seats, [message.side]: { ...seat, present: message.present } } } : room;
    }
    case 'spectators':
      return { ...room, spectators: message.count };
    case 'thinking':
      return { ...room, thinking: { ...message, by: room.game.to_move } };
    default:
      return room;
  }
}

/**
 * A seat after a rated game.
 * @param {import('../types/page.js').Seat|null} seat
 * @param {import('../types/page.js').RatingChange} told its part of the event's `ratings`
 */
function rated(seat, { before, after, deviation, provisional = false }) {
  return seat && { ...seat, rating: { value: after, deviation, provisional, change: after - before } };
}

/** @param {RoomState['seats']} seats @param {string|null} me @returns {RoomState['you']} */
function seatOf(seats, me) {
  const x = me !== null && seats.x?.id === me;
  const o = me !== null && seats.o?.id === me;
  if (x && o) return 'both';
  return x ? 'x' : o ? 'o' : null;
}

/** True while this page's player is to move. */
export function isMyTurn(/** @type {RoomState} */ room) {
  const { to_move } = room.game;
  return to_move !== null && (room.you === 'both' || room.you === to_move);
}

export function isRunning(/** @type {RoomState} */ room) {
  return room.game.started && !room.game.result;
}

/** The side that a seated player's buttons act for: on one screen for two, the side to move. @returns {Side|null} */
export function mySide(/** @type {RoomState} */ room) {
  return room.you === 'both' ? (room.game.to_move ?? 'x') : room.you;
}
