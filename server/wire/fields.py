"""What a field of a message holds, said once for every message that has it, and the bounds of the protocol."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from engine.analysis.verdict import Verdict as Verdict
from engine.rules.position import Kind as Kind
from engine.rules.position import Side as Side
from engine.rules.termination import Termination as Termination

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
"""How many running games of a `lobby`, the first of the list, come with their boards."""
LEGAL_CELLS = 81
"""Events but `started` leave `legal` out on flat boards with more cells: there any empty cell is legal."""

OfferKind: TypeAlias = Literal["draw", "takeback", "rematch"]
Action: TypeAlias = Literal[
    "resign",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "offer_takeback",
    "accept_takeback",
    "decline_takeback",
    "decline_rematch",
    "decline_challenge",
    "abort",
    "claim_win",
]
LobbyPart: TypeAlias = Literal["challenges"]
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
ClaimMs: TypeAlias = Annotated[
    int, Meta(description="in how many ms the opponent of this side, who has no connection, may claim the win")
]
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
