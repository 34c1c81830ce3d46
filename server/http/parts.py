"""What the endpoints are given of the rest of the server, each part as little of it as they use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.analysis.verdict import MoveVerdict
from server.db.explorer import ExplorerRow
from server.db.play import BotRatingRow, GameExtras, GameRow, MoveRow, VariationRow
from server.http.ladders import LadderAnswers
from server.http.page_files import PageFile
from server.http.pictures import Pictures
from server.metrics import Metrics
from server.wire import Player


class Records(Protocol):
    """See `Store`. Whatever it reads, it raises StoreUnavailable where that cannot be done now."""

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
        """Whose token has this hash."""


class Explorer(Protocol):
    async def pending(self) -> int:
        """How many games are not counted yet; starts to count them."""


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
    explorer: Explorer
    readiness: Readiness
    ladders: LadderAnswers
    pictures: Pictures
    metrics: Metrics
    files: Mapping[str, PageFile]
    """of the page"""
    unix_ms: Callable[[], int]
