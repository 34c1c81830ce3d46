"""What the commands of the report print with `--json`, without the code that makes it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from engine.analysis.verdict import Grade
from engine.rules.position import Side
from engine.rules.termination import Termination
from server.console.output import Output
from server.report.page.key_figures import Place
from server.wire.parts import JudgedMove


class ReviewedMove(JudgedMove, kw_only=True, omit_defaults=False, forbid_unknown_fields=True):
    """A move as `/api/games/{id}/review` has it, with its side, time, grade and words."""

    side: Side
    move: str
    think_ms: int | None
    think_us: int | None
    grade: Grade
    words: str


class ReviewedGame(Output):
    """A finished game, each of its moves judged."""

    game: int | None
    kind: str
    x: str
    o: str
    start: list[str]
    winner: Side | None
    termination: Termination | None
    version: Annotated[int, Meta(description="of the review: another one may judge otherwise")]
    done: int
    of: int
    moves: list[ReviewedMove]


class JudgedPlayer(Output):
    """How many moves of a player were judged, and how many of them were blunders, doubtful or proven."""

    player: str
    moves: int
    blunders: int
    doubtful: int
    proven: int
    player_id: Annotated[int, Meta(description="several may have one name, as versions of a bot")]


class JudgedGames(Output):
    """What a review has done, and who blundered how often in the games chosen."""

    judged: int
    failed: Annotated[int, Meta(description="moves that no worker could judge")]
    excluded: Annotated[int, Meta(description="games whose records break the rules")]
    interrupted: bool
    players: list[JudgedPlayer]


class ReportNumbers(Output):
    """What one report is about."""

    as_of_ms: int
    games: int
    moves: int
    by_game: dict[str, int]


class PlaceChange(Output):
    """A bot in both reports; `before` is null for one that is new."""

    before: Place | None
    after: Place
    rating_change: float | None


class ListChange(Output):
    """A list that both reports have; `gone` are bots that the second no longer has."""

    run: str
    title: str
    bots: list[PlaceChange]
    gone: list[str]


class ComparedReports(Output):
    """Two reports side by side."""

    before: ReportNumbers
    after: ReportNumbers
    lists: list[ListChange]
    new_lists: list[str]
    gone_lists: list[str]
