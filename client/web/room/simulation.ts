// A series of games between two bots in a room, and its statistics. Pure.
//
// Sides are swapped after each game, so there are figures for each side, whoever had it, and for each bot.

import type { RoomEvent, RoomState, Side } from '../types/page.d.ts';
import { other } from './state.ts';

export const MOST_GAMES = 100;

type Pair<T> = Record<Side, T>;

/** One finished game, as far as this page saw it. */
export type Game = {
  winner: Side | null;
  /** How many moves each side played. */
  moves: Pair<number>;
  /** How many moves had a time, and their total. */
  timed: Pair<number>;
  ms: Pair<number>;
  /** Whether the last move decided it, rather than a fault. */
  onBoard: boolean;
  /** The bot of each side. */
  bots: Pair<string>;
};

export type Series = {
  room: string;
  wanted: number;
  running: boolean;
  /** The last game that may count, after a stop. */
  last?: number;
  /** The serial of the last game counted, or finished before the series. */
  serial: number;
  games: Game[];
  /** For the running game. */
  timed: Pair<number>;
  ms: Pair<number>;
};

/** Averages are null where there is nothing to average. */
export type SideFigures = {
  wins: number;
  moves: number;
  ms: number;
  moveMs: number | null;
  movesToWin: number | null;
};

export type Figures = {
  games: number;
  x: SideFigures;
  o: SideFigures;
  ties: number;
  /** Thinking time per game, from games whose moves all had a time. */
  gameMs: number | null;
  movesToEnd: number | null;
  /** Results of the bot that was X in the first game; null if a bot plays itself. */
  first: { name: string; other: string; won: number; drawn: number; lost: number } | null;
};

const BY_BOARD = ['line', 'board_full', 'count'];
const none = (): Pair<number> => ({ x: 0, o: 0 });

export function series(wanted: number, room: RoomState): Series {
  return { room: room.room, wanted, running: true, serial: room.game.serial, games: [], timed: none(), ms: none() };
}

/** The number of games in a text; null unless it is a whole number from 1 to the most. */
export function gamesWanted(text: string): number | null {
  const games = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0;
  return games >= 1 && games <= MOST_GAMES ? games : null;
}

/** Whether to request another game now. */
export function wantsGame(now: Series, room: RoomState): boolean {
  return now.running && now.games.length < now.wanted && room.game.result !== null && room.game.serial === now.serial;
}

/** The running game still counts; later ones do not. */
export function stopped(now: Series, { game }: RoomState): Series {
  return { ...now, running: false, last: game.serial };
}

/**
 * The series after an event, or after a new snapshot of the room.
 * @param room after it
 */
export function after(now: Series, room: RoomState, event: RoomEvent | null): Series {
  let next = now;
  if (event?.e === 'moved') {
    const { by, think_ms } = event;
    next = {
      ...next,
      timed: { ...next.timed, [by]: next.timed[by] + 1 },
      ms: { ...next.ms, [by]: next.ms[by] + think_ms },
    };
  }
  const { game } = room;
  if (!game.result || game.serial <= next.serial || next.games.length === next.wanted) return next;
  if (game.serial > (next.last ?? game.serial)) return next;
  const over = { ...next, serial: game.serial, timed: none(), ms: none() };
  // An aborted game says nothing, and the next one would probably abort too.
  if (game.result.termination === 'aborted') return stopped(over, room);
  const games = [...next.games, ended(next, room)];
  return { ...over, games, running: next.running && games.length < next.wanted };
}

function ended({ timed, ms }: Series, room: RoomState): Game {
  const { game, seats } = room;
  const first: Side = game.start.length % 2 === 0 ? 'x' : 'o';
  const moves = none();
  moves[first] = Math.ceil(game.moves.length / 2);
  moves[other(first)] = Math.floor(game.moves.length / 2);
  return {
    winner: game.result?.winner ?? null,
    moves,
    timed,
    ms,
    onBoard: BY_BOARD.includes(game.result?.termination ?? ''),
    bots: { x: seats.x?.bot ?? '', o: seats.o?.bot ?? '' },
  };
}

export function figures({ games }: Series): Figures {
  const whole = games.filter(({ moves, timed }) => moves.x === timed.x && moves.o === timed.o);
  return {
    games: games.length,
    x: ofSide(games, 'x'),
    o: ofSide(games, 'o'),
    ties: games.filter(({ winner }) => winner === null).length,
    gameMs: average(whole.map(({ ms }) => ms.x + ms.o)),
    movesToEnd: average(games.map(({ moves }) => moves.x + moves.o)),
    first: ofFirst(games),
  };
}

function ofSide(games: Game[], side: Side): SideFigures {
  const won = games.filter(({ winner }) => winner === side);
  const timed = sum(games.map((game) => game.timed[side]));
  const ms = sum(games.map((game) => game.ms[side]));
  return {
    wins: won.length,
    moves: timed,
    ms,
    moveMs: timed ? ms / timed : null,
    movesToWin: average(won.filter(({ onBoard }) => onBoard).map(({ moves }) => moves[side])),
  };
}

function ofFirst(games: Game[]): Figures['first'] {
  const bots = games[0]?.bots;
  if (!bots || bots.x === bots.o) return null;
  const drawn = games.filter(({ winner }) => winner === null).length;
  const won = games.filter(({ winner, bots: had }) => winner !== null && had[winner] === bots.x).length;
  return { name: bots.x, other: bots.o, won, drawn, lost: games.length - drawn - won };
}

function average(numbers: number[]): number | null {
  return numbers.length ? sum(numbers) / numbers.length : null;
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
