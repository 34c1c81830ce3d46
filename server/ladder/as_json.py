"""What the commands of `noughts ladder` print with --json. Names are those of the page's answers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from server.console.output import Output
from server.ladder.config import BotList, Ladder
from server.ladder.run import RunningList
from server.ladder.runs import LadderRuns
from server.ladder.schedule import Mode


class AskedList(Output):
    """A list of a configuration; `games` are those of its round robin."""

    run: str
    list: str
    game: str
    limit: dict[str, int] | None
    bots: Sequence[str]
    opening_plies: int
    openings: int | None
    """Null: too many to be counted."""
    mode: Mode
    games: int


class AskedLadder(Output):
    """What a configuration asks for."""

    ladder: str
    file: str
    lists: list[AskedList]


class BotStanding(Output):
    """Without games a bot has neither place nor rating; ratings are in Elo."""

    bot: str
    version: int
    retired: bool
    left: bool
    place: int | None = None
    rating: float | None = None
    low: float | None = None
    high: float | None = None
    superiority: float | None = None


class PlayedList(Output):
    """A list at the end of a run, the best bots first; `complete` says why it is."""

    run: str
    list: str
    game: str
    games: int
    complete: str | None
    advantage: float | None
    drawing: float | None
    standings: Sequence[BotStanding]


class PlayedLadder(Output):
    """A run of a ladder: why it stopped, and how many games it played."""

    ladder: str
    database: str
    stopped: str
    games: int
    lists: list[PlayedList]


class RecordedList(Output):
    """A list, as `ladder compare` takes it."""

    run: str
    list: str
    game: str
    games: int
    created_ms: int


class RecordedNight(Output):
    """One process of a ladder, from 1."""

    night: int
    begun_ms: int
    ended_ms: int
    games: int


class RecordedLadder(Output):
    """Its lists and its nights."""

    ladder: str
    lists: list[RecordedList]
    nights: list[RecordedNight]


class RecordedLadders(Output):
    """What a database has of ladders."""

    database: str
    ladders: list[RecordedLadder]


def asked_for(asked: Ladder, file: str) -> AskedLadder:
    return AskedLadder(asked.name, file, [_asked(one) for one in asked.lists])


def _asked(one: BotList) -> AskedList:
    return AskedList(
        run=one.run_id,
        list=one.name,
        game=one.game,
        limit=one.settings["limit"],
        bots=[bot.name for bot in one.bots],
        opening_plies=one.opening_plies,
        openings=one.different_openings,
        mode=one.mode,
        games=2 * one.line_up().robin,
    )


def standing(one: RunningList) -> PlayedList:
    found = one.standings
    return PlayedList(
        run=one.config.run_id,
        list=one.config.name,
        game=one.config.game,
        games=2 * one.pairs,
        complete=one.schedule.round.reason or None,
        advantage=found.fitted.advantage if found else None,
        drawing=found.fitted.drawing if found else None,
        standings=_standings(one),
    )


def _standings(one: RunningList) -> list[BotStanding]:
    found = one.standings
    if found is None:
        return []
    rows = []
    for place, number in enumerate(found.order, start=1):
        bot = one.config.entrants[number]
        row = BotStanding(bot.name, bot.version, retired=number in found.retired, left=number in found.left)
        if number not in found.unplayed:
            row.place = place
            row.rating, row.low, row.high, row.superiority = found.bots[number]
        rows.append(row)
    return rows


def recorded_ladders(database: str, found: Iterable[LadderRuns]) -> RecordedLadders:
    return RecordedLadders(database, [_recorded(one) for one in found])


def _recorded(one: LadderRuns) -> RecordedLadder:
    return RecordedLadder(
        one.ladder,
        [RecordedList(row.run_id, row.list, row.game, row.games, row.created_ms) for row in one.lists],
        [RecordedNight(number, *night) for number, night in enumerate(one.nights, start=1)],
    )
