"""Every message on the wire, in both directions: noughts protocol, version 1.

One JSON object a text frame. `ClientMessage` and `ServerMessage` are closed: what is not here is refused or never
sent. Times are integer milliseconds, `ts` and `server_ms` Unix time. Absent and null mean the same.
`docs/protocol.md` tells what each message is for; `docs/protocol.schema.json` is generated from this file.
"""

from __future__ import annotations

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
FORM_ERRORS: frozenset[ErrorCode] = frozenset({"malformed", "unknown_type", "too_large"})

RequestId: TypeAlias = Annotated[int, Meta(ge=0, le=REQUEST_ID_MAX, description="the client's own request number")]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=REQUEST_ID_MAX)]


class Form(Struct, forbid_unknown_fields=True, kw_only=True):
    """A part of a client's message."""


class ClockSettings(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Either `initial_ms` with `increment_ms`, or `move_ms`; bounds are checked where a room is made."""

    initial_ms: int | None = None
    increment_ms: int | None = None
    move_ms: int | None = None


class BotLimit(Form, omit_defaults=True):
    """What a bot may spend on one move: exactly one of the three."""

    move_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None


class Opponent(Form):
    kind: Literal["open", "invite", "bot", "player", "self"]
    bot: str | None = None
    player: str | None = None


class Bots(Form):
    x: str
    o: str


# From client to server


class Request(Struct, tag_field="t", forbid_unknown_fields=True, kw_only=True):
    id: RequestId | None = None


class Hello(Request, tag="hello"):
    """The first message of every connection; later only to rename."""

    v: int
    token: str | None = None
    name: str | None = None
    kind: Kind | None = None


class Create(Request, tag="create"):
    game: str
    seat: Literal["x", "o", "random", "none"] | None = None
    opponent: Opponent | None = None
    bots: Bots | None = None
    clock: ClockSettings | None = None
    limit: BotLimit | None = None
    rated: bool | None = None
    start: list[str] | None = None


class Join(Request, tag="join"):
    room: str | None = None
    code: str | None = None


class Watch(Request, tag="watch"):
    room: str
    code: str | None = None


class Leave(Request, tag="leave"):
    room: str


class Move(Request, tag="move"):
    room: str
    game: Annotated[Count, Meta(description="the game's serial number in the room")]
    ply: Annotated[Count, Meta(description="index in `moves`")]
    move: str
    after: Annotated[Count, Meta(description="last seq seen")] | None = None


class Act(Request, tag="act"):
    room: str
    game: Count
    action: Action


class Rematch(Request, tag="rematch"):
    room: str


class Say(Request, tag="say"):
    room: str
    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Resume(Request, tag="resume"):
    room: str
    seq: Count


class LobbyRequest(Request, tag="lobby"):
    on: bool


class Ping(Request, tag="ping"):
    ts: int


ClientMessage: TypeAlias = Union[  # noqa: UP007 - a value at run time, for the decoder
    Hello, Create, Join, Watch, Leave, Move, Act, Rematch, Say, Resume, LobbyRequest, Ping
]
REQUEST_TYPES: frozenset[str] = frozenset(str(request.__struct_config__.tag) for request in get_args(ClientMessage))


# Parts of the server's messages


class Part(Struct, kw_only=True, omit_defaults=True):
    """A part of a server's message. Fields with a default are left out when they hold it."""


class Player(Part):
    id: str
    name: str
    kind: Kind


class Author(Part):
    id: str
    name: str


class Rating(Part):
    value: float
    deviation: float


class Seat(Part):
    id: str
    name: str
    kind: Kind
    present: bool
    bot: Annotated[str, Meta(description="a bot of this server: its name")] | None = None
    rating: Rating | None = None


class Seats(Part):
    x: Seat | None
    o: Seat | None


class ClockView(Part):
    """What either side has left as of `ts`, and whose time runs."""

    x_ms: int
    o_ms: int
    running: Side | None
    initial_ms: int | None = None
    increment_ms: int | None = None
    move_ms: int | None = None


class Result(Part):
    winner: Side | None
    termination: Termination


class GameView(Part):
    serial: int
    id: Annotated[int, Meta(description="in the database")] | None
    game: str
    start: list[str]
    moves: list[str]
    to_move: Side | None
    legal: list[str]
    started: bool
    result: Result | None
    last: str | None = None
    line: list[str] | None = None
    forced: Annotated[int, Meta(ge=1, le=9)] | UnsetType | None = UNSET


class Offer(Part):
    by: Side
    what: OfferKind


class ChatLine(Part):
    by: Author
    text: str
    ts: int


class Search(Part):
    """What a bot's search found: `value` in the bot's own scale, from the mover's side."""

    nodes: int
    depth: int
    value: float | None
    win_in: Annotated[int, Meta(description="plies to a proven end, negative for a loss")] | None
    pv: list[str]


# Events: committed, numbered per room, replayed by `resume`. Their JSON is what the database keeps; `envelope` adds
# t, room, seq and ts.


class Event(Struct, tag_field="e", kw_only=True, omit_defaults=True):
    """One entry of a room's append-only history."""


class Seated(Event, tag="seated"):
    side: Side
    seat: Seat


class Started(Event, tag="started"):
    game: GameView
    clock: ClockView | None


class Moved(Event, tag="moved"):
    ply: int
    move: str
    by: Side
    think_ms: int
    clock: ClockView | None
    to_move: Side | None
    legal: (
        Annotated[list[str], Meta(description="to the member to move, on nested boards or up to 81 cells")] | None
    ) = None
    forced: int | UnsetType | None = UNSET
    search: Search | None = None


class Ended(Event, tag="ended"):
    winner: Side | None
    termination: Termination
    clock: ClockView | None
    line: list[str] | None = None


class Offered(Event, tag="offered"):
    by: Side
    what: OfferKind


class Declined(Event, tag="declined"):
    by: Side
    what: OfferKind


class TakenBack(Event, tag="takenback"):
    ply: Annotated[int, Meta(description="next to play")]
    moves: list[str]
    clock: ClockView | None
    to_move: Side | None
    legal: list[str] | None = None
    forced: int | UnsetType | None = UNSET


class Said(Event, tag="said"):
    by: Author
    text: str


RoomEvent: TypeAlias = Union[  # noqa: UP007
    Seated, Started, Moved, Ended, Offered, Declined, TakenBack, Said
]


# From server to client


class Reply(Struct, tag_field="t", kw_only=True, omit_defaults=True):
    id: RequestId | None = None


class Welcome(Reply, tag="welcome"):
    v: int
    player: Player
    rooms: list[str]
    token: Annotated[str, Meta(description="only when new")] | None = None


class Room(Reply, tag="room"):
    """The whole of a room, as one viewer may see it."""

    room: str
    seq: int
    game: GameView
    seats: Seats
    clock: ClockView | None
    ts: int
    offers: list[Offer]
    chat: list[ChatLine]
    spectators: int
    rated: bool
    you: Literal["x", "o", "both"] | None
    code: Annotated[str, Meta(description="of an invite room, shown to those who hold a seat in it")] | None = None


class Ack(Reply, tag="ack"):
    room: str | None = None
    seq: int | None = None


class Error(Reply, tag="error"):
    code: ErrorCode
    message: str
    room: str | None = None


class Seek(Part):
    """An open seek or a challenge: `by` waits in `seat`, the other seat is free."""

    room: str
    game: str
    clock: ClockSettings | None
    rated: bool
    by: Player
    seat: Side


class RunningRoom(Part):
    room: str
    game: str
    x: Player
    o: Player
    plies: int
    spectators: int


class Lobby(Reply, tag="lobby"):
    seeks: list[Seek]
    rooms: list[RunningRoom]
    players: int
    challenges: list[Seek]
    people: Annotated[list[Player], Meta(description="who is connected and may be challenged")]


class Pong(Reply, tag="pong"):
    ts: int
    server_ms: int


class Present(Reply, tag="present"):
    room: str
    side: Side
    present: bool


class Spectators(Reply, tag="spectators"):
    room: str
    count: int


class Thinking(Reply, tag="thinking"):
    room: str
    nodes: int
    depth: int
    value: float | None
    pv: list[str]


ServerReply: TypeAlias = Union[  # noqa: UP007
    Welcome, Room, Ack, Error, Lobby, Pong, Present, Spectators, Thinking
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
        return _Outline()
    type_ = outline.t if isinstance(outline.t, str) else None
    id = outline.id if type(outline.id) is int and 0 <= outline.id <= REQUEST_ID_MAX else None
    return _Outline(t=type_, id=id)


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
