"""What the server says besides the events of rooms: answers, and news that is not kept."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, Union

from msgspec import Meta, Struct

from server.wire.events import RoomEvent
from server.wire.fields import (
    BoardShown,
    ClaimMs,
    Code,
    Depth,
    ErrorCode,
    GameId,
    LobbyPart,
    MoveText,
    Ms,
    Nodes,
    OwnersShown,
    Plies,
    RecordId,
    RequestId,
    RoomId,
    Seq,
    Side,
    Spectating,
    Text,
    Token,
    UnixMs,
    Value,
    Version,
    WinIn,
)
from server.wire.parts import (
    ChatLine,
    ClockSettings,
    ClockView,
    GameView,
    HeldRoom,
    JudgedMove,
    ListedPlayer,
    Offer,
    Part,
    Player,
    RefusedField,
    Seats,
)


class Reply(Struct, tag_field="t", kw_only=True, omit_defaults=True):
    id: RequestId | None = None


class Welcome(Reply, tag="welcome"):
    """Who you are: `token` only when new, `rooms` where you hold a seat and the game waits or runs."""

    v: Version
    player: Player
    rooms: list[RoomId]
    token: Token | None = None
    held: Annotated[list[HeldRoom], Meta(description="what is played in each of `rooms`")] | None = None


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
    absent_ms: (
        Annotated[
            Ms, Meta(description="how long a player may be without a connection before the opponent may claim the win")
        ]
        | None
    ) = None
    """a warning to both, sent to each who sits down; left out where nobody loses by being away"""
    takebacks: Annotated[
        bool, Meta(description="false where a bot plays that cannot go back, so that no move is taken back")
    ] = True


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
    field: RefusedField | None = None


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
    """What is going on; each list is cut at 50 rows. `challenges` are those to you."""

    seeks: list[Seek]
    rooms: list[RunningRoom]
    players: Annotated[int, Meta(description="how many players are connected")]
    challenges: list[Seek]
    people: Annotated[list[Player], Meta(description="who is connected and may be challenged")]
    only: Annotated[LobbyPart, Meta(description="as asked for: the other lists are left empty")] | None = None


class Pong(Reply, tag="pong"):
    """The answer to `ping`."""

    ts: UnixMs
    server_ms: UnixMs


class Present(Reply, tag="present"):
    """Whether the holder of a seat follows the room with any connection."""

    room: RoomId
    side: Side
    present: bool
    claim_ms: ClaimMs | None = None


class Spectators(Reply, tag="spectators"):
    """How many connections follow the room without a seat."""

    room: RoomId
    count: Spectating


class Announcement(Reply, tag="announcement"):
    """What the operator tells everybody, also after `welcome` while it holds; empty once it holds no longer."""

    text: Text
    ts: UnixMs


class Thinking(Reply, tag="thinking"):
    """What a bot's running search has found so far; at most four a second."""

    room: RoomId
    nodes: Nodes
    depth: Depth
    value: Value | None
    pv: list[MoveText]
    win_in: WinIn | None = None


class Review(Reply, tag="review"):
    """The moves judged since the message before; the first holds all that are known. At most four a second."""

    game: RecordId
    done: Annotated[int, Meta(description="moves judged so far; the review is over when it is `of`")]
    of: Annotated[int, Meta(description="moves of the game, `start` left out")]
    moves: list[JudgedMove]


ServerReply: TypeAlias = Union[  # noqa: UP007
    Welcome, Room, Ack, Error, Lobby, Pong, Present, Spectators, Announcement, Thinking, Review
]
ServerMessage: TypeAlias = ServerReply | RoomEvent
