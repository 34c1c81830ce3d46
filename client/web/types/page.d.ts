// Types of the page's own, beside those of the wire, which protocol.d.ts has.

import type * as wire from './protocol.js';

export * from './protocol.js';

export type Side = 'x' | 'o';
/** What each side's mark is called: what a player chose. */
export type Marks = { x: string; o: string };
export type Rating = wire.RatingView;
export type Verdict = wire.JudgedMove['verdict'];
export type Termination = wire.Result['termination'];

/** Rules in the page's language. */
export type Rules = wire.RulesAnswer;

/** A bot in the page's language; by full name: `strengths` are measured ones in words, `measured` the same as levels. */
export interface Bot extends wire.BotAnswer {
  measured?: Record<string, number>;
}

/** `legal` is null where the server left it out: any empty cell is legal then, or it is not our turn. */
export interface GameView extends Omit<wire.GameView, 'legal'> {
  legal: string[] | null;
}

/**
 * A `room` message, kept up to date by events; `ts` is when `clock` was true; `thinking` is what a bot has found so far,
 * `searches` what bots found at their moves, by ply, as far as this page was told.
 */
export interface RoomState extends Omit<wire.Room, 't' | 'id' | 'game'> {
  game: GameView;
  thinking?: (Pick<wire.Thinking, 'nodes' | 'depth' | 'value' | 'win_in' | 'pv'> & { by: Side | null }) | null;
  searches?: Record<number, wire.Search>;
}

/** What a game that is asked for is to be: a `create` without its `t`. */
export type Asked = Omit<wire.Create, 't' | 'id'>;

type ClientMessage = wire.Protocol['client'];
export type ServerMessage = wire.Protocol['server'];
export type RoomEvent = Extract<ServerMessage, { t: 'event' }>;
export type RoomNote = Extract<ServerMessage, { t: 'present' | 'spectators' | 'thinking' }>;

/** A request; its `id` is the connection's business. */
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

/** What answers a request. */
export type Reply<R extends Request> = R['t'] extends keyof Replies ? Replies[R['t']] : wire.Ack;

type Answers = wire.Protocol['answers'];

/** What a GET of a path answers. The first that fits counts. */
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

/** What an element may hold: a list stands for what is in it, and nothing for what is not there. */
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
