"""What the endpoints see of the rest of the server: of each part as little as they use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from engine.analysis.verdict import MoveVerdict
from engine.bots.roster import Roster
from server.db.explorer import ExplorerRow
from server.db.play import BotRatingRow, GameExtras, GameRow, MoveRow, OwnedBotRow, VariationRow
from server.http.heavy import HeavyAnswers
from server.http.ladder_cache import LadderAnswers
from server.http.message import Request
from server.http.page_files import PageFile
from server.http.stats import StatsAnswers
from server.metrics import Metrics
from server.play.rate_limit import Refusal
from server.play.session import Session
from server.wire import Player


class Records(Protocol):
    """See `Store`. Every read raises StoreUnavailable if it cannot be done now."""

    async def game(self, id: int) -> GameRow | None: ...

    async def games(
        self,
        *,
        game: str | None = None,
        player: int | None = None,
        before: int | None = None,
        run: str | None = None,
        a: int | None = None,
        b: int | None = None,
        opening: str | None = None,
        limit: int,
        viewer: int | None,
    ) -> list[GameRow]: ...

    async def move_rows(self, game_id: int) -> list[MoveRow]: ...

    async def moves_of(self, games: Sequence[int]) -> dict[int, list[MoveRow]]: ...

    async def variations(self, game_id: int) -> list[VariationRow]: ...

    async def game_extras(self, game_id: int) -> GameExtras | None: ...

    async def verdicts(self, game_id: int) -> dict[int, MoveVerdict]: ...

    async def explored(self, game: str, key: int) -> list[ExplorerRow]: ...

    async def bot_ratings(self, game: str) -> list[BotRatingRow]: ...


class Tokens(Protocol):
    async def by_token(self, hashed: bytes) -> Player | None:
        """The player whose token has this hash."""


class SharedRecords(Protocol):
    """Links to records of private games; see `server.rooms.shared_records`. They raise StoreUnavailable."""

    async def opens(self, game: int, secret: str) -> bool: ...

    async def made_ms(self, game: int) -> int | None: ...

    def refusal(self, player: str) -> Refusal | None: ...

    async def make(self, game: int, player: str) -> tuple[str, int]: ...

    async def withdraw(self, game: int) -> None: ...


class OwnBots(Protocol):
    """Bots that people make; see `server.rooms.players.own_bots`. They raise StoreUnavailable and Refused."""

    async def listed(self, owner: Player) -> list[OwnedBotRow]: ...

    async def make(self, owner: Player, name: str) -> tuple[OwnedBotRow, str]: ...

    async def renew(self, owner: Player, id: str) -> tuple[OwnedBotRow, str]: ...

    async def withdraw(self, owner: Player, id: str) -> OwnedBotRow: ...


class Explorer(Protocol):
    async def pending(self) -> int:
        """How many games are not counted yet; starts to count them."""


class Rooms(Protocol):
    def public_session(self, id: str) -> Session | None:
        """What goes on in a room that anybody may look into, if it is awake."""

    def is_connected(self, player: str) -> bool: ...


class Readiness(Protocol):
    @property
    def trouble(self) -> str | None:
        """Why people, or bots, cannot play now, in one sentence; None where they can."""

    @property
    def warming(self) -> tuple[int, int] | None:
        """How many stages of the bots' warm-up are done, of how many; None once it is over."""


@dataclass(frozen=True, slots=True)
class Parts:
    records: Records
    tokens: Tokens
    shares: SharedRecords
    own_bots: OwnBots
    explorer: Explorer
    roster: Roster
    rooms: Rooms
    readiness: Readiness
    ladders: LadderAnswers
    stats: StatsAnswers
    heavy: HeavyAnswers
    metrics: Metrics
    files: Mapping[str, PageFile]
    """files of the page"""
    embedders: Set[str]
    """origins of sites that may show games in a frame"""
    unix_ms: Callable[[], int]
    origin: Callable[[Request], str | None]
    """where a client found this server, as in https://play.example.org; None if its request does not say"""
