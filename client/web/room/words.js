// @ts-check
// Sentences about a room: every text that tells what happens is made here.

import { hasText, number, t } from '../i18n/language.js';
import { capital, spokenMove } from '../i18n/moveWords.js';
import { isMyTurn, other } from './state.js';

/** @typedef {import('../types/page.js').RoomState} RoomState */
/** @typedef {import('../types/page.js').Side} Side */
/** @typedef {{x: string, o: string}} Marks */
/** @typedef {Pick<RoomState, 'seats'|'you'>} Seated */
/** @typedef {Seated & {game: Pick<RoomState['game'], 'game'|'result'>}} Ended */

/**
 * Who sits there, with the mark where two have the same name.
 * @param {Seated} room @param {Side} side @param {Marks} marks
 */
export function seatName(room, side, marks) {
  const seat = room.seats[side];
  if (!seat) return marks[side];
  const same = room.seats[other(side)]?.name === seat.name;
  return same ? `${seat.name} (${marks[side]})` : seat.name;
}

/** The same, but the mark where one person plays both. @param {Seated} room @param {Side} side @param {Marks} marks */
function whom(room, side, marks) {
  return room.you === 'both' ? marks[side] : seatName(room, side, marks);
}

/** What the game waits for. @param {RoomState} room @param {Marks} marks */
export function statusSentence(room, marks) {
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

/** The end of the key of a sentence that tells where to play: a board or any open one; empty where the game has none.
 * @param {RoomState} room */
function target(room) {
  if (!('forced' in room.game) || room.game.result) return '';
  return room.game.forced ? '.board' : '.any';
}

/** One move for the live region. @param {RoomState} room @param {string} move @param {Side} by @param {Marks} marks */
export function moveSentence(room, move, by, marks) {
  const played = t(room.you === by ? 'event.moved.you' : 'event.moved.other', {
    name: whom(room, by, marks),
    move: spokenMove(move),
  });
  const goesOn = !room.game.result && room.game.to_move && (isMyTurn(room) || 'forced' in room.game);
  return goesOn ? `${played} ${statusSentence(room, marks)}` : played;
}

/** How the game ended, and for whom. @param {Ended} room @param {Marks} marks */
export function resultSentence(room, marks) {
  const { result } = room.game;
  if (!result) return '';
  const { winner, termination } = result;
  if (termination === 'aborted') return t('result.aborted');
  if (!winner) return t(known('result.draw', termination), { termination: inWords(termination) });
  const how = room.you === winner ? 'win' : room.you === other(winner) ? 'loss' : 'other';
  const boards = termination === 'line' && /^(ultimate|super)/.test(room.game.game);
  return t(known(`result.${how}`, boards ? 'boards' : termination), {
    winner: whom(room, winner, marks),
    loser: whom(room, other(winner), marks),
    termination: inWords(termination),
  });
}

/**
 * The key of what a termination means; a later server may know more of them.
 * @param {string} part @param {string} termination
 */
function known(part, termination) {
  return hasText(`${part}.${termination}`) ? `${part}.${termination}` : `${part}.unknown`;
}

/** @param {string} termination */
function inWords(termination) {
  return termination.replaceAll('_', ' ');
}

/**
 * "1512", "1512?" while provisional, "1512 (+12)" after a rated game.
 * @param {import('../types/page.js').Rating} rating
 */
export function ratingWords({ value, provisional, change }) {
  const shown = `${value}${provisional ? '?' : ''}`;
  if (change === null || change === undefined) return shown;
  return `${shown} (${change < 0 ? `−${-change}` : `+${change}`})`;
}

/** Whether the game that is over counted for ratings. @param {RoomState} room */
export function counted(room) {
  return typeof room.seats.x?.rating?.change === 'number';
}

/**
 * What the end of a game means for ratings, from the viewer's side; empty where nothing is at stake.
 * @param {RoomState} room
 */
export function ratedSentence(room) {
  const { result } = room.game;
  if (!result || !room.rated || result.termination === 'aborted') return '';
  if (!counted(room)) return t('rated.short');
  return room.you === 'x' || room.you === 'o'
    ? t('rated.now', { rating: String(room.seats[room.you]?.rating?.value) })
    : '';
}

/** What an event other than a move means, for the live region and the notes; empty where it says nothing new.
 * @param {RoomState} room @param {import('../types/page.js').RoomEvent} event @param {Marks} marks */
export function eventSentence(room, event, marks) {
  switch (event.e) {
    case 'seated':
      if (room.you === event.side || room.you === 'both') return '';
      return t('event.seated', { name: event.seat.name, mark: marks[event.side] });
    case 'started':
      return `${t('event.started')} ${statusSentence(room, marks)}`;
    case 'ended':
      return [resultSentence(room, marks), ratedSentence(room)].filter(Boolean).join(' ');
    case 'offered':
      return room.you === event.by ? '' : offerSentence(room, event, marks);
    case 'declined':
      return t(`event.declined.${event.what}`);
    case 'takenback':
      return `${t('event.takenback')} ${statusSentence(room, marks)}`;
    default:
      return '';
  }
}

/** @param {RoomState} room @param {import('../types/page.js').Offer} offer @param {Marks} marks */
export function offerSentence(room, offer, marks) {
  return t(`offer.${offer.what}.${room.you === offer.by ? 'you' : 'other'}`, { name: whom(room, offer.by, marks) });
}

/**
 * Why a click on this cell did nothing.
 * @param {RoomState} room @param {Map<string, Side>} marksOn @param {string} cell
 */
export function refusalSentence(room, marksOn, cell) {
  const { game } = room;
  if (game.result || !game.started || !room.you) return '';
  const move = spokenMove(cell);
  if (marksOn.has(cell)) return capital(t('refused.taken', { move }));
  if (!isMyTurn(room)) return t('refused.turn');
  return capital(t(`refused.closed${target(room)}`, { move, board: game.forced }));
}

/**
 * What a bot found, in one line without the moves that it expects.
 * @param {Omit<import('../types/page.js').Search, 'win_in'|'pv'> & {win_in?: number|null}} search
 */
export function searchWords(search) {
  const parts = [t('search.depth', { depth: search.depth }), t('search.nodes', { nodes: countWords(search.nodes) })];
  if (search.win_in)
    parts.push(t(search.win_in > 0 ? 'search.wins' : 'search.loses', { plies: Math.abs(search.win_in) }));
  else if (search.value !== null && search.value !== undefined) parts.push(valueWords(search.value));
  return parts.join(' · ');
}

/** A large number as one says it: 950, 34.5 k, 1.2 M. @param {number} count */
export function countWords(count) {
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

/** A value in the bot's own scale, for the side that moved. @param {number} value */
function valueWords(value) {
  const size = Math.abs(value);
  const shown = size >= 100 ? number(Math.round(size)) : number(size, { maximumSignificantDigits: 3 });
  return (value > 0 ? '+' : value < 0 ? '−' : '') + shown;
}

/** Of `levels.1` to `levels.8`. */
const LEVELS = 8;

/** "4 of 8 · fair" @param {number} level from 1 @param {number} highest */
export function levelWords(level, highest) {
  const place = highest > 1 ? 1 + Math.round(((level - 1) / (highest - 1)) * (LEVELS - 1)) : LEVELS;
  return t('levels.at', { level, highest, strength: t(`levels.${place}`) });
}

/** @param {{done: number, of: number}} warming */
export function warmingWords({ done, of }) {
  return of ? t('warming.so-far', { done, of }) : t('warming.begun');
}
