// Sentences about a room: all words for what happens in it.

import { playerName } from '../i18n/botWords.ts';
import { lineWords } from '../i18n/gameWords.ts';
import { hasText, joined, number, t } from '../i18n/language.ts';
import { aboutMove, PROVEN, spokenMove, valueWords } from '../i18n/moveWords.ts';
import type { Marks, Offer, Rating, RoomEvent, RoomState, Search, Side } from '../types/page.d.ts';
import { isMyTurn, other } from './state.ts';

export type Seated = Pick<RoomState, 'seats' | 'you'>;
export type Ended = Seated & { game: Pick<RoomState['game'], 'game' | 'result'> };

/** A player's name, with the mark where both have the same name. */
export function seatName(room: Seated, side: Side, marks: Marks) {
  const seat = room.seats[side];
  if (!seat) return marks[side];
  const name = playerName(seat);
  return room.seats[other(side)]?.name === seat.name ? `${name} (${marks[side]})` : name;
}

/** The same, but the mark if one person plays both sides. */
function whom(room: Seated, side: Side, marks: Marks) {
  return room.you === 'both' ? marks[side] : seatName(room, side, marks);
}

/** Whose turn it is, or what the game waits for. */
export function statusSentence(room: RoomState, marks: Marks) {
  const { game } = room;
  if (game.result) return resultSentence(room, marks);
  if (!game.started || !game.to_move) {
    if (!room.seats.x || !room.seats.o) return t(room.you ? 'status.waiting' : 'status.free');
    return t('status.soon');
  }
  const side = game.to_move;
  const bot = room.seats[side]?.kind === 'bot';
  const who = room.you === 'both' ? 'mark' : room.you === side ? 'turn' : bot ? 'bot' : 'other';
  return t(`status.${who}${target(room)}`, { mark: marks[side], name: whom(room, side, marks), board: game.forced });
}

/** The suffix of a key for sentences about where to play: a board or any open one; empty where the game has none. */
function target(room: RoomState) {
  if (!('forced' in room.game) || room.game.result) return '';
  return room.game.forced ? '.board' : '.any';
}

/** One move for the live region. */
export function moveSentence(room: RoomState, move: string, by: Side, marks: Marks) {
  const played = t(room.you === by ? 'event.moved.you' : 'event.moved.other', {
    name: whom(room, by, marks),
    move: spokenMove(move),
  });
  const goesOn = !room.game.result && room.game.to_move && (isMyTurn(room) || 'forced' in room.game);
  return goesOn ? `${played} ${statusSentence(room, marks)}` : played;
}

/** How the game ended, and who won. */
export function resultSentence(room: Ended, marks: Marks) {
  const { result } = room.game;
  if (!result) return '';
  const { winner, termination } = result;
  if (result.declined) return t('result.declined');
  if (termination === 'aborted') return t('result.aborted');
  if (!winner) return t(known('result.draw', termination), { termination: inWords(termination) });
  const how = room.you === winner ? 'win' : room.you === other(winner) ? 'loss' : 'other';
  const boards = termination === 'line' && /^(ultimate|super)/.test(room.game.game);
  return t(known(`result.${how}`, boards ? 'boards' : termination), {
    winner: whom(room, winner, marks),
    loser: whom(room, other(winner), marks),
    termination: inWords(termination),
    line: lineWords(room.game.game),
  });
}

/** The key of a termination; later servers may have more of them. */
function known(part: string, termination: string) {
  return hasText(`${part}.${termination}`) ? `${part}.${termination}` : `${part}.unknown`;
}

function inWords(termination: string) {
  return termination.replaceAll('_', ' ');
}

/** "1512", "1512?" while provisional, "1512 (+12)" after a rated game. */
export function ratingWords({ value, provisional, change }: Rating) {
  const shown = `${value}${provisional ? '?' : ''}`;
  if (change === null || change === undefined) return shown;
  return `${shown} (${change < 0 ? `−${-change}` : `+${change}`})`;
}

/** Whether the finished game counted for ratings. */
export function counted(room: RoomState) {
  return typeof room.seats.x?.rating?.change === 'number';
}

/** What the end of a game means for ratings, for the viewer; empty if nothing was at stake. */
export function ratedSentence(room: RoomState) {
  const { result } = room.game;
  if (!result || !room.rated || result.termination === 'aborted') return '';
  if (!counted(room)) return t('rated.short');
  return room.you === 'x' || room.you === 'o'
    ? t('rated.now', { rating: String(room.seats[room.you]?.rating?.value) })
    : '';
}

/** An event other than a move in words, for the live region and notes; empty if it needs none. */
export function eventSentence(room: RoomState, event: RoomEvent, marks: Marks) {
  switch (event.e) {
    case 'seated':
      if (room.you === event.side || room.you === 'both') return '';
      return t('event.seated', { name: playerName(event.seat), mark: marks[event.side] });
    case 'started':
      return `${t('event.started')} ${statusSentence(room, marks)}`;
    case 'ended':
      return joined([resultSentence(room, marks), event.fault, ratedSentence(room)]);
    case 'offered':
      // A bot answers at once, and its answer says enough. So does the game that starts when both want a rematch.
      return room.seats[other(event.by)]?.kind === 'bot' || (event.what === 'rematch' && room.offers[1])
        ? ''
        : offerSentence(room, event, marks);
    case 'declined':
      return t(`event.declined.${event.what}`);
    case 'takenback':
      return `${t('event.takenback')} ${statusSentence(room, marks)}`;
    default:
      return '';
  }
}

/** What an opponent's disconnection means. @param left_ms until the win can be claimed */
export function awayMeaning(room: RoomState, side: Side, left_ms: number, marks: Marks) {
  const count = Math.ceil(left_ms / 1000);
  return t(count > 0 ? 'room.absent' : 'room.absent.now', { name: whom(room, side, marks), count });
}

export function offerSentence(room: RoomState, offer: Offer, marks: Marks) {
  return t(`offer.${offer.what}.${room.you === offer.by ? 'you' : 'other'}`, { name: whom(room, offer.by, marks) });
}

/** Why a click on this cell did nothing. */
export function refusalSentence(room: RoomState, marksOn: Map<string, Side>, cell: string) {
  const { game } = room;
  if (game.result || !game.started || !room.you) return '';
  if (marksOn.has(cell)) return aboutMove('refused.taken', cell);
  if (!isMyTurn(room)) return t('refused.turn');
  return aboutMove(`refused.closed${target(room)}`, cell, { board: game.forced });
}

/** A proof within this many plies is the shortest. */
const SURE_PLIES = 2;

/**
 * What a bot found, in one line without the expected moves. The plies of a proven end are called a bound unless they
 * are known to be exact.
 */
export function searchWords(search: Omit<Search, 'win_in' | 'pv'> & { win_in?: number | null }) {
  const { depth, nodes } = search;
  const parts = [t('search.depth', { depth }), t('search.nodes', { count: nodes, nodes: countWords(nodes) })];
  if (search.win_in) {
    const plies = Math.abs(search.win_in);
    const form = (search.at_most ?? true) && plies > SURE_PLIES ? '' : '.exact';
    parts.push(t(`search.${search.win_in > 0 ? 'wins' : 'loses'}${form}`, { plies }));
  } else if (search.value !== null && search.value !== undefined) {
    const value = valueWords(search.value);
    parts.push(Math.abs(search.value) < PROVEN ? t('search.value', { value }) : value);
  }
  // A narrow panel should break the line between figures, not within one.
  return parts.map((part) => part.replaceAll(' ', '\u00A0')).join('\u00A0· ');
}

/** A large number for people: 950, 34.5 k, 1.2 M. */
export function countWords(count: number) {
  const [divisor, unit] =
    count >= 999.5e6
      ? [1e9, 'billion']
      : count >= 999.5e3
        ? [1e6, 'million']
        : count >= 1e4
          ? [1e3, 'thousand']
          : [1, ''];
  const shown = count / divisor;
  const digits = divisor > 1 && shown < 100 ? 1 : 0;
  const figure = number(shown, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit ? t(`number.${unit}`, { number: figure }) : figure;
}

/** `levels.1` to `levels.8`. */
const LEVELS = 8;

/** "4 of 8 · fair" @param level from 1 */
export function levelWords(level: number, highest: number) {
  const place = highest > 1 ? 1 + Math.round(((level - 1) / (highest - 1)) * (LEVELS - 1)) : LEVELS;
  return t('levels.at', { level, highest, strength: t(`levels.${place}`) });
}

export function warmingWords({ done, of }: { done: number; of: number }) {
  return of ? t('warming.so-far', { done, of }) : t('warming.begun');
}
