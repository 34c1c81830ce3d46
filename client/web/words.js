// @ts-check
// Sentences about a room. Pure: every text that tells what happens is made here.

import { isMyTurn, other } from './room.js';

/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').Side} Side */
/** @typedef {{x: string, o: string}} Marks */

/** Who sits there, with the mark where two have the same name. @param {RoomState} room @param {Side} side @param {Marks} marks */
export function seatName(room, side, marks) {
  const seat = room.seats[side];
  if (!seat) return marks[side];
  const same = room.seats[other(side)]?.name === seat.name;
  return same ? `${seat.name} (${marks[side]})` : seat.name;
}

/** The same, but "you" for one's own only seat. @param {RoomState} room @param {Side} side @param {Marks} marks */
function whom(room, side, marks) {
  if (room.you === side) return 'You';
  return room.you === 'both' ? marks[side] : seatName(room, side, marks);
}

/** @param {string} who @param {string} you @param {string} others */
function verb(who, you, others) {
  return `${who} ${who === 'You' ? you : others}`;
}

/** What the game waits for. @param {RoomState} room @param {Marks} marks */
export function statusSentence(room, marks) {
  const { game } = room;
  if (game.result) return resultSentence(room, marks);
  if (!game.started || !game.to_move) {
    if (!room.seats.x || !room.seats.o) return room.you ? 'Waiting for somebody to sit down.' : 'A seat is free.';
    return 'The game is about to start.';
  }
  const where = targetWords(room);
  const who = whom(room, game.to_move, marks);
  if (isMyTurn(room)) {
    const turn = room.you === 'both' ? `${marks[game.to_move]} to move` : 'Your turn';
    return where ? `${turn}: play in ${where}.` : `${turn}.`;
  }
  const thinks = room.seats[game.to_move]?.kind === 'bot' ? 'is thinking' : 'is to move';
  return where ? `${who} ${thinks}, in ${where}.` : `${who} ${thinks}.`;
}

/** "board 5" or "any open board" on nested boards, else nothing. @param {RoomState} room */
function targetWords(room) {
  if (!('forced' in room.game) || room.game.result) return '';
  return room.game.forced ? `board ${room.game.forced}` : 'any open board';
}

/** One move for the live region. @param {RoomState} room @param {string} move @param {Side} by @param {Marks} marks */
export function moveSentence(room, move, by, marks) {
  const turn = room.game.result || !room.game.to_move ? '' : ` ${statusSentence(room, marks)}`;
  const played = `${verb(whom(room, by, marks), 'play', 'plays')} ${spokenMove(move)}.`;
  return played + (isMyTurn(room) || 'forced' in room.game ? turn : '');
}

/** @param {string} move */
export function spokenMove(move) {
  const nested = /^(\d)\/(\d)$/.exec(move);
  if (nested) return `board ${nested[1]} square ${nested[2]}`;
  const cube = /^([a-s]\d+)\.(\d)$/.exec(move);
  return cube ? `${cube[1]} level ${cube[2]}` : move;
}

/** How the game ended, and for whom. @param {RoomState} room @param {Marks} marks */
export function resultSentence(room, marks) {
  const { result } = room.game;
  if (!result) return '';
  const { winner, termination } = result;
  if (termination === 'aborted') return 'The game was aborted: it does not count.';
  if (!winner) return `Draw: ${drawReason(termination)}.`;
  const loser = other(winner);
  const wins = verb(whom(room, winner, marks), 'win', 'wins');
  return `${wins}: ${winReason(termination, whom(room, loser, marks), room.game.game)}.`;
}

/** "1512", "1512?" while provisional, "1512 (+12)" after a rated game. @param {import('./types.js').Rating} rating */
export function ratingWords({ value, provisional, change }) {
  const shown = `${value}${provisional ? '?' : ''}`;
  if (change === null || change === undefined) return shown;
  return `${shown} (${change < 0 ? `−${-change}` : `+${change}`})`;
}

/** Whether the game that is over counted for ratings. @param {RoomState} room */
export function counted(room) {
  return typeof room.seats.x?.rating?.change === 'number';
}

/** What the end of a game means for ratings, from the viewer's side; empty where nothing is at stake. @param {RoomState} room */
export function ratedSentence(room) {
  const { result } = room.game;
  if (!result || !room.rated || result.termination === 'aborted') return '';
  if (!counted(room)) return 'It was too short to count for the ratings.';
  return room.you === 'x' || room.you === 'o' ? `Your rating is now ${room.seats[room.you]?.rating?.value}.` : '';
}

/** @param {string} termination */
function drawReason(termination) {
  /** @type {Record<string, string>} */
  const reasons = {
    board_full: 'no move is left',
    count: 'both have won as many boards',
    agreement: 'both agreed',
    adjudication: 'the game was ended early by a rule of its event',
  };
  return reasons[termination] ?? termination.replaceAll('_', ' ');
}

/** @param {string} termination @param {string} loser @param {string} game */
function winReason(termination, loser, game) {
  const lost = loser === 'You' ? 'you' : loser;
  /** @type {Record<string, string>} */
  const reasons = {
    line: /^(ultimate|super)/.test(game) ? 'three boards in a line' : 'a complete line',
    count: 'more boards won',
    resignation: `${lost} resigned`,
    flag: `${lost} ran out of time`,
    illegal_move: `${lost} made an illegal move`,
    crash: `${lost} crashed`,
    stall: `${lost} stopped answering`,
    disconnection: `${lost} left the game`,
    adjudication: 'the game was ended early by a rule of its event',
  };
  return reasons[termination] ?? termination.replaceAll('_', ' ');
}

/** What an event other than a move means, for the live region and the notes; empty where it says nothing new.
 * @param {RoomState} room @param {any} event @param {Marks} marks */
export function eventSentence(room, event, marks) {
  switch (event.e) {
    case 'seated':
      return room.you === event.side || room.you === 'both' ? '' : `${event.seat.name} sits down as ${marks[/** @type {Side} */ (event.side)]}.`;
    case 'started':
      return `The game starts. ${statusSentence(room, marks)}`;
    case 'ended':
      return [resultSentence(room, marks), ratedSentence(room)].filter(Boolean).join(' ');
    case 'offered':
      return room.you === event.by ? '' : offerSentence(room, event, marks);
    case 'declined':
      return `The ${offerNoun(event.what)} was declined.`;
    case 'takenback':
      return `Taken back. ${statusSentence(room, marks)}`;
    default:
      return '';
  }
}

/** @param {RoomState} room @param {import('./types.js').Offer} offer @param {Marks} marks */
export function offerSentence(room, offer, marks) {
  const who = whom(room, offer.by, marks);
  if (offer.what === 'draw') return `${verb(who, 'offer', 'offers')} a draw.`;
  if (offer.what === 'takeback') return `${verb(who, 'ask', 'asks')} to take a move back.`;
  return `${verb(who, 'want', 'wants')} another game.`;
}

/** @param {string} what */
function offerNoun(what) {
  return what === 'takeback' ? 'takeback' : what === 'draw' ? 'draw' : 'rematch';
}

/** Why a click on this cell did nothing. @param {RoomState} room @param {Map<string, Side>} marksOn @param {string} cell */
export function refusalSentence(room, marksOn, cell) {
  const { game } = room;
  if (game.result || !game.started || !room.you) return '';
  if (marksOn.has(cell)) return `${capital(spokenMove(cell))} is taken.`;
  if (!isMyTurn(room)) return 'It is not your turn yet.';
  return `${capital(spokenMove(cell))} is not open now: play in ${targetWords(room) || 'an empty cell'}.`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a bot found, in one line without the moves that it expects. @param {import('./types.js').Search} search */
export function searchWords(search) {
  const parts = [`depth ${search.depth}`, `${countWords(search.nodes)} nodes`];
  if (search.win_in) parts.push(search.win_in > 0 ? `wins in ${search.win_in}` : `loses in ${-search.win_in}`);
  else if (search.value !== null && search.value !== undefined) parts.push(valueWords(search.value));
  return parts.join(' · ');
}

/** A large number as one says it: 950, 34.5 k, 1.2 M. @param {number} count */
export function countWords(count) {
  const [divisor, letter] = count >= 999.5e6 ? [1e9, ' G'] : count >= 999.5e3 ? [1e6, ' M'] : count >= 1e4 ? [1e3, ' k'] : [1, ''];
  const shown = count / divisor;
  return (divisor > 1 && shown < 100 ? shown.toFixed(1) : Math.round(shown).toLocaleString('en')) + letter;
}

/** A value in the bot's own scale, for the side that moved. @param {number} value */
function valueWords(value) {
  const size = Math.abs(value);
  const shown = size >= 100 ? Math.round(size).toLocaleString('en') : String(Number(size.toPrecision(3)));
  return (value > 0 ? '+' : value < 0 ? '−' : '') + shown;
}

const LEVELS = ['a beginner', 'easy', 'casual', 'fair', 'good', 'strong', 'very strong', 'as strong as it gets'];

/** "4 of 8 · fair" @param {number} level from 1 @param {number} highest */
export function levelWords(level, highest) {
  const place = highest > 1 ? Math.round(((level - 1) / (highest - 1)) * (LEVELS.length - 1)) : LEVELS.length - 1;
  return `${level} of ${highest} · ${LEVELS[place]}`;
}

/** @param {{done: number, of: number}} warming */
export function warmingWords(warming) {
  return warming.of ? `The bots are warming up: ${warming.done} of ${warming.of}.` : 'The bots are warming up.';
}

/** @param {string} text @param {number} count */
export function plural(text, count) {
  return `${count} ${text}${count === 1 ? '' : 's'}`;
}
