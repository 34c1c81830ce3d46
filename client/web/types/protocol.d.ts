// Made of docs/protocol.schema.json by `npm run types` in tests/web: not to be edited.

export interface Protocol {
  client:
    | Hello
    | Create
    | Join
    | Watch
    | Leave
    | Move
    | Act
    | Rematch
    | Say
    | Resume
    | LobbyRequest
    | ReviewRequest
    | CancelReview
    | Forget
    | Ping;
  server:
    | Welcome
    | Room
    | Ack
    | Error
    | Lobby
    | Pong
    | Present
    | Spectators
    | Announcement
    | Thinking
    | Review
    | Seated
    | Started
    | Moved
    | Ended
    | Offered
    | Declined
    | TakenBack
    | Said;
  answers: {
    '/api/bots': BotAnswer[];
    '/api/bots?game=': BotAnswer[];
    '/api/rules': RulesAnswer[];
    '/api/rules?game=': RulesAnswer;
    '/api/warm-up': WarmUpAnswer;
    '/api/games': GamesAnswer;
    '/api/games/{id}': GameAnswer;
    '/api/games/{id}/review': ReviewAnswer;
    '/api/games/{id}/share': ShareAnswer;
    'POST /api/games/{id}/share': ShareAnswer;
    'DELETE /api/games/{id}/share': ShareAnswer;
    '/api/explorer?game=&moves=': ExplorerAnswer;
    '/api/ladder': LadderAnswer;
    '/api/ladder?run=': ListPageAnswer;
    '/api/ladder/history?run=': HistoryAnswer;
    '/api/ladder/live?ladder=': LiveAnswer;
    '/api/players/{id}': PlayerAnswer;
    '/api/players/me': Player;
    '/api/players/me/bots': OwnBotsAnswer;
    'POST /api/players/me/bots?name=': NewTokenAnswer;
    'POST /api/players/me/bots/{id}/token': NewTokenAnswer;
    'DELETE /api/players/me/bots/{id}/token': OwnBotAnswer;
    '/api/stats': StatsAnswer;
    'any of them, refused': Failure;
  };
}
/**
 * The first message of every connection; later only to rename.
 */
export interface Hello {
  t: 'hello';
  /**
   * of the protocol: 1
   */
  v: number;
  token?: string | null;
  name?: string | null;
  kind?: ('bot' | 'person') | null;
  id?: number | null;
}
/**
 * Make a room; answered by `room`.
 */
export interface Create {
  t: 'create';
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  seat?: ('none' | 'o' | 'random' | 'x') | null;
  opponent?: Opponent | null;
  bots?: Bots | null;
  clock?: ClockSettings | null;
  limit?: BotLimit | null;
  rated?: boolean | null;
  start?: string[] | null;
  pace?: 'human' | null;
  id?: number | null;
}
/**
 * Who takes the other seat: anyone, an invited one, a bot, one player, or the sender.
 */
export interface Opponent {
  kind: 'bot' | 'invite' | 'open' | 'player' | 'self';
  bot?: string | null;
  player?: string | null;
}
/**
 * Two bots that play each other.
 */
export interface Bots {
  /**
   * a bot of this server: NAME[:P1[,P2]]
   */
  x: string;
  /**
   * a bot of this server: NAME[:P1[,P2]]
   */
  o: string;
}
/**
 * Either `initial_ms` with `increment_ms`, or `move_ms`; bounds are checked where a room is made.
 */
export interface ClockSettings {
  initial_ms?: number | null;
  increment_ms?: number | null;
  move_ms?: number | null;
}
/**
 * What a bot may spend on one move: exactly one of the three.
 */
export interface BotLimit {
  move_ms?: number | null;
  nodes?: number | null;
  depth?: number | null;
}
/**
 * Take the free seat; give either of the two. Answered by `room`.
 */
export interface Join {
  t: 'join';
  room?: string | null;
  code?: string | null;
  id?: number | null;
}
/**
 * Follow a room without a seat; an invite room needs its code. Answered by `room`.
 */
export interface Watch {
  t: 'watch';
  /**
   * a room
   */
  room: string;
  code?: string | null;
  id?: number | null;
}
/**
 * End this connection's part in a room; a seat stays its holder's. Answered by `ack`.
 */
export interface Leave {
  t: 'leave';
  /**
   * a room
   */
  room: string;
  id?: number | null;
}
/**
 * Answered by `ack` after the commit, with the number of its event.
 */
export interface Move {
  t: 'move';
  /**
   * a room
   */
  room: string;
  /**
   * the game's serial number
   */
  game: number;
  /**
   * index in `moves`
   */
  ply: number;
  /**
   * a cell: a1, a1.1 or 5/3
   */
  move: string;
  after?: number | null;
  id?: number | null;
}
/**
 * Anything else that a seat holder may do in a game. Answered by `ack`.
 */
export interface Act {
  t: 'act';
  /**
   * a room
   */
  room: string;
  /**
   * the game's serial number
   */
  game: number;
  action:
    | 'abort'
    | 'accept_draw'
    | 'accept_takeback'
    | 'claim_win'
    | 'decline_challenge'
    | 'decline_draw'
    | 'decline_rematch'
    | 'decline_takeback'
    | 'offer_draw'
    | 'offer_takeback'
    | 'resign';
  id?: number | null;
}
/**
 * Ask for another game with sides swapped, or agree to one. Answered by `ack`.
 */
export interface Rematch {
  t: 'rematch';
  /**
   * a room
   */
  room: string;
  id?: number | null;
}
/**
 * Chat with everybody in the room. Answered by `ack`.
 */
export interface Say {
  t: 'say';
  /**
   * a room
   */
  room: string;
  /**
   * for people, never HTML
   */
  text: string;
  id?: number | null;
}
/**
 * What came after `seq`: answered by `ack` and events, or by `room` where they are no longer kept.
 */
export interface Resume {
  t: 'resume';
  /**
   * a room
   */
  room: string;
  /**
   * the last seq that was seen
   */
  seq: number;
  id?: number | null;
}
/**
 * Receive the lobby, or of it only challenges, now and on each change, or no longer. Answered by `lobby`.
 */
export interface LobbyRequest {
  t: 'lobby';
  on: boolean;
  only?: 'challenges' | null;
  id?: number | null;
}
/**
 * Have the moves of a finished game judged, or be told what was judged. Answered by `ack`, then by `review`s.
 */
export interface ReviewRequest {
  t: 'review';
  /**
   * the id of a game record
   */
  game: number;
  id?: number | null;
}
/**
 * Be told no more of a review, which ends when nobody waits for it. Answered by `ack`.
 */
export interface CancelReview {
  t: 'cancel_review';
  /**
   * the id of a game record
   */
  game: number;
  id?: number | null;
}
/**
 * Delete this player and what is known of them; see docs/privacy.md. Answered by `ack`, then the line is closed.
 */
export interface Forget {
  t: 'forget';
  id?: number | null;
}
/**
 * Answered by `pong` with the same `ts`.
 */
export interface Ping {
  t: 'ping';
  /**
   * Unix time in milliseconds
   */
  ts: number;
  id?: number | null;
}
/**
 * Who you are: `token` only when new, `rooms` where you hold a seat and the game waits or runs.
 */
export interface Welcome {
  t: 'welcome';
  /**
   * of the protocol: 1
   */
  v: number;
  player: Player;
  /**
   * Items: a room
   */
  rooms: string[];
  token?: string | null;
  held?: HeldRoom[] | null;
  id?: number | null;
}
/**
 * Who somebody is.
 */
export interface Player {
  /**
   * a player, person or bot
   */
  id: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  kind: 'bot' | 'person';
}
/**
 * A room where the player who is told of it holds a seat.
 */
export interface HeldRoom {
  /**
   * a room
   */
  room: string;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  opponent?: Player | null;
}
/**
 * The whole of a room, as one viewer may see it.
 */
export interface Room {
  t: 'room';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  game: GameView;
  seats: Seats;
  clock: ClockView | null;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  offers: Offer[];
  chat: ChatLine[];
  /**
   * connections that follow without a seat
   */
  spectators: number;
  rated: boolean;
  you: ('both' | 'o' | 'x') | null;
  code?: string | null;
  absent_ms?: number | null;
  /**
   * false where a bot plays that cannot go back, so that no move is taken back
   */
  takebacks?: boolean;
  id?: number | null;
}
/**
 * A game of a room: `legal`, `to_move` and `forced` are for the position after `moves`.
 */
export interface GameView {
  /**
   * number of the game in its room, from 1
   */
  serial: number;
  id: number | null;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  start: string[];
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  moves: string[];
  to_move: ('o' | 'x') | null;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  legal: string[];
  started: boolean;
  result: Result | null;
  last?: string | null;
  line?: string[] | null;
  forced?: number | null;
  fault?: string | null;
}
/**
 * How a game ended: who won, apart from why.
 */
export interface Result {
  winner: ('o' | 'x') | null;
  termination:
    | 'aborted'
    | 'adjudication'
    | 'agreement'
    | 'board_full'
    | 'count'
    | 'crash'
    | 'disconnection'
    | 'flag'
    | 'illegal_move'
    | 'line'
    | 'resignation'
    | 'stall';
  /**
   * aborted because who was challenged does not want to play
   */
  declined?: boolean;
}
/**
 * Who sits on either side, null where the seat is free.
 */
export interface Seats {
  x: Seat | null;
  o: Seat | null;
}
/**
 * Who sits: `bot` is set for a bot that this server runs, `rating` where this kind of game has one of theirs.
 */
export interface Seat {
  /**
   * a player, person or bot
   */
  id: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  kind: 'bot' | 'person';
  present: boolean;
  bot?: string | null;
  rating?: RatingView | null;
  claim_ms?: number | null;
}
/**
 * A player's rating in a kind of game; nobody has one before their first rated game of it.
 */
export interface RatingView {
  /**
   * on the scale of Elo; newcomers begin with 1500
   */
  value: number;
  /**
   * how far the rating may be off: twice this, 19 times in 20
   */
  deviation: number;
  /**
   * true after few rated games or long without one
   */
  provisional?: boolean;
  change?: number | null;
}
/**
 * What either side has left as of `ts`, and whose time runs.
 */
export interface ClockView {
  /**
   * milliseconds
   */
  x_ms: number;
  /**
   * milliseconds
   */
  o_ms: number;
  running: ('o' | 'x') | null;
  initial_ms?: number | null;
  increment_ms?: number | null;
  move_ms?: number | null;
}
/**
 * An open offer.
 */
export interface Offer {
  by: 'o' | 'x';
  what: 'draw' | 'rematch' | 'takeback';
}
/**
 * Something said.
 */
export interface ChatLine {
  by: Author;
  /**
   * for people, never HTML
   */
  text: string;
  /**
   * Unix time in milliseconds
   */
  ts: number;
}
/**
 * Who said something, by the name of that time.
 */
export interface Author {
  /**
   * a player, person or bot
   */
  id: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
}
/**
 * Done; `seq` is the number of the last event that it brought about.
 */
export interface Ack {
  t: 'ack';
  room?: string | null;
  seq?: number | null;
  id?: number | null;
}
/**
 * A request was refused and changed nothing.
 */
export interface Error {
  t: 'error';
  code:
    | 'bad_bot'
    | 'bad_clock'
    | 'bad_game'
    | 'bad_name'
    | 'busy'
    | 'game_over'
    | 'illegal_move'
    | 'malformed'
    | 'not_found'
    | 'not_now'
    | 'not_seated'
    | 'not_your_turn'
    | 'seat_taken'
    | 'shutting_down'
    | 'stale'
    | 'too_fast'
    | 'too_large'
    | 'unauthorised'
    | 'unavailable'
    | 'unknown_bot'
    | 'unknown_type'
    | 'unsupported_version';
  /**
   * for people, never HTML
   */
  message: string;
  room?: string | null;
  game?: number | null;
  field?: RefusedField | null;
  id?: number | null;
}
/**
 * Which field of a request was refused, so that a form can say so beside it, in the field's own units.
 */
export interface RefusedField {
  /**
   * of the field, as in game, clock.initial_ms, opponent.bot
   */
  name: string;
  least?: number | null;
  most?: number | null;
}
/**
 * What is going on; each list is cut at 50 rows. `challenges` are those to you.
 */
export interface Lobby {
  t: 'lobby';
  seeks: Seek[];
  rooms: RunningRoom[];
  /**
   * how many players are connected
   */
  players: number;
  challenges: Seek[];
  /**
   * who is connected and may be challenged
   */
  people: Player[];
  only?: 'challenges' | null;
  id?: number | null;
}
/**
 * An open seek or a challenge: `by` waits in `seat`, the other seat is free.
 */
export interface Seek {
  /**
   * a room
   */
  room: string;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  clock: ClockSettings | null;
  rated: boolean;
  by: ListedPlayer;
  seat: 'o' | 'x';
}
/**
 * Who sits in a game that the lobby lists, with their rating in this kind of game.
 */
export interface ListedPlayer {
  /**
   * a player, person or bot
   */
  id: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  kind: 'bot' | 'person';
  rating?: RatingView | null;
}
/**
 * A running game that anyone may watch. The first of a list show their boards, the others leave `board` out.
 */
export interface RunningRoom {
  /**
   * a room
   */
  room: string;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  x: ListedPlayer;
  o: ListedPlayer;
  /**
   * how many moves were played, `start` left out
   */
  plies: number;
  /**
   * connections that follow without a seat
   */
  spectators: number;
  clock?: ClockSettings | null;
  rated?: boolean;
  board?: string | null;
  owners?: string | null;
  last?: string | null;
}
/**
 * The answer to `ping`.
 */
export interface Pong {
  t: 'pong';
  /**
   * Unix time in milliseconds
   */
  ts: number;
  /**
   * Unix time in milliseconds
   */
  server_ms: number;
  id?: number | null;
}
/**
 * Whether the holder of a seat follows the room with any connection.
 */
export interface Present {
  t: 'present';
  /**
   * a room
   */
  room: string;
  side: 'o' | 'x';
  present: boolean;
  claim_ms?: number | null;
  id?: number | null;
}
/**
 * How many connections follow the room without a seat.
 */
export interface Spectators {
  t: 'spectators';
  /**
   * a room
   */
  room: string;
  /**
   * connections that follow without a seat
   */
  count: number;
  id?: number | null;
}
/**
 * What the operator tells everybody, also after `welcome` while it holds; empty once it holds no longer.
 */
export interface Announcement {
  t: 'announcement';
  /**
   * for people, never HTML
   */
  text: string;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  id?: number | null;
}
/**
 * What a bot's running search has found so far; at most four a second.
 */
export interface Thinking {
  t: 'thinking';
  /**
   * a room
   */
  room: string;
  /**
   * positions made by a search
   */
  nodes: number;
  /**
   * plies a search looked ahead
   */
  depth: number;
  value: number | null;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  pv: string[];
  win_in?: number | null;
  id?: number | null;
}
/**
 * The moves judged since the message before; the first holds all that are known. At most four a second.
 */
export interface Review {
  t: 'review';
  /**
   * of the game record
   */
  game: number;
  /**
   * moves judged so far; the review is over when it is `of`
   */
  done: number;
  /**
   * moves of the game, `start` left out
   */
  of: number;
  moves: JudgedMove[];
  id?: number | null;
}
/**
 * What a review says of a move, for whoever made it: `won`, `drawn` and `lost` are exact, the others estimates.
 */
export interface JudgedMove {
  /**
   * index in `moves`, which leaves `start` out
   */
  ply: number;
  /**
   * what the move leads to
   */
  verdict: 'better' | 'drawn' | 'even' | 'lost' | 'won' | 'worse';
  /**
   * decided by a solver or a proof, else estimated
   */
  exact: boolean;
  /**
   * 1, 0 or -1 where it is exact, else an estimate strictly between
   */
  value: number;
  /**
   * the best line from before the move; begins with it where none is better
   *
   * Items: a cell: a1, a1.1 or 5/3
   */
  best: string[];
  /**
   * what the first move of `best` leads to
   */
  could: 'better' | 'drawn' | 'even' | 'lost' | 'won' | 'worse';
  win_in?: number | null;
  /**
   * `win_in` is a bound: it may be sooner
   */
  at_most?: boolean;
  could_in?: number | null;
}
/**
 * Somebody took a seat.
 */
export interface Seated {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'seated';
  side: 'o' | 'x';
  seat: Seat;
}
/**
 * A game began; `legal` is filled in for the member to move.
 */
export interface Started {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'started';
  game: GameView;
  clock: ClockView | null;
}
/**
 * A move, with the clock after it.
 */
export interface Moved {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'moved';
  /**
   * index in `moves`, which leaves `start` out
   */
  ply: number;
  /**
   * a cell: a1, a1.1 or 5/3
   */
  move: string;
  by: 'o' | 'x';
  /**
   * milliseconds
   */
  think_ms: number;
  clock: ClockView | null;
  to_move: ('o' | 'x') | null;
  legal?: string[] | null;
  forced?: number | null;
  search?: Search | null;
}
/**
 * What a bot's search found: `value` in the bot's own scale, from the mover's side.
 */
export interface Search {
  /**
   * positions made by a search
   */
  nodes: number;
  /**
   * plies a search looked ahead
   */
  depth: number;
  value: number | null;
  win_in: number | null;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  pv: string[];
  /**
   * `value` is the exact result of best play
   */
  proven?: boolean;
  /**
   * found before the server had compiled the bot's search
   */
  interpreted?: boolean;
  /**
   * `win_in` is a bound: it may be sooner; true where it is left out, unlike in reviews
   */
  at_most?: boolean;
}
/**
 * The game is over: who won, apart from why. `ratings` where it counted for them.
 */
export interface Ended {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'ended';
  winner: ('o' | 'x') | null;
  termination:
    | 'aborted'
    | 'adjudication'
    | 'agreement'
    | 'board_full'
    | 'count'
    | 'crash'
    | 'disconnection'
    | 'flag'
    | 'illegal_move'
    | 'line'
    | 'resignation'
    | 'stall';
  clock: ClockView | null;
  line?: string[] | null;
  ratings?: Ratings | null;
  fault?: string | null;
  /**
   * aborted because who was challenged does not want to play
   */
  declined?: boolean;
}
/**
 * What a rated game made of both players' ratings.
 */
export interface Ratings {
  x: RatingChange;
  o: RatingChange;
}
/**
 * What a rated game made of a player's rating; `deviation` and `provisional` are of the new one.
 */
export interface RatingChange {
  /**
   * on the scale of Elo; newcomers begin with 1500
   */
  before: number;
  /**
   * on the scale of Elo; newcomers begin with 1500
   */
  after: number;
  /**
   * how far the rating may be off: twice this, 19 times in 20
   */
  deviation: number;
  /**
   * true after few rated games or long without one
   */
  provisional?: boolean;
}
/**
 * A side offers a draw or a rematch, or asks for a takeback.
 */
export interface Offered {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'offered';
  by: 'o' | 'x';
  what: 'draw' | 'rematch' | 'takeback';
}
/**
 * A side declines its opponent's offer.
 */
export interface Declined {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'declined';
  by: 'o' | 'x';
  what: 'draw' | 'rematch' | 'takeback';
  /**
   * nobody declined it: who made the offer is gone
   */
  lapsed?: boolean;
}
/**
 * Moves were taken back; `moves` and `clock` are as they were before them.
 */
export interface TakenBack {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'takenback';
  /**
   * the next to play
   */
  ply: number;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  moves: string[];
  clock: ClockView | null;
  to_move: ('o' | 'x') | null;
  legal?: string[] | null;
  forced?: number | null;
}
/**
 * A line of chat.
 */
export interface Said {
  t: 'event';
  /**
   * a room
   */
  room: string;
  /**
   * number of an event in its room, from 1 without a gap
   */
  seq: number;
  /**
   * Unix time in milliseconds
   */
  ts: number;
  e: 'said';
  by: Author;
  /**
   * for people, never HTML
   */
  text: string;
}
/**
 * A family of bots; `name` has every default filled in.
 */
export interface BotAnswer {
  /**
   * the bot's name without its parameters
   */
  family: string;
  /**
   * a bot of this server: NAME[:P1[,P2]]
   */
  name: string;
  /**
   * for people, never HTML
   */
  title: string;
  /**
   * how it plays, in one sentence
   */
  character: string;
  /**
   * the games that it plays, for people to read: every game, or their ids
   */
  games: string;
  /**
   * which of the listed games it plays; ask about any other with game=
   *
   * Items: a kind of game: qubic, mnk:5,4,4, ...
   */
  plays: string[];
  /**
   * false for a bot of the literature and for an engine
   */
  ours: boolean;
  /**
   * true for another's program, which this server hosts
   */
  engine: boolean;
  /**
   * another when its play changes
   */
  version: number;
  /**
   * where the idea comes from
   */
  source: string;
  parameters: ParameterAnswer[];
  opening_plies?: number | null;
  /**
   * strengths measured in the game that was asked for, by full name
   */
  strengths?: {
    /**
     * for people, never HTML
     */
    [k: string]: string;
  };
  /**
   * ratings in the game that was asked for, by full name, of those that played rated games of it
   */
  ratings?: {
    [k: string]: RatingView;
  };
}
/**
 * A parameter of a family of bots: a whole number from `min` to `max`, or one of `choices`; else `default`.
 */
export interface ParameterAnswer {
  /**
   * as in the names of bots, in lower case
   */
  name: string;
  /**
   * for people, never HTML
   */
  meaning: string;
  default: number | string;
  min?: number | null;
  max?: number | null;
  choices?: string[] | null;
}
/**
 * A game as a page needs it: `dimensions` are columns, rows and, of a cube, levels.
 */
export interface RulesAnswer {
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  id: string;
  /**
   * the game's name, for people to read
   */
  name: string;
  /**
   * the rules, in three sentences
   */
  sentences: string[];
  dimensions: number[];
  nested: boolean;
}
/**
 * How far this server has compiled the bots' searches; until then those bots keep people waiting.
 */
export interface WarmUpAnswer {
  warm: boolean;
  /**
   * stages that are complete
   */
  done: number;
  /**
   * stages in all; 0 until that is known
   */
  of: number;
}
/**
 * A page of games, newest first; continue with `before` = `next`.
 */
export interface GamesAnswer {
  games: GameAnswer[];
  next: number | null;
}
/**
 * A recorded game; `winner`, `termination`, `plies` and `ended_ms` are null while it runs.
 */
export interface GameAnswer {
  /**
   * of the game record
   */
  id: number;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  /**
   * where it was played: room, match, experiment or ladder
   */
  source: string;
  x: Player;
  o: Player;
  rated: boolean;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  start: string[];
  clock: ClockSettings | null;
  /**
   * Unix time in milliseconds
   */
  started_ms: number;
  ended_ms: number | null;
  winner: ('o' | 'x') | null;
  termination:
    | (
        | 'aborted'
        | 'adjudication'
        | 'agreement'
        | 'board_full'
        | 'count'
        | 'crash'
        | 'disconnection'
        | 'flag'
        | 'illegal_move'
        | 'line'
        | 'resignation'
        | 'stall'
      )
    | null;
  plies: number | null;
  room?: string | null;
  serial?: number | null;
  private?: boolean;
  x_version?: number | null;
  o_version?: number | null;
  x_limit?: BotLimit | null;
  o_limit?: BotLimit | null;
  run?: string | null;
  pair?: number | null;
  pair_game?: number | null;
  opening?: string | null;
  fault?: string | null;
  moves?: MoveAnswer[] | null;
  /**
   * the cells of the winning line; sent with the moves only
   *
   * Items: a cell: a1, a1.1 or 5/3
   */
  line?: string[];
}
/**
 * Times in ms, `at_ms` Unix time; the search figures are a bot's.
 */
export interface MoveAnswer {
  /**
   * index in `moves`, which leaves `start` out
   */
  ply: number;
  /**
   * a cell: a1, a1.1 or 5/3
   */
  move: string;
  by: 'o' | 'x';
  /**
   * Unix time in milliseconds
   */
  at_ms: number;
  /**
   * milliseconds
   */
  think_ms: number;
  think_us?: number | null;
  wait_ms?: number | null;
  x_ms?: number | null;
  o_ms?: number | null;
  nodes?: number | null;
  depth?: number | null;
  value?: number | null;
  win_in?: number | null;
  pruned?: number | null;
  /**
   * the best line that it found, from this move on
   *
   * Items: a cell: a1, a1.1 or 5/3
   */
  pv?: string[];
}
/**
 * What is stored of a game's review; asking here judges nothing.
 */
export interface ReviewAnswer {
  /**
   * of the game record
   */
  game: number;
  /**
   * version of the review; when it rises, games are judged again
   */
  version: number;
  /**
   * moves judged so far, starting from the last
   */
  done: number;
  /**
   * how many moves were played, `start` left out
   */
  of: number;
  moves: JudgedMove[];
}
/**
 * Whether a private game has a link for whoever holds it, which the page has at `/game/{id}#share=SECRET`.
 */
export interface ShareAnswer {
  shared: boolean;
  made_ms?: number | null;
  secret?: string | null;
}
/**
 * A position and its counted games: finished, public, not aborted. Positions that are alike are one.
 *
 * `games` and how they ended are those that went on from here; `next` holds the moves that players chose, the most
 * frequent first, and `set_up` those that were made beforehand, as in a ladder's openings.
 */
export interface ExplorerAnswer {
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  moves: string[];
  /**
   * null when the game is over
   */
  to_move: ('o' | 'x') | null;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  legal: string[];
  /**
   * the cells of the lines that the last move completed
   *
   * Items: a cell: a1, a1.1 or 5/3
   */
  line: string[];
  /**
   * number of games
   */
  games: number;
  /**
   * number of games
   */
  x_won: number;
  /**
   * number of games
   */
  drawn: number;
  /**
   * number of games
   */
  o_won: number;
  next: ExploredMove[];
  set_up: ExploredMove[];
  /**
   * finished games that are still to be counted
   */
  pending: number;
  forced?: number | null;
  winner?: ('o' | 'x') | null;
  termination?:
    | (
        | 'aborted'
        | 'adjudication'
        | 'agreement'
        | 'board_full'
        | 'count'
        | 'crash'
        | 'disconnection'
        | 'flag'
        | 'illegal_move'
        | 'line'
        | 'resignation'
        | 'stall'
      )
    | null;
}
/**
 * A move of this position and how the games with it ended.
 */
export interface ExploredMove {
  /**
   * a cell: a1, a1.1 or 5/3
   */
  move: string;
  /**
   * the other moves that are the same by a symmetry of this position
   *
   * Items: a cell: a1, a1.1 or 5/3
   */
  alike: string[];
  /**
   * number of games
   */
  games: number;
  /**
   * number of games
   */
  x_won: number;
  /**
   * number of games
   */
  drawn: number;
  /**
   * number of games
   */
  o_won: number;
  /**
   * id of the newest game with it
   */
  last_game: number;
}
/**
 * Every list, the newest first.
 */
export interface LadderAnswer {
  lists: ListAnswer[];
}
/**
 * A list of a ladder: bots of one game under one limit.
 */
export interface ListAnswer {
  /**
   * a list of a ladder: LADDER/LIST/DIGEST, the digest being that of its first settings
   */
  run: string;
  /**
   * the ladder's name
   */
  ladder: string;
  /**
   * the list's name in its ladder
   */
  list: string;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  limit: BotLimit | null;
  /**
   * finished games; aborted ones do not count
   */
  games: number;
  /**
   * Unix time in milliseconds
   */
  created_ms: number;
  rated_ms: number | null;
  advantage: number | null;
  drawing: number | null;
  /**
   * whether its ladder is running and has played this list lately
   */
  running: boolean;
}
/**
 * A list with all that is known of it. X moves first.
 */
export interface ListPageAnswer {
  /**
   * a list of a ladder: LADDER/LIST/DIGEST, the digest being that of its first settings
   */
  run: string;
  /**
   * the ladder's name
   */
  ladder: string;
  /**
   * the list's name in its ladder
   */
  list: string;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  limit: BotLimit | null;
  /**
   * finished games; aborted ones do not count
   */
  games: number;
  /**
   * Unix time in milliseconds
   */
  created_ms: number;
  rated_ms: number | null;
  advantage: number | null;
  drawing: number | null;
  /**
   * whether its ladder is running and has played this list lately
   */
  running: boolean;
  /**
   * number of games
   */
  x_won: number;
  /**
   * number of games
   */
  drawn: number;
  /**
   * number of games
   */
  o_won: number;
  /**
   * games that ended after the ratings were computed
   */
  unrated: number;
  standings: StandingAnswer[];
  crosstable: CrosstableAnswer;
  /**
   * most played first
   */
  openings: OpeningAnswer[];
}
/**
 * A bot of a list. `place` and the ratings are null until they have been computed; the counts are of now.
 */
export interface StandingAnswer {
  place: number | null;
  /**
   * a player, person or bot
   */
  player: string;
  /**
   * a bot of this server: NAME[:P1[,P2]]
   */
  bot: string;
  version: number | null;
  /**
   * number of versions of this bot that have played here
   */
  versions: number;
  rating: number | null;
  low: number | null;
  high: number | null;
  superiority: number | null;
  /**
   * number of games
   */
  games: number;
  /**
   * number of games
   */
  won: number;
  /**
   * number of games
   */
  drawn: number;
  /**
   * number of games
   */
  lost: number;
  /**
   * 1 for a win, 0.5 for a draw
   */
  points: number;
  /**
   * games lost by a crash, a stall, an illegal move or on time
   */
  faults: number;
  /**
   * whether it was taken out for its faults
   */
  retired: boolean;
  /**
   * whether it left the list, or a newer version took its place
   */
  left: boolean;
}
/**
 * Everybody against everybody, in the order of the standings.
 */
export interface CrosstableAnswer {
  /**
   * the bots of the rows, and of the columns
   *
   * Items: a player, person or bot
   */
  bots: string[];
  /**
   * row by row, what the row's bot scored against the column's; null where they have not met
   */
  cells: (CellAnswer | null)[][];
}
/**
 * What one bot scored against another.
 */
export interface CellAnswer {
  /**
   * 1 for a win, 0.5 for a draw
   */
  points: number;
  /**
   * number of games
   */
  games: number;
}
/**
 * An opening of a list.
 */
export interface OpeningAnswer {
  /**
   * its moves, in the form that `opening` of /api/games takes
   */
  opening: string;
  /**
   * number of games
   */
  games: number;
}
/**
 * Standings over time: the ratings after so many games. Intervals are quicker and coarser than in the standings.
 */
export interface HistoryAnswer {
  /**
   * a list of a ladder: LADDER/LIST/DIGEST, the digest being that of its first settings
   */
  run: string;
  /**
   * finished games at each of the points, rising
   */
  games: number[];
  /**
   * when the last game of each point ended
   *
   * Items: Unix time in milliseconds
   */
  ended_ms: number[];
  /**
   * the strongest at the end first
   */
  bots: HistoryBot[];
}
/**
 * A bot of a list over time.
 */
export interface HistoryBot {
  /**
   * a bot of this server: NAME[:P1[,P2]]
   */
  bot: string;
  version: number | null;
  /**
   * in Elo, at each of the points; null before the bot's first game
   */
  rating: (number | null)[];
  /**
   * in Elo, at each of the points; null before the bot's first game
   */
  low: (number | null)[];
  /**
   * in Elo, at each of the points; null before the bot's first game
   */
  high: (number | null)[];
}
/**
 * What there is to watch: null while no game is shown, which is no error.
 */
export interface LiveAnswer {
  live: LiveGame | null;
}
/**
 * A game that a ladder is playing now.
 */
export interface LiveGame {
  /**
   * a list of a ladder: LADDER/LIST/DIGEST, the digest being that of its first settings
   */
  run: string;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  x: Player;
  o: Player;
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  start: string[];
  /**
   * Items: a cell: a1, a1.1 or 5/3
   */
  moves: string[];
  /**
   * Unix time in milliseconds
   */
  begun_ms: number;
  /**
   * Unix time in milliseconds
   */
  updated_ms: number;
}
/**
 * Who a player is and how they play. Games are listed by /api/games?player=.
 */
export interface PlayerAnswer {
  /**
   * a player, person or bot
   */
  id: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  kind: 'bot' | 'person';
  /**
   * Unix time in milliseconds
   */
  since_ms: number;
  bot: FamilyAnswer | null;
  /**
   * online ratings, most played game first
   */
  ratings: RatingAnswer[];
  /**
   * newest list first
   */
  ladder: EntryAnswer[];
  /**
   * game with the most moves first
   */
  times: TimeAnswer[];
}
/**
 * What a bot of this server is; `current` is false for a version that it no longer plays.
 */
export interface FamilyAnswer {
  /**
   * the bot's name without its parameters
   */
  family: string;
  /**
   * for people, never HTML
   */
  title: string;
  /**
   * how it plays, in one sentence
   */
  character: string;
  /**
   * where the idea comes from
   */
  source: string;
  /**
   * version of the bot's play
   */
  version: number;
  /**
   * number of versions of this bot that have played here
   */
  versions: number;
  current: boolean;
}
/**
 * A player's online rating in one game.
 */
export interface RatingAnswer {
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  /**
   * Glicko-2; everybody starts at 1500
   */
  rating: number;
  /**
   * Glicko-2: how uncertain the rating is; everybody starts at 350
   */
  deviation: number;
  /**
   * number of games
   */
  games: number;
  /**
   * Unix time of the start of the day (UTC) of the last rated game
   */
  updated_ms: number;
  /**
   * the ratings after public games, oldest first; at most the newest 500
   */
  history: RatingPointAnswer[];
}
/**
 * A rating after a rated game.
 */
export interface RatingPointAnswer {
  /**
   * Unix time in milliseconds
   */
  at_ms: number;
  /**
   * Glicko-2; everybody starts at 1500
   */
  rating: number;
  /**
   * Glicko-2: how uncertain the rating is; everybody starts at 350
   */
  deviation: number;
}
/**
 * A player's place in a list of a ladder.
 */
export interface EntryAnswer {
  /**
   * a list of a ladder: LADDER/LIST/DIGEST, the digest being that of its first settings
   */
  run: string;
  /**
   * the ladder's name
   */
  ladder: string;
  /**
   * the list's name in its ladder
   */
  list: string;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  rated_ms: number | null;
  /**
   * place in the list, from 1
   */
  place: number;
  /**
   * number of bots in the list
   */
  of: number;
  /**
   * Elo; the mean of a list is 0
   */
  rating: number;
  /**
   * lower end of the rating's 95 % interval
   */
  low: number;
  /**
   * upper end of the rating's 95 % interval
   */
  high: number;
  /**
   * number of games
   */
  games: number;
  /**
   * 1 for a win, 0.5 for a draw
   */
  points: number;
  retired: boolean;
}
/**
 * What a player's moves in one game took, over their newest games.
 */
export interface TimeAnswer {
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  /**
   * number of games
   */
  games: number;
  /**
   * number of moves
   */
  moves: number;
  /**
   * milliseconds
   */
  median_ms: number;
  /**
   * milliseconds; nine moves out of ten took no longer
   */
  p90_ms: number;
}
/**
 * The bots that one made, the oldest first.
 */
export interface OwnBotsAnswer {
  bots: OwnBotAnswer[];
  /**
   * how many one may have
   */
  most: number;
}
/**
 * A bot of one's own.
 */
export interface OwnBotAnswer {
  /**
   * a player, person or bot
   */
  id: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  /**
   * Unix time in milliseconds
   */
  since_ms: number;
  /**
   * a program is this bot just now
   */
  connected: boolean;
  /**
   * number of games
   */
  games: number;
  last_game_ms?: number | null;
  withdrawn_ms?: number | null;
}
/**
 * A bot, and the token that makes a program this bot: told this once.
 */
export interface NewTokenAnswer {
  bot: OwnBotAnswer;
  /**
   * a bearer secret that proves who one is
   */
  token: string;
}
/**
 * The statistics of the newest public games that ended, aborted ones left out.
 */
export interface StatsAnswer {
  as_of_ms: number | null;
  /**
   * number of games that are counted, at most 100000
   */
  games: number;
  /**
   * how many people played them
   */
  people: number;
  /**
   * how many bots played them
   */
  bots: number;
  /**
   * the 20 with most games, those first
   */
  kinds: KindStats[];
  /**
   * the newest that had games, the oldest of them first
   */
  days: DayCount[];
  /**
   * over the newest 1000 games
   */
  paces: Pace[];
  /**
   * the slowest first, over the newest 1000 games
   */
  movers: BotTimes[];
  /**
   * of bots, over the newest 1000 games
   */
  slowest: SlowMove[];
  /**
   * most games first
   */
  forfeits: Forfeits[];
  /**
   * newest first
   */
  faults: Fault[];
  /**
   * empty: the page draws its charts from the numbers
   *
   * @maxItems 0
   */
  parts: string[];
  /**
   * empty: the page draws its charts from the numbers
   *
   * @maxItems 0
   */
  pictures: string[];
  /**
   * empty: the page draws its charts from the numbers
   *
   * @maxItems 0
   */
  tables: string[];
  /**
   * empty, as `parts`
   */
  said: {
    [k: string]: string;
  };
  /**
   * false: the server draws no charts
   */
  drawing: boolean;
}
/**
 * One kind of game.
 */
export interface KindStats {
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  /**
   * each winner and termination that there was
   */
  results: ResultCount[];
  /**
   * shortest first
   */
  lengths: LengthCount[];
  /**
   * ply by ply, over the newest 200 games of the kind
   */
  times: PlyTime[];
}
/**
 * Games that ended in the same way.
 */
export interface ResultCount {
  winner: ('o' | 'x') | null;
  termination:
    | 'aborted'
    | 'adjudication'
    | 'agreement'
    | 'board_full'
    | 'count'
    | 'crash'
    | 'disconnection'
    | 'flag'
    | 'illegal_move'
    | 'line'
    | 'resignation'
    | 'stall';
  /**
   * number of games
   */
  games: number;
}
/**
 * Games of one length.
 */
export interface LengthCount {
  /**
   * moves of either side, those made beforehand among them
   */
  plies: number;
  /**
   * number of games
   */
  games: number;
}
/**
 * What people, or bots, thought about a ply.
 */
export interface PlyTime {
  kind: 'bot' | 'person';
  /**
   * from 1, moves made beforehand among them
   */
  ply: number;
  /**
   * number of moves
   */
  moves: number;
  /**
   * median, in milliseconds
   */
  median_ms: number;
  /**
   * lower quartile
   */
  low_ms: number;
  /**
   * upper quartile
   */
  high_ms: number;
}
/**
 * Games that began on a day.
 */
export interface DayCount {
  /**
   * Unix time of its beginning in UTC
   */
  day_ms: number;
  /**
   * number of games
   */
  games: number;
}
/**
 * What moves took, of people or of bots.
 */
export interface Pace {
  kind: 'bot' | 'person';
  /**
   * number of moves
   */
  moves: number;
  /**
   * median, in milliseconds
   */
  median_ms: number;
  /**
   * 90th percentile, in milliseconds
   */
  p90_ms: number;
}
/**
 * What a bot's moves took.
 */
export interface BotTimes {
  /**
   * a player, person or bot
   */
  player: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  /**
   * number of games
   */
  games: number;
  /**
   * number of moves
   */
  moves: number;
  /**
   * median, in milliseconds
   */
  median_ms: number;
  /**
   * 90th percentile, in milliseconds
   */
  p90_ms: number;
  /**
   * milliseconds
   */
  longest_ms: number;
  nodes_s: number | null;
}
/**
 * A move that took a bot long.
 */
export interface SlowMove {
  /**
   * the game's id
   */
  game_id: number;
  /**
   * number of moves after it, those made beforehand not among them
   */
  ply: number;
  /**
   * a player, person or bot
   */
  player: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  /**
   * milliseconds
   */
  think_ms: number;
}
/**
 * Games that a bot lost by a fault.
 */
export interface Forfeits {
  /**
   * a player, person or bot
   */
  player: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  termination:
    | 'aborted'
    | 'adjudication'
    | 'agreement'
    | 'board_full'
    | 'count'
    | 'crash'
    | 'disconnection'
    | 'flag'
    | 'illegal_move'
    | 'line'
    | 'resignation'
    | 'stall';
  /**
   * number of games
   */
  games: number;
}
/**
 * A fault that lost a bot a game.
 */
export interface Fault {
  /**
   * the game's id
   */
  game_id: number;
  /**
   * a kind of game: qubic, mnk:5,4,4, ...
   */
  game: string;
  /**
   * a player, person or bot
   */
  player: string;
  /**
   * 1 to 20 printable characters; need not be unique
   */
  name: string;
  termination:
    | 'aborted'
    | 'adjudication'
    | 'agreement'
    | 'board_full'
    | 'count'
    | 'crash'
    | 'disconnection'
    | 'flag'
    | 'illegal_move'
    | 'line'
    | 'resignation'
    | 'stall';
  /**
   * for people, never HTML
   */
  sentence: string;
}
/**
 * Why a request got no answer.
 */
export interface Failure {
  /**
   * for people, never HTML
   */
  error: string;
}
