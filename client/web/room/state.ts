// The state of a room as this page knows it: a `room` message, kept up to date by later messages. Pure: each function
// returns a new state and changes nothing.

import type { RatingChange, Room, RoomEvent, RoomNote, RoomState, Seat, Side } from '../types/page.d.ts';

const CHAT_LINES = 100;

export function other(side: Side): Side {
  return side === 'x' ? 'o' : 'x';
}

export function fromSnapshot(message: Room): RoomState {
  return { ...message, clock: message.clock ?? null, you: message.you ?? null, thinking: null, searches: {} };
}

/** Whether an event comes in order: a gap means that some were missed. */
export function order(room: RoomState, seq: number) {
  if (seq <= room.seq) return 'known';
  return seq === room.seq + 1 ? 'next' : 'gap';
}

/**
 * The state after the next event.
 * @param me the id of this page's player
 */
export function applyEvent(room: RoomState, event: RoomEvent, me: string | null): RoomState {
  const next = { ...room, seq: event.seq };
  if ('clock' in event) {
    // Only the room message has the clock's settings; events have the times left.
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
        result: {
          winner: event.winner ?? null,
          termination: event.termination,
          ...(event.declined && { declined: true }),
        },
        fault: event.fault,
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
      return next; // an event of a later version: only its number counts
  }
}

/** A message without a number: presence, spectators, a bot's thoughts. */
export function applyNote(room: RoomState, message: RoomNote) {
  switch (message.t) {
    case 'present': {
      const seat = room.seats[message.side];
      if (!seat) return room;
      const { present, claim_ms = null } = message;
      return { ...room, seats: { ...room.seats, [message.side]: { ...seat, present, claim_ms } } };
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
 * @param told its part of the event's `ratings`
 */
function rated(seat: Seat | null, { before, after, deviation, provisional = false }: RatingChange) {
  return seat && { ...seat, rating: { value: after, deviation, provisional, change: after - before } };
}

function seatOf(seats: RoomState['seats'], me: string | null): RoomState['you'] {
  const x = me !== null && seats.x?.id === me;
  const o = me !== null && seats.o?.id === me;
  if (x && o) return 'both';
  return x ? 'x' : o ? 'o' : null;
}

/** Whether it is this player's turn. */
export function isMyTurn(room: RoomState) {
  const { to_move } = room.game;
  return to_move !== null && (room.you === 'both' || room.you === to_move);
}

export function isRunning(room: RoomState) {
  return room.game.started && !room.game.result;
}

/** How many seats have a bot. */
export function botCount({ seats }: RoomState) {
  return [seats.x, seats.o].filter((seat) => seat?.kind === 'bot').length;
}

/** Whether takebacks are possible at all: not in rated games, nor against a bot that cannot go back. */
export function hasTakebacks(room: RoomState) {
  return !room.rated && room.takebacks !== false;
}
