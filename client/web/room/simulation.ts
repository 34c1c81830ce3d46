// A series of games that two bots play one after another in a room, and its figures. Pure.
//
// Each game of a room swaps the sides, so figures are those of the sides, whoever had them, and those of the bots.

import type { RoomEvent, RoomState, Side } from '../types/page.d.ts';
import { other } from './state.ts';

export const MOST_GAMES = 100;

type Pair<T> = Record<Side, T>;

/** One game that is over, as far as it was seen. */
export type Game = {
  winner: Side | null;
  /** What each side played, on the board. */
  moves: Pair<number>;
  /** Moves whose time was told, and the time of these. */
  timed: Pair<number>;
  ms: Pair<number>;
  /** Whether the last move decided it, and not a fault. */
  onBoard: boolean;
  /** Which bot had either side. */
  bots: Pair<string>;
};

export type Series = {
  room: string;
  wanted: number;
  running: boolean;
  /** The last game that may count, once it was stopped. */
  last?: number;
  /** The number in the room of the last game that is counted, or that was over before. */
  serial: number;
  games: Game[];
  /** Of the game that is running. */
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
  /** Of a game, its moves only: of games all of whose moves were timed. */
  gameMs: number | null;
  movesToEnd: number | null;
  /** Won, drawn and lost by the bot that had X in the first game; null where both are the same. */
  first: { name: string; other: string; won: number; drawn: number; lost: number } | null;
};

const BY_BOARD = ['line', 'board_full', 'count'];
const none = (): Pair<number> => ({ x: 0, o: 0 });

export function series(wanted: number, room: RoomState): Series {
  return { room: room.room, wanted, running: true, serial: room.game.serial, games: [], timed: none(), ms: none() };
}

/** How many games a text asks for; null for what is no whole number from 1 to the most. */
export function gamesWanted(text: string): number | null {
  const games = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0;
  return games >= 1 && games <= MOST_GAMES ? games : null;
}

/** Whether another game is to be asked for now. */
export function wantsGame(now: Series, room: RoomState): boolean {
  return now.running && now.games.length < now.wanted && room.game.result !== null && room.game.serial === now.serial;
}

/** A game that is running counts; those that somebody asks for later do not. */
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
  // A game without a result says nothing, and another would hardly have one.
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
