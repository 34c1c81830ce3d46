"""What happens to a session: requests, the passing of time, answers of the store and of a search.

An `origin` is where a request came from; a session hands it back without looking at it.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from engine.rules.termination import FaultTermination
from engine.search.decision import Decision
from server.wire import Act, Join, Move, Player, Ratings, RatingView, Rematch, Say

Origin: TypeAlias = Any


class Ticket(Struct, frozen=True):
    """What identifies the next game of a room: its database id and the seed of its bots."""

    id: int
    seed: int


class Opened(Struct):
    """The room was made; `origin` is its creator."""

    origin: Origin


class NotOpened(Struct):
    """Nothing of the room could be committed, so it does not exist; its creator was told why."""


class RunningClock(Struct, frozen=True):
    """What the turn under way had cost by `since_ms`, when its clock runs again; None if it stands."""

    spent_ms: int
    since_ms: int | None


class Restored(Struct, kw_only=True):
    """The room's committed events are applied: it goes on from there, with what only the server could know."""

    away_since_ms: dict[str, int] | None = None
    """players without a connection to the server; None after a restart, when nobody has one"""
    members: int = 0
    """how many connections follow the room"""
    clock: RunningClock | None = None
    """the running clock; None after a restart, when a turn begins anew"""
    searches: int = 0
    """how many searches were requested before: an answer to one of them may still come"""


class Prepared(Struct):
    """Players may be seated next, and a game may start: what the database knows of both."""

    ticket: Ticket
    ratings: dict[str, RatingView]


class PlayerRequest(Struct):
    """A request of a player for this room."""

    origin: Origin
    player: Player
    request: Move | Act | Rematch | Say | Join


class PlayerConnected(Struct):
    """A seat holder, the creator or the challenged player is connected to the server again."""

    player: str


class PlayerDisconnected(Struct):
    """A seat holder, the creator or the challenged player has closed their last connection to the server."""

    player: str


class PlayerRenamed(Struct):
    """A seat holder, the creator or the challenged player has changed their name."""

    player: Player


class PlayerDeleted(Struct):
    """A player's data was deleted: `player` is who they are now, `said` stands for what they said."""

    player: Player
    said: str


class Withdrawn(Struct):
    """A player no longer waits here for an opponent, nor for an answer to an offer: they are about to be deleted."""

    player: str


class MembersChanged(Struct):
    """How many connections follow the room now."""

    members: int


class PutToSleep(Struct):
    """The room is to leave memory if it can, asleep or closed: others need its place."""


class KeptAwake(Struct):
    """The room could not fall asleep just now."""


class Tick(Struct):
    """The session's deadline has passed."""


class Committed(Struct):
    """What the last `Commit` named is committed, stamped with the Unix time `ts`.

    `ratings` is what a rated game made of its players' ratings, committed with it.
    """

    ts: int
    ratings: Ratings | None = None


class CommitFailed(Struct):
    """What the last `Commit` named is not committed, and never will be."""


class Shut(Struct):
    """The operator closes the room: a running game is aborted first, by an input of its own."""


class StoreDown(Struct):
    """Nothing can be committed for now."""


class StoreBack(Struct):
    """The store commits again."""


class ServerEnding(Struct):
    """Nobody can move any more, so nobody loses on time until the room is restored."""


class SearchStarted(Struct):
    """A worker has begun a search: from here the bot's time passes."""

    search: int


class SearchDone(Struct):
    """A search is done. `think_us` is measured by the worker."""

    search: int
    decision: Decision
    think_us: int

    @property
    def think_ms(self) -> int:
        return self.think_us // 1000


class SearchFailed(Struct):
    """A search gave no move. `busy`: no worker would take it; the others were tried twice."""

    search: int
    reason: Literal["busy", "crash", "stall"]


class BotFaulted(Struct):
    """A bot did something wrong instead of giving a move; `what` ends a sentence that begins with its name."""

    search: int
    termination: FaultTermination
    what: str


Input: TypeAlias = (
    Opened
    | NotOpened
    | Restored
    | Prepared
    | PlayerRequest
    | PlayerConnected
    | PlayerDisconnected
    | PlayerRenamed
    | PlayerDeleted
    | Withdrawn
    | Shut
    | MembersChanged
    | PutToSleep
    | KeptAwake
    | Tick
    | Committed
    | CommitFailed
    | StoreDown
    | StoreBack
    | ServerEnding
    | SearchStarted
    | SearchDone
    | SearchFailed
    | BotFaulted
)
