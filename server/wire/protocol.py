"""Every message on the wire, in both directions: noughts protocol, version 1.

One JSON object a text frame. `ClientMessage` and `ServerMessage` are closed: what is not here is refused or never
sent. Times are integer milliseconds, `ts` and `server_ms` Unix time. Absent and null mean the same.
`docs/protocol.md` tells what each message is for; `docs/protocol.schema.json` is generated from this file.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

VERSION = 1

REQUEST_ID_MAX = 2**53

FRAME_BYTES = 8 * 1024
"""A larger frame is `too_large`."""
FRAME_BYTES_FATAL = 64 * 1024
"""A larger frame closes the connection with 1009."""
CHAT_LINES = 100
EVENTS_KEPT = 256
"""How far back `resume` can replay."""
LIST_LENGTH = 50
"""Rows in each list of a `lobby`."""
BOARDS_SHOWN = 12
"""So many running games of a `lobby`, the first of the list, come with their boards."""
LEGAL_CELLS = 81
"""Events leave `legal` out on flat boards with more cells: there any empty cell is legal."""

Side: TypeAlias = Literal["x", "o"]
Kind: TypeAlias = Literal["person", "bot"]
OfferKind: TypeAlias = Literal["draw", "takeback", "rematch"]
Action: TypeAlias = Literal[
    "resign",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "offer_takeback",
    "accept_takeback",
    "decline_takeback",
    "abort",
    "claim_win",
]
Termination: TypeAlias = Literal[
    "line",
    "board_full",
    "count",
    "resignation",
    "flag",
    "agreement",
    "illegal_move",
    "crash",
    "stall",
    "disconnection",
    "adjudication",
    "aborted",
]
ErrorCode: TypeAlias = Literal[
    "malformed",
    "unknown_type",
    "unsupported_version",
    "unauthorised",
    "not_found",
    "not_your_turn",
    "not_seated",
    "seat_taken",
    "illegal_move",
    "game_over",
    "stale",
    "not_now",
    "too_fast",
    "too_large",
    "busy",
    "unavailable",
    "bad_game",
    "bad_clock",
    "bad_name",
    "bad_bot",
    "unknown_bot",
    "shutting_down",
]
Verdict: TypeAlias = Literal["won", "drawn", "lost", "better", "even", "worse"]
FORM_ERRORS: frozenset[ErrorCode] = frozenset({"malformed", "unknown_type", "too_large"})


# What a field holds, said once for every message that has it.
RoomId: TypeAlias = Annotated[str, Meta(description="a room")]
PlayerId: TypeAlias = Annotated[str, Meta(description="a player, person or bot")]
Code: TypeAlias = Annotated[str, Meta(description="what an invite room is joined by, 128 random bits")]
Token: TypeAlias = Annotated[str, Meta(description="a bearer secret that proves who one is")]
Name: TypeAlias = Annotated[str, Meta(description="1 to 20 printable characters; need not be unique")]
GameId: TypeAlias = Annotated[str, Meta(description="a kind of game: qubic, mnk:5,4,4, ...")]
BotName: TypeAlias = Annotated[str, Meta(description="a bot of this server: NAME[:P1[,P2]]")]
MoveText: TypeAlias = Annotated[str, Meta(description="a cell: a1, a1.1 or 5/3")]
Text: TypeAlias = Annotated[str, Meta(description="for people, never HTML")]
Seq: TypeAlias = Annotated[int, Meta(description="number of an event in its room, from 1 without a gap")]
UnixMs: TypeAlias = Annotated[int, Meta(description="Unix time in milliseconds")]
Ms: TypeAlias = Annotated[int, Meta(description="milliseconds")]
Ply: TypeAlias = Annotated[int, Meta(description="index in `moves`, which leaves `start` out")]
Serial: TypeAlias = Annotated[int, Meta(description="number of the game in its room, from 1")]
DatabaseId: TypeAlias = Annotated[int, Meta(description="of the game record, null before the start")]
RecordId: TypeAlias = Annotated[int, Meta(description="of the game record")]
Forced: TypeAlias = Annotated[
    int, Meta(description="board 1-9 to play in, null for a free choice or when over, absent on flat boards")
]
Nodes: TypeAlias = Annotated[int, Meta(description="positions made by a search")]
Depth: TypeAlias = Annotated[int, Meta(description="plies a search looked ahead")]
WinIn: TypeAlias = Annotated[int, Meta(description="plies to a proven end, negative for a loss")]
Value: TypeAlias = Annotated[float, Meta(description="in the bot's own scale, from the mover's side")]
LegalShown: TypeAlias = Annotated[
    list[MoveText], Meta(description="to the member to move, on nested boards or up to 81 cells")
]
BoardShown: TypeAlias = Annotated[
    str, Meta(description="a character a cell, in the order of cell numbers: x, o, or . for an empty cell")
]
OwnersShown: TypeAlias = Annotated[
    str, Meta(description="a character for each of nine boards: x, o, or . where nobody won it; absent on others")
]
PaceAsked: TypeAlias = Annotated[
    Literal["human"], Meta(description="of bots: `human` answers after a person's time; left out, at once")
]
Version: TypeAlias = Annotated[int, Meta(description=f"of the protocol: {VERSION}")]
Plies: TypeAlias = Annotated[int, Meta(description="how many moves were played, `start` left out")]
RatingPoints: TypeAlias = Annotated[int, Meta(description="on the scale of Elo; newcomers begin with 1500")]
Deviation: TypeAlias = Annotated[int, Meta(description="how far the rating may be off: twice this, 19 times in 20")]
Provisional: TypeAlias = Annotated[bool, Meta(description="true after few rated games or long without one")]
Spectating: TypeAlias = Annotated[int, Meta(description="connections that follow without a seat")]
RequestId: TypeAlias = Annotated[int, Meta(ge=0, le=REQUEST_ID_MAX, description="the client's own request number")]
SerialAsked: TypeAlias = Annotated[int, Meta(ge=0, le=REQUEST_ID_MAX, description="the game's serial number")]
PlyAsked: TypeAlias = Annotated[int, Meta(ge=0, le=REQUEST_ID_MAX, description="index in `moves`")]
RecordAsked: TypeAlias = Annotated[int, Meta(ge=0, le=REQUEST_ID_MAX, description="the id of a game record")]
SeqSeen: TypeAlias = Annotated[int, Meta(ge=0, le=REQUEST_ID_MAX, description="the last seq that was seen")]


class Form(Struct, forbid_unknown_fields=True, kw_only=True):
    """A part of a client's message."""


class ClockSettings(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Either `initial_ms` with `increment_ms`, or `move_ms`; bounds are checked where a room is made."""

    initial_ms: Ms | None = None
    increment_ms: Ms | None = None
    move_ms: Ms | None = None


class BotLimit(Form, omit_defaults=True):
    """What a bot may spend on one move: exactly one of the three."""

    move_ms: Ms | None = None
    nodes: Nodes | None = None
    depth: Depth | None = None


class Opponent(Form):
    """Who takes the other seat: anyone, an invited one, a bot, one player, or the sender."""

    kind: Literal["open", "invite", "bot", "player", "self"]
    bot: BotName | None = None
    player: PlayerId | None = None


class Bots(Form):
    """Two bots that play each other."""

    x: BotName
    o: BotName


# From client to server


class Request(Struct, tag_field="t", forbid_unknown_fields=True, kw_only=True):
    id: RequestId | None = None


class Hello(Request, tag="hello"):
    """The first message of every connection; later only to rename."""

    v: Version
    token: Token | None = None
    name: Name | None = None
    kind: Kind | None = None


class Create(Request, tag="create"):
    """Make a room; answered by `room`."""

    game: GameId
    seat: Literal["x", "o", "random", "none"] | None = None
    opponent: Opponent | None = None
    bots: Bots | None = None
    clock: ClockSettings | None = None
    limit: BotLimit | None = None
    rated: bool | None = None
    start: list[MoveText] | None = None
    pace: PaceAsked | None = None


class Join(Request, tag="join"):
    """Take the free seat; give either of the two. Answered by `room`."""

    room: RoomId | None = None
    code: Code | None = None


class Watch(Request, tag="watch"):
    """Follow a room without a seat; an invite room needs its code. Answered by `room`."""

    room: RoomId
    code: Code | None = None


class Leave(Request, tag="leave"):
    """End this connection's part in a room; a seat stays its holder's. Answered by `ack`."""

    room: RoomId


class Move(Request, tag="move"):
    """Answered by `ack` after the commit, with the number of its event."""

    room: RoomId
    game: SerialAsked
    ply: PlyAsked
    move: MoveText
    after: SeqSeen | None = None


class Act(Request, tag="act"):
    """Anything else that a seat holder may do in a game. Answered by `ack`."""

    room: RoomId
    game: SerialAsked
    action: Action


class Rematch(Request, tag="rematch"):
    """Ask for another game with sides swapped, or agree to one. Answered by `ack`."""

    room: RoomId


class Say(Request, tag="say"):
    """Chat with everybody in the room. Answered by `ack`."""

    room: RoomId
    text: Annotated[str, Meta(min_length=1, max_length=300, description="for people, never HTML")]


class Resume(Request, tag="resume"):
    """What came after `seq`: answered by `ack` and events, or by `room` where they are no longer kept."""

    room: RoomId
    seq: SeqSeen


class LobbyRequest(Request, tag="lobby"):
    """Receive the lobby now and on each change, or no longer. Answered by `lobby`."""

    on: bool


class ReviewRequest(Request, tag="review"):
    """Have the moves of a finished game judged, or be told what was judged. Answered by `ack`, then by `review`s."""

    game: RecordAsked


class CancelReview(Request, tag="cancel_review"):
    """Be told no more of a review, which ends when nobody waits for it. Answered by `ack`."""

    game: RecordAsked


class Forget(Request, tag="forget"):
    """Delete this player and what is known of them; see docs/privacy.md. Answered by `ack`, then the line is closed."""


class Ping(Request, tag="ping"):
    """Answered by `pong` with the same `ts`."""

    ts: UnixMs


ClientMessage: TypeAlias = Union[  # noqa: UP007 - a value at run time, for the decoder
    Hello,
    Create,
    Join,
    Watch,
    Leave,
    Move,
    Act,
    Rematch,
    Say,
    Resume,
    LobbyRequest,
    ReviewRequest,
    CancelReview,
    Forget,
    Ping,
]
REQUEST_TYPES: frozenset[str] = frozenset(str(request.__struct_config__.tag) for request in get_args(ClientMessage))


# Parts of the server's messages


class Part(Struct, kw_only=True, omit_defaults=True):
    """A part of a server's message. Fields with a default are left out when they hold it."""


class Player(Part):
    """Who somebody is."""

    id: PlayerId
    name: Name
    kind: Kind


class Author(Part):
    """Who said something, by the name of that time."""

    id: PlayerId
    name: Name


class RatingView(Part):
    """A player's rating in a kind of game; nobody has one before their first rated game of it."""

    value: RatingPoints
    deviation: Deviation
    provisional: Provisional = False
    change: Annotated[int, Meta(description="what the game that is over in this room added to it")] | None = None


class RatingChange(Part):
    """What a rated game made of a player's rating; `deviation` and `provisional` are of the new one."""

    before: RatingPoints
    after: RatingPoints
    deviation: Deviation
    provisional: Provisional = False


def rating_after(change: RatingChange) -> RatingView:
    """What a seat shows after a rated game."""
    return RatingView(
        value=change.after,
        deviation=change.deviation,
        provisional=change.provisional,
        change=change.after - change.before,
    )


class Ratings(Part):
    """What a rated game made of both players' ratings."""

    x: RatingChange
    o: RatingChange


class ListedPlayer(Player):
    """Who sits in a game that the lobby lists, with their rating in this kind of game."""

    rating: RatingView | None = None


class Seat(Part):
    """Who sits: `bot` is set for a bot that this server runs, `rating` where this kind of game has one of theirs."""

    id: PlayerId
    name: Name
    kind: Kind
    present: bool
    bot: BotName | None = None
    rating: RatingView | None = None


class Seats(Part):
    """Who sits on either side, null where the seat is free."""

    x: Seat | None
    o: Seat | None


class ClockView(Part):
    """What either side has left as of `ts`, and whose time runs."""

    x_ms: Ms
    o_ms: Ms
    running: Side | None
    initial_ms: Ms | None = None
    increment_ms: Ms | None = None
    move_ms: Ms | None = None


class Result(Part):
    """How a game ended: who won, apart from why."""

    winner: Side | None
    termination: Termination


class GameView(Part):
    """A game of a room: `legal`, `to_move` and `forced` are for the position after `moves`."""

    serial: Serial
    id: DatabaseId | None
    game: GameId
    start: list[MoveText]
    moves: list[MoveText]
    to_move: Side | None
    legal: list[MoveText]
    started: bool
    result: Result | None
    last: MoveText | None = None
    line: list[MoveText] | None = None
    forced: Forced | UnsetType | None = UNSET


class Offer(Part):
    """An offer that stands."""

    by: Side
    what: OfferKind


class ChatLine(Part):
    """Something said."""

    by: Author
    text: Text
    ts: UnixMs


class Search(Part):
    """What a bot's search found: `value` in the bot's own scale, from the mover's side."""

    nodes: Nodes
    depth: Depth
    value: Value | None
    win_in: WinIn | None
    pv: list[MoveText]


class JudgedMove(Part):
    """What a review says of a move, for who made it: `won`, `drawn` and `lost` are exact, the others estimates."""

    ply: Ply
    verdict: Annotated[Verdict, Meta(description="what the move leads to")]
    exact: Annotated[bool, Meta(description="decided by a solver or a proof, else estimated")]
    value: Annotated[float, Meta(description="1, 0 or -1 where it is exact, else an estimate strictly between")]
    best: Annotated[
        list[MoveText], Meta(description="the best line from before the move; begins with it where none is better")
    ]
    could: Annotated[Verdict, Meta(description="what the first move of `best` leads to")]
    win_in: (
        Annotated[int, Meta(description="plies to the forced end, 1 for the move that ends it, negative: lost")] | None
    ) = None
    at_most: Annotated[bool, Meta(description="`win_in` is a bound: it may be sooner")] = False
    could_in: Annotated[int, Meta(description="plies to the forced end by `best`, as `win_in`")] | None = None


# Events: committed, numbered per room, replayed by `resume`. Their JSON is what the database keeps; `envelope` adds
# t, room, seq and ts.


class Event(Struct, tag_field="e", kw_only=True, omit_defaults=True):
    """One entry of a room's append-only history."""


class Seated(Event, tag="seated"):
    """Somebody took a seat."""

    side: Side
    seat: Seat


class Started(Event, tag="started"):
    """A game began; `legal` is filled in for the member to move."""

    game: GameView
    clock: ClockView | None


class Moved(Event, tag="moved"):
    """A move, with the clock after it."""

    ply: Ply
    move: MoveText
    by: Side
    think_ms: Ms
    clock: ClockView | None
    to_move: Side | None
    legal: LegalShown | None = None
    forced: Forced | UnsetType | None = UNSET
    search: Search | None = None


class Ended(Event, tag="ended"):
    """The game is over: who won, apart from why. `ratings` where it counted for them."""

    winner: Side | None
    termination: Termination
    clock: ClockView | None
    line: list[MoveText] | None = None
    ratings: Ratings | None = None


class Offered(Event, tag="offered"):
    """A side offers a draw or a rematch, or asks for a takeback."""

    by: Side
    what: OfferKind


class Declined(Event, tag="declined"):
    """A side declines its opponent's offer."""

    by: Side
    what: OfferKind


class TakenBack(Event, tag="takenback"):
    """Moves were taken back; `moves` and `clock` are as they were before them."""

    ply: Annotated[int, Meta(description="the next to play")]
    moves: list[MoveText]
    clock: ClockView | None
    to_move: Side | None
    legal: LegalShown | None = None
    forced: Forced | UnsetType | None = UNSET


class Said(Event, tag="said"):
    """A line of chat."""

    by: Author
    text: Text


RoomEvent: TypeAlias = Union[  # noqa: UP007
    Seated, Started, Moved, Ended, Offered, Declined, TakenBack, Said
]


# From server to client


class Reply(Struct, tag_field="t", kw_only=True, omit_defaults=True):
    id: RequestId | None = None


class Welcome(Reply, tag="welcome"):
    """Who you are: `token` only when new, `rooms` where you hold a seat and the game waits or runs."""

    v: Version
    player: Player
    rooms: list[RoomId]
    token: Token | None = None


class Room(Reply, tag="room"):
    """The whole of a room, as one viewer may see it."""

    room: RoomId
    seq: Seq
    game: GameView
    seats: Seats
    clock: ClockView | None
    ts: UnixMs
    offers: list[Offer]
    chat: list[ChatLine]
    spectators: Spectating
    rated: bool
    you: Literal["x", "o", "both"] | None
    code: Code | None = None


class Ack(Reply, tag="ack"):
    """Done; `seq` is the number of the last event that it brought about."""

    room: RoomId | None = None
    seq: Seq | None = None


class Error(Reply, tag="error"):
    """A request was refused and changed nothing."""

    code: ErrorCode
    message: Text
    room: RoomId | None = None
    game: Annotated[int, Meta(description="the game record whose review was begun and ends unfinished")] | None = None


class Seek(Part):
    """An open seek or a challenge: `by` waits in `seat`, the other seat is free."""

    room: RoomId
    game: GameId
    clock: ClockSettings | None
    rated: bool
    by: ListedPlayer
    seat: Side


class RunningRoom(Part):
    """A running game that anyone may watch. The first of a list show their boards, the others leave `board` out."""

    room: RoomId
    game: GameId
    x: ListedPlayer
    o: ListedPlayer
    plies: Plies
    spectators: Spectating
    clock: ClockSettings | None = None
    rated: bool = False
    board: BoardShown | None = None
    owners: OwnersShown | None = None
    last: MoveText | None = None


class Lobby(Reply, tag="lobby"):
    """What goes on; each list is cut at 50 rows. `challenges` are those to you."""

    seeks: list[Seek]
    rooms: list[RunningRoom]
    players: Annotated[int, Meta(description="how many players are connected")]
    challenges: list[Seek]
    people: Annotated[list[Player], Meta(description="who is connected and may be challenged")]


class Pong(Reply, tag="pong"):
    """The answer to `ping`."""

    ts: UnixMs
    server_ms: UnixMs


class Present(Reply, tag="present"):
    """Whether the holder of a seat follows the room with any connection."""

    room: RoomId
    side: Side
    present: bool


class Spectators(Reply, tag="spectators"):
    """How many connections follow the room without a seat."""

    room: RoomId
    count: Spectating


class Thinking(Reply, tag="thinking"):
    """What a bot's running search has found so far; at most four a second."""

    room: RoomId
    nodes: Nodes
    depth: Depth
    value: Value | None
    pv: list[MoveText]


class Review(Reply, tag="review"):
    """The moves judged since the message before; the first holds all that are known. At most four a second."""

    game: RecordId
    done: Annotated[int, Meta(description="moves judged so far; the review is over when it is `of`")]
    of: Annotated[int, Meta(description="moves of the game, `start` left out")]
    moves: list[JudgedMove]


ServerReply: TypeAlias = Union[  # noqa: UP007
    Welcome, Room, Ack, Error, Lobby, Pong, Present, Spectators, Thinking, Review
]
ServerMessage: TypeAlias = ServerReply | RoomEvent


class BadFrame(Exception):
    """A frame that is no message of ours; `id` is its request number where it had one."""

    def __init__(self, code: ErrorCode, message: str, id: int | None = None) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.id = id


class _Outline(Struct):
    """As much of a bad frame as is needed to answer it."""

    t: Any = None
    id: Any = None


_request_decoder = msgspec.json.Decoder(ClientMessage)
_outline_decoder = msgspec.json.Decoder(_Outline)
_event_decoder = msgspec.json.Decoder(RoomEvent)
_encoder = msgspec.json.Encoder()
_NO_LEGAL = b'"legal":[]'
"""in a recorded `started`, whose game has room for them; no text of a player stands in one"""


def parse(frame: bytes, *, greeted: bool = True) -> ClientMessage:
    """The request in a frame. Raises BadFrame and nothing else.

    Before the greeting every message but `hello` is `unauthorised`, whatever else may be wrong with it.
    """
    if len(frame) > FRAME_BYTES:
        raise BadFrame("too_large", f"A message may be {FRAME_BYTES} bytes long at most.", _outline(frame).id)
    try:
        request: ClientMessage = _request_decoder.decode(frame)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise _bad_frame(frame, str(error), greeted) from None
    if not greeted and type(request) is not Hello:
        raise BadFrame("unauthorised", "Say hello first.", request.id)
    return request


def _outline(frame: bytes) -> _Outline:
    """Type and request number of a frame, each None where it has no sound one."""
    try:
        outline = _outline_decoder.decode(frame)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        outline = _lenient_outline(frame)
    type_ = outline.t if isinstance(outline.t, str) else None
    id = outline.id if type(outline.id) is int and 0 <= outline.id <= REQUEST_ID_MAX else None
    return _Outline(t=type_, id=id)


def _lenient_outline(frame: bytes) -> _Outline:
    """Of a frame that msgspec cannot read: JSON as others make it, where half a surrogate pair is a character too."""
    try:
        fields = json.loads(frame.decode())
    except (ValueError, RecursionError):
        return _Outline()
    return _Outline(t=fields.get("t"), id=fields.get("id")) if isinstance(fields, dict) else _Outline()


def _bad_frame(frame: bytes, reason: str, greeted: bool) -> BadFrame:
    outline = _outline(frame)
    if outline.t is None:
        return BadFrame("malformed", "A message is one JSON object with its type in the field t.", outline.id)
    if not greeted and outline.t != "hello":
        return BadFrame("unauthorised", "Say hello first.", outline.id)
    if outline.t not in REQUEST_TYPES:
        known = ", ".join(sorted(REQUEST_TYPES))
        return BadFrame("unknown_type", f"No message has this type; known are {known}.", outline.id)
    return BadFrame("malformed", f"{reason.rstrip('.')}.", outline.id)


def encode(message: ServerReply | Struct) -> bytes:
    return _encoder.encode(message)


def encode_event(event: RoomEvent) -> bytes:
    """The event alone, as the database keeps it."""
    return _encoder.encode(event)


def decode_event(body: str | bytes) -> RoomEvent:
    event: RoomEvent = _event_decoder.decode(body)
    return event


def envelope(room: str, seq: int, ts: int, body: bytes) -> bytes:
    """The frame of an encoded event. `room` holds no character that JSON escapes."""
    return b'{"t":"event","room":"%b","seq":%d,"ts":%d,%b' % (room.encode(), seq, ts, body[1:])


def with_legal(payload: bytes, legal: list[str]) -> bytes:
    """An encoded `started`, `moved` or `takenback` with the legal moves added for the member to move."""
    moves = b'"legal":%b' % _encoder.encode(legal)
    if _NO_LEGAL in payload:
        return payload.replace(_NO_LEGAL, moves, 1)
    return b"%b,%b}" % (payload[:-1], moves)
