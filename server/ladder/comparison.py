"""Two runs of a list beside each other: whose rating changed, how sure that is, and who moved places. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from engine.stats.davidson import PairResult, changes, fit
from server.console.output import Output
from server.ladder.config import labels
from server.ladder.runs import BotKey, PlayedPair, Run

RESAMPLES: Final = 1_000


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot in both runs. What a run does not know of it is None. Ratings are in Elo."""

    bot: str
    version: int | None
    place_before: int | None
    place_after: int | None
    rating_before: float | None
    rating_after: float | None
    change: float | None
    low: float | None
    high: float | None
    games_before: int
    games_after: int


class Comparison(NamedTuple):
    """Two runs compared; the bots in the order of the second, then those that only the first has."""

    before: Run
    after: Run
    bots: tuple[Line, ...]

    @property
    def moved(self) -> frozenset[Line]:
        """Bots that stand elsewhere among those that both runs have."""
        both = [one for one in self.bots if one.place_before and one.place_after]
        was = sorted(both, key=lambda one: one.place_before or 0)
        return frozenset(one for one, other in zip(was, both, strict=True) if one is not other)


def compared(before: Run, after: Run, resamples: int = RESAMPLES) -> Comparison:
    """Ratings are against the mean of the bots that both runs have, so bots that enter or leave change none.

    What both have of one list counts as one past: see `engine.stats.davidson.changes`.
    """
    same = (before.file, before.list.run_id) == (after.file, after.list.run_id)
    shared = before.pairs.keys() & after.pairs.keys() if same else set()
    bots = sorted({bot for run in (before, after) for pair in run.pairs.values() for bot in (pair.a, pair.b)}, key=str)
    index = {bot: number for number, bot in enumerate(bots)}
    past = _results(index, (before.pairs[pair] for pair in shared))
    earlier, later = (
        _results(index, (pair for number, pair in run.pairs.items() if number not in shared)) for run in (before, after)
    )
    found = changes(len(bots), past, earlier, later, resamples=resamples)
    both = [bot for bot, one in enumerate(found) if one]
    was, now = (_Side(len(bots), [*past, *news], both) for news in (earlier, later))
    lines = []
    for bot, number in index.items():
        one = found[number]
        lines.append(
            Line(
                bot=bot.name,
                version=bot.version,
                place_before=was.places.get(number),
                place_after=now.places.get(number),
                rating_before=was.ratings.get(number),
                rating_after=now.ratings.get(number),
                change=None if one is None else one.after - one.before,
                low=None if one is None else one.low,
                high=None if one is None else one.high,
                games_before=was.games[number],
                games_after=now.games[number],
            )
        )
    last = len(bots) + 1
    lines.sort(key=lambda one: (one.place_after or last, one.place_before or last))
    return Comparison(before, after, tuple(lines))


class _Side:
    """Ratings and places of the bots that have pairs, on one side."""

    def __init__(self, number: int, pairs: Sequence[PairResult], both: Sequence[int]) -> None:
        self.games = [2 * sum(bot in (pair.a, pair.b) for pair in pairs) for bot in range(number)]
        ratings = fit(number, pairs).ratings
        mean = sum(ratings[bot] for bot in both) / max(1, len(both))
        self.ratings = {bot: ratings[bot] - mean for bot in range(number) if self.games[bot]}
        order = sorted(self.ratings, key=lambda bot: (-self.ratings[bot], bot))
        self.places = {bot: place for place, bot in enumerate(order, start=1)}


def _results(index: dict[BotKey, int], pairs: Iterable[PlayedPair]) -> list[PairResult]:
    """Whole pairs with two results."""
    return [
        PairResult(index[a], index[b], score.as_x, score.as_o)
        for a, b, score, _ in pairs
        if score.as_x is not None and score.as_o is not None
    ]


class ComparedRun(Output):
    """Which run, and how many games it had."""

    run: str
    night: int | None
    database: str
    games: int


class ComparedList(Output):
    """A list in two runs."""

    list: str
    game: str
    before: ComparedRun
    after: ComparedRun
    bots: Sequence[Line]


class ComparedRuns(Output):
    """What `ladder compare --json` prints."""

    lists: list[ComparedList]


def as_json(one: Comparison) -> ComparedList:
    before, after = (ComparedRun(run.list.run_id, run.night, run.file, run.games) for run in (one.before, one.after))
    return ComparedList(one.after.list.list, one.after.list.game, before, after, [*one.bots])


def as_text(one: Comparison) -> list[str]:
    """At most 80 columns wide, but for long names."""
    names = labels((line.bot, line.version) for line in one.bots)
    width = max(map(len, names), default=0)
    lines = [f"{one.before.name} ({one.before.games:,} games) to {one.after.name} ({one.after.games:,} games)"]
    for name, line in zip(names, one.bots, strict=True):
        place = f"{line.place_after:3}" if line.place_after else "  -"
        moved = f"was {line.place_before}" if line.place_before not in (None, line.place_after) else ""
        rated = line.rating_after if line.rating_after is not None else line.rating_before
        rating = "" if rated is None else f"{rated:+6.0f}"
        if line.change is None:
            change = "new" if line.place_after else "only in the first" if line.place_before else "not rated"
        else:
            change = f"{line.change:+5.0f} ({line.low:+.0f} to {line.high:+.0f})"
        more = line.games_after - line.games_before
        lines.append(f"  {place} {moved:7}{name:{width}} {rating:6}  {change:22} {more:+,} games")
    sure = sum(1 for line in one.bots if line.low is not None and line.high is not None and line.low * line.high > 0)
    moved = f"{len(one.moved)} bots changed places among those in both" if one.moved else "nobody changed places"
    return [*lines, f"  {moved}; {sure} rating{'s' if sure != 1 else ''} changed with 95 % certainty"]
