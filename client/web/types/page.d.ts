// The page's own types, beside those of the protocol in protocol.d.ts.

import type * as wire from './protocol.js';

export * from './protocol.js';

export type Side = 'x' | 'o';
/** The mark of each side, as the player chose it. */
export type Marks = { x: string; o: string };
export type Rating = wire.RatingView;
export type Verdict = wire.JudgedMove['verdict'];
export type Termination = wire.Result['termination'];

/** Rules in the page's language. */
export type Rules = wire.RulesAnswer;

/**
 * A bot in the page's language; by full name: `strengths` are measured ones in words, `measured` the same as levels.
 */
export interface Bot extends wire.BotAnswer {
  measured?: Record<string, number>;
}

/** `legal` is null where the server left it out: any empty cell is legal then, or it is not our turn. */
export interface GameView extends Omit<wire.GameView, 'legal'> {
  legal: string[] | null;
}

/**
 * A `room` message, kept up to date by events; `ts` is when `clock` was true; `thinking` is the bot's running search,
 * `searches` are finished ones by ply, as far as this page received them.
 */
export interface RoomState extends Omit<wire.Room, 't' | 'id' | 'game'> {
  game: GameView;
  thinking?: (Pick<wire.Thinking, 'nodes' | 'depth' | 'value' | 'win_in' | 'pv'> & { by: Side | null }) | null;
  searches?: Record<number, wire.Search>;
}

/** A requested game: a `create` message without its `t`. */
export type Asked = Omit<wire.Create, 't' | 'id'>;

type ClientMessage = wire.Protocol['client'];
export type ServerMessage = wire.Protocol['server'];
export type RoomEvent = Extract<ServerMessage, { t: 'event' }>;
export type RoomNote = Extract<ServerMessage, { t: 'present' | 'spectators' | 'thinking' }>;

/** A request; the connection adds its `id`. */
export type Request = ClientMessage extends infer Each
  ? Each extends ClientMessage
    ? Omit<Each, 'id'>
    : never
  : never;

interface Replies {
  hello: wire.Welcome;
  create: wire.Room;
  join: wire.Room;
  watch: wire.Room;
  ping: wire.Pong;
}

/** The answer to a request. */
export type Reply<R extends Request> = R['t'] extends keyof Replies ? Replies[R['t']] : wire.Ack;

type Answers = wire.Protocol['answers'];

/** The answer to a GET of a path; the first match counts. */
export type Answer<Path extends string> = Path extends `/api/games/${string}/review`
  ? Answers['/api/games/{id}/review']
  : Path extends `/api/games/${string}/share`
    ? Answers['/api/games/{id}/share']
    : Path extends `/api/games/${string}`
      ? Answers['/api/games/{id}']
      : Path extends `/api/games?${string}`
        ? Answers['/api/games']
        : Path extends `/api/rules?${string}`
          ? Answers['/api/rules?game=']
          : Path extends `/api/bots?${string}`
            ? Answers['/api/bots?game=']
            : Path extends `/api/explorer?${string}`
              ? Answers['/api/explorer?game=&moves=']
              : Path extends `/api/ladder/live?${string}`
                ? Answers['/api/ladder/live?ladder=']
                : Path extends `/api/ladder/history?${string}`
                  ? Answers['/api/ladder/history?run=']
                  : Path extends `/api/ladder?${string}`
                    ? Answers['/api/ladder?run=']
                    : Path extends `/api/players/me/bots?${string}`
                      ? Answers['POST /api/players/me/bots?name=']
                      : Path extends `/api/players/me/bots/${string}`
                        ? Answers['POST /api/players/me/bots/{id}/token']
                        : Path extends keyof Answers
                          ? Answers[Path]
                          : Path extends `/api/players/${string}`
                            ? Answers['/api/players/{id}']
                            : unknown;

/** An element's children: a list is flattened, empty values are skipped. */
export type Child = Node | string | number | boolean | null | undefined | readonly Child[];

type Listeners<Events> = {
  [Name in keyof Events & string as `on${Name}`]?: ((event: Events[Name]) => unknown) | null | false;
};

/** `on...` functions are listeners, `vars` are CSS custom properties; true is an empty attribute, null and false none. */
export type Properties = Listeners<HTMLElementEventMap> & {
  vars?: Record<string, string | number>;
  [attribute: string]: unknown;
};

export type Attributes = Record<string, string | number>;
