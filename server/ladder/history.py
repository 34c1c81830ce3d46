"""Standings over time: how the ratings of a run came about, as JSON and as text. Pure."""

from __future__ import annotations

from typing import NamedTuple

from engine.stats.course import Point, course
from engine.stats.davidson import PairResult
from server.console.output import Output
from server.ladder.config import labels
from server.ladder.runs import BotKey, Run


class History(NamedTuple):
    """Bots, best first as they stand at the end, and the points in time; ratings are in the order of the bots."""

    run: Run
    bots: tuple[BotKey, ...]
    ended_ms: tuple[int, ...]
    """When the last pair of each point ended."""
    points: tuple[Point, ...]


def history(run: Run, points: int) -> History:
    """Standings after parts of a run, its pairs in the order in which they ended. Raises ValueError without a point."""
    pairs = [
        pair
        for pair in sorted(run.pairs.values(), key=lambda pair: pair.ended_ms)
        if pair.score.as_x is not None and pair.score.as_o is not None
    ]
    bots = sorted({bot for pair in pairs for bot in (pair.a, pair.b)}, key=str)
    index = {bot: number for number, bot in enumerate(bots)}
    results = [
        PairResult(index[pair.a], index[pair.b], pair.score.as_x or 0.0, pair.score.as_o or 0.0) for pair in pairs
    ]
    found = course(len(bots), results, points)
    order = sorted(index.values(), key=lambda bot: -(found[-1].ratings[bot] or (0.0,))[0]) if found else []
    return History(
        run,
        tuple(bots[bot] for bot in order),
        tuple(pairs[point.pairs - 1].ended_ms for point in found),
        tuple(point._replace(ratings=tuple(point.ratings[bot] for bot in order)) for point in found),
    )


class BotHistory(Output):
    """The ratings of a bot at each point, in whole Elo; null before its first game."""

    bot: str
    version: int | None
    rating: list[int | None]
    low: list[int | None]
    high: list[int | None]


class ListHistory(Output):
    """The history of one run; `games` and `ended_ms` are those of each point."""

    run: str
    games: list[int]
    ended_ms: list[int]
    bots: list[BotHistory]


class Histories(Output):
    """What `ladder history --json` prints."""

    lists: list[ListHistory]


def as_json(found: History) -> ListHistory:
    """The history as the page's answer has it."""

    def column(bot: int, field: int) -> list[int | None]:
        return [None if (one := point.ratings[bot]) is None else round(one[field]) for point in found.points]

    return ListHistory(
        found.run.list.run_id,
        [2 * point.pairs for point in found.points],
        [*found.ended_ms],
        [
            BotHistory(bot.name, bot.version, column(number, 0), column(number, 1), column(number, 2))
            for number, bot in enumerate(found.bots)
        ],
    )


def as_text(found: History) -> list[str]:
    """A column for each point."""
    names = labels(found.bots)
    width = max(map(len, names), default=0)
    games = "".join(f"{2 * point.pairs:8,}" for point in found.points)
    lines = [found.run.name, f"  {'games':{max(width, 5)}}{games}"]
    for number, name in enumerate(names):
        cells = [point.ratings[number] for point in found.points]
        told = "".join(f"{'' if one is None else f'{one.rating:+.0f}':>8}" for one in cells)
        lines.append(f"  {name:{max(width, 5)}}{told}")
    return lines
