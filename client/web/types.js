// @ts-check
/**
 * Shapes shared by the modules: the parts of the wire protocol that the page uses, by their names on the wire.
 *
 * @typedef {'x'|'o'} Side
 *
 * @typedef {{id: string, name: string, kind: 'person'|'bot'}} Player
 *
 * @typedef {{value: number, deviation: number, provisional?: boolean, change?: number|null}} Rating
 *   `change` is what the game that is over in this room added to it.
 *
 * @typedef {Player & {rating?: Rating|null}} ListedPlayer
 *
 * @typedef {{id: string, name: string, kind: 'person'|'bot', present: boolean, bot?: string,
 *            rating?: Rating|null}} Seat
 *
 * @typedef {{initial_ms?: number, increment_ms?: number, move_ms?: number}} ClockSettings
 *
 * @typedef {ClockSettings & {x_ms: number, o_ms: number, running: Side|null}} ClockView
 *
 * @typedef {{winner: Side|null, termination: string}} Result
 *
 * @typedef {{serial: number, id: number|null, game: string, start: string[], moves: string[], to_move: Side|null,
 *            legal: string[]|null, last?: string|null, line?: string[]|null, forced?: number|null, started: boolean,
 *            result: Result|null}} GameView
 *   `legal` is null where the server left it out: any empty cell is legal then, or it is not our turn.
 *
 * @typedef {{by: Side, what: 'draw'|'takeback'|'rematch'}} Offer
 *
 * @typedef {{by: {id: string, name: string}, text: string, ts: number}} ChatLine
 *
 * @typedef {{nodes: number, depth: number, value: number|null, win_in?: number|null, pv: string[]}} Search
 *
 * @typedef {{room: string, seq: number, code?: string|null, game: GameView, seats: {x: Seat|null, o: Seat|null},
 *            clock: ClockView|null, ts: number, offers: Offer[], chat: ChatLine[], spectators: number, rated: boolean,
 *            you: 'x'|'o'|'both'|null, thinking?: (Search & {by: Side|null})|null,
 *            searches?: Record<number, Search>}} RoomState
 *   A `room` message, kept up to date by events; `ts` is when `clock` was true; `thinking` is what a bot has found so
 *   far, `searches` what bots found at their moves, by ply, as far as this page was told.
 *
 * @typedef {{id: string, name: string, sentences: string[], dimensions: number[], nested: boolean}} Rules
 *
 * @typedef {{family: string, name: string, title: string, character: string,
 *            parameters: {name: string, meaning?: string, default: string|number, min?: number, max?: number,
 *            choices?: string[]}[], games: string, plays: string[], ours: boolean, version: number,
 *            strengths?: Record<string, string>, measured?: Record<string, number>,
 *            ratings?: Record<string, Rating>}} Bot
 *   By full name: `strengths` are measured ones in words, `measured` the same as levels; `ratings` are those in the game
 *   that was asked for.
 *
 * @typedef {'won'|'drawn'|'lost'|'better'|'even'|'worse'} Verdict
 *   For who made the move; the first three are proven.
 *
 * @typedef {{ply: number, verdict: Verdict, exact: boolean, value: number, win_in?: number|null, best: string[],
 *            at_most?: boolean, could: Verdict, could_in?: number|null}} Judged
 *   What a review says of a move: `best` is the best line from before it, and begins with the move where none is
 *   better; `could` is what that line leads to.
 *
 * @typedef {{room: string, game: string, clock: ClockSettings|null, rated: boolean, by: ListedPlayer, seat: Side}} Seek
 *
 * @typedef {{room: string, game: string, x: ListedPlayer, o: ListedPlayer, plies: number, spectators: number,
 *            clock?: ClockSettings|null, rated?: boolean, board?: string|null, owners?: string|null,
 *            last?: string|null}} RunningRoom
 *   `board` has a character a cell, `owners` one for each of nine boards: x, o or a dot; left out beyond the first few.
 *
 * @typedef {{seeks: Seek[], rooms: RunningRoom[], players: number, challenges: Seek[], people: Player[]}} Lobby
 */
export {};
