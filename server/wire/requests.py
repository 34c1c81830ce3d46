"""What a client asks of the server: one closed type."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, Union, get_args

from msgspec import Meta, Struct

from server.wire.fields import (
    Action,
    Code,
    GameId,
    Kind,
    LobbyPart,
    MoveText,
    Name,
    PaceAsked,
    PlyAsked,
    RecordAsked,
    RequestId,
    RoomId,
    SeqSeen,
    SerialAsked,
    Token,
    UnixMs,
    Version,
)
from server.wire.parts import BotLimit, Bots, ClockSettings, Opponent


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
    """Receive the lobby, or of it only challenges, now and on each change, or no longer. Answered by `lobby`."""

    on: bool
    only: Annotated[LobbyPart, Meta(description="the rest of the lobby is not wanted")] | None = None


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
