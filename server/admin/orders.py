"""The orders of an operator and their answer: one line of JSON each way."""

from __future__ import annotations

from typing import Annotated, TypeAlias, Union

from msgspec import Meta, Struct

from server.wire import Kind

LISTED = 50
"""How many players a list has by default."""
MOST_REASON = 200
MOST_ANNOUNCED = 300
"""Both in characters."""

MOST_MS = 100_000_000_000_000
"""Three thousand years, so that the end is a date that can be written."""

Listed: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]


class _Order(Struct, tag_field="order", forbid_unknown_fields=True, kw_only=True):
    pass


class ListPlayers(_Order, tag="players"):
    """Newest first."""

    search: str = ""
    """part of a name, or a player's number; empty for all"""
    limit: Listed = LISTED


class Rename(_Order, tag="rename"):
    player: str
    name: str


class Delete(_Order, tag="delete"):
    """As the player's own request `forget`."""

    player: str


class Ban(_Order, tag="ban"):
    """Ban a player, and for a time the addresses from which they are connected now."""

    player: str
    ms: Annotated[int, Meta(ge=1, le=MOST_MS)] | None = None
    """for how long; None for good"""
    reason: Annotated[str, Meta(max_length=MOST_REASON)] = ""
    """told to the player"""
    address_ms: Annotated[int, Meta(ge=0, le=MOST_MS)] = 0


class Unban(_Order, tag="unban"):
    player: str


class NewBot(_Order, tag="new_bot"):
    """Make a player of kind `bot`; the answer has its token, which is shown only once."""

    name: str


class ChangeToken(_Order, tag="change_token"):
    """Withdraw the player's token and end their connections. If `told`, the answer has a new one, which is shown only
    once."""

    player: str
    told: bool


class CloseRoom(_Order, tag="close"):
    """A game that runs in it ends as aborted."""

    room: str


class Announce(_Order, tag="announce"):
    """Tell everybody, for this long or until it is withdrawn by an empty text."""

    text: Annotated[str, Meta(max_length=MOST_ANNOUNCED)]
    ms: Annotated[int, Meta(ge=1, le=MOST_MS)] | None = None


class Drain(_Order, tag="drain"):
    """Stop games from beginning; with `on` false, let them begin again. The answer says how many games are left, each
    time."""

    on: bool = True


Order: TypeAlias = Union[ListPlayers, Rename, Ban, Unban, Delete, NewBot, ChangeToken, CloseRoom, Announce, Drain]  # noqa: UP007 - a value at run time, for the decoder


class PlayerLine(Struct):
    """A player in a list."""

    id: str
    name: str
    kind: Kind
    since_ms: int
    """Unix time"""
    connected: bool
    ban: str | None
    """what a player who is kept out is told"""
    rooms: list[str]
    """where they hold a seat and the game waits or runs, without those asleep"""


class Answer(Struct):
    said: str
    """what was done or why it was not, in one sentence"""
    done: bool = True
    players: list[PlayerLine] = []
    token: str | None = None
    left: int | None = None
    """running games in which somebody is, while draining"""
