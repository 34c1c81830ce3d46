"""The JSON answers about ladders and players, and the rows they are made from. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from engine.bots.roster import BotEntry, bots
from server.db.ladder import BotRow, EntryRow, ListRow, LiveRow, MeetingRow, OpeningRow, PlayedRow, StandingRow, TimeRow
from server.db.play import RatingPoint, RatingRow
from server.http.answers.games import Answer
from server.wire import BotLimit, BotName, GameId, Kind, MoveText, Ms, Name, Player, PlayerId, Text, UnixMs

HISTORY_POINTS = 500
"""Newest points of a rating's history that are sent."""
DAY_MS = 86_400_000

Run = Annotated[str, Meta(description="a list of a ladder with its settings: LADDER/LIST/DIGEST")]
Elo = Annotated[float, Meta(description="in Elo; the mean of a list is 0")]
Low = Annotated[float, Meta(description="where the 95 % interval of the rating begins")]
High = Annotated[float, Meta(description="where the 95 % interval of the rating ends")]
Drawing = Annotated[
    float, Meta(description="Davidson's nu: draws to wins of either side between equals; null before it is known")
]
Games = Annotated[int, Meta(description="how many games")]
Points = Annotated[float, Meta(description="1 for a win, 0.5 for a draw")]
Place = Annotated[int, Meta(description="in the list, from 1")]
PartName = Annotated[str, Meta(description="one of `parts`, by its name")]
Version = Annotated[int, Meta(description="of the bot's play")]
Versions = Annotated[int, Meta(description="how many versions of this bot the records know")]
Rating = Annotated[float, Meta(description="Glicko-2; 1500 at first")]
Deviation = Annotated[float, Meta(description="Glicko-2: how unsure the rating is, 350 at first")]


class ListAnswer(Answer):
    """A list of a ladder: bots of one game under one limit."""

    run: Run
    ladder: Annotated[str, Meta(description="the ladder's name")]
    list: Annotated[str, Meta(description="the list's name in its ladder")]
    game: GameId
    limit: BotLimit | None
    games: Annotated[int, Meta(description="finished games; aborted ones do not count")]
    created_ms: UnixMs
    rated_ms: UnixMs | None
    advantage: Annotated[float, Meta(description="Elo that moving first is worth, null before it is known")] | None
    drawing: Drawing | None
    running: Annotated[bool, Meta(description="whether its ladder plays and has come to this list lately")]


class LadderAnswer(Answer):
    """Every list, the newest first."""

    lists: list[ListAnswer]


class StandingAnswer(Answer):
    """A bot of a list. `place` and the ratings are null until they have been computed; the counts are of now."""

    place: Place | None
    player: PlayerId
    bot: BotName
    version: Version | None
    versions: Versions
    rating: Elo | None
    low: Low | None
    high: High | None
    superiority: (
        Annotated[float, Meta(description="likelihood of being stronger than the next, null for the last")] | None
    )
    games: Games
    won: Games
    drawn: Games
    lost: Games
    points: Points
    faults: Annotated[int, Meta(description="games forfeited by a crash, a stall, an illegal move or the flag")]
    retired: Annotated[bool, Meta(description="for its faults: it plays no more")]


class CellAnswer(Answer):
    """What one bot scored against another."""

    points: Points
    games: Games


class CrosstableAnswer(Answer):
    """Everybody against everybody, in the order of the standings."""

    bots: Annotated[list[PlayerId], Meta(description="of the rows, and of the columns")]
    cells: Annotated[
        list[list[CellAnswer | None]],
        Meta(description="row by row: what the row's bot scored against the column's, null where they did not meet"),
    ]


class OpeningAnswer(Answer):
    """An opening of a list."""

    opening: Annotated[str, Meta(description="its moves, as `opening` of /api/games takes them")]
    games: Games


class ListPageAnswer(ListAnswer):
    """A list with all that is known of it. X moves first."""

    x_won: Games
    drawn: Games
    o_won: Games
    unrated: Annotated[int, Meta(description="games that ended after the ratings were computed")]
    standings: list[StandingAnswer]
    crosstable: CrosstableAnswer
    openings: Annotated[list[OpeningAnswer], Meta(description="the most played first")]


class LiveGame(Answer):
    """A game that a ladder is playing now."""

    run: Run
    game: GameId
    x: Player
    o: Player
    start: list[MoveText]
    moves: list[MoveText]
    begun_ms: UnixMs
    updated_ms: UnixMs


class LiveAnswer(Answer):
    """What there is to watch: null while no game is shown, which is no error."""

    live: LiveGame | None


class RatingPointAnswer(Answer):
    """A rating after a rated game."""

    at_ms: UnixMs
    rating: Rating
    deviation: Deviation


class RatingAnswer(Answer):
    """A player's online rating in one game."""

    game: GameId
    rating: Rating
    deviation: Deviation
    games: Games
    updated_ms: Annotated[int, Meta(description="Unix time at which the day of the last rated game began, UTC")]
    history: Annotated[
        list[RatingPointAnswer], Meta(description="after public games, oldest first, the newest 500 at most")
    ]


class EntryAnswer(Answer):
    """A player's place in a list of a ladder."""

    run: Run
    ladder: Annotated[str, Meta(description="the ladder's name")]
    list: Annotated[str, Meta(description="the list's name in its ladder")]
    game: GameId
    rated_ms: UnixMs | None
    place: Place
    of: Annotated[int, Meta(description="how many bots the list has")]
    rating: Elo
    low: Low
    high: High
    games: Games
    points: Points
    retired: bool


class TimeAnswer(Answer):
    """What a player's moves in one game took, over their newest games."""

    game: GameId
    games: Games
    moves: Annotated[int, Meta(description="how many moves")]
    median_ms: Ms
    p90_ms: Annotated[int, Meta(description="milliseconds: nine of ten moves took no longer")]


class FamilyAnswer(Answer):
    """What a bot of this server is; `current` is false for a version that it no longer plays."""

    family: Annotated[str, Meta(description="the name without parameters")]
    title: Text
    character: Annotated[str, Meta(description="one sentence on how it plays")]
    source: Annotated[str, Meta(description="where the idea is from")]
    version: Version
    versions: Versions
    current: bool


class PlayerAnswer(Answer):
    """Who a player is and how they play. Games are listed by /api/games?player=."""

    id: PlayerId
    name: Name
    kind: Kind
    since_ms: UnixMs
    bot: FamilyAnswer | None
    ratings: Annotated[list[RatingAnswer], Meta(description="online ratings, the game played most first")]
    ladder: Annotated[list[EntryAnswer], Meta(description="the newest list first")]
    times: Annotated[list[TimeAnswer], Meta(description="the game with the most moves first")]


def list_answer(row: ListRow, running: bool) -> ListAnswer:
    return ListAnswer(**_list_fields(row, running))


def _list_fields(row: ListRow, running: bool) -> dict[str, Any]:
    settings = msgspec.json.decode(row.settings)
    return {
        "run": row.run_id,
        "ladder": row.ladder,
        "list": row.list,
        "game": row.game,
        "limit": msgspec.convert(settings.get("limit"), BotLimit | None),
        "games": row.games,
        "created_ms": row.created_ms,
        "rated_ms": row.rated_ms,
        "advantage": row.advantage,
        "drawing": row.drawing,
        "running": running,
    }


def list_page_answer(
    row: ListRow,
    running: bool,
    standings: Sequence[StandingRow],
    meetings: Sequence[MeetingRow],
    openings: Sequence[OpeningRow],
    names: Sequence[BotRow],
) -> ListPageAnswer:
    """`names` are those of `bots_of(standings, meetings)`."""
    tally = _Tally(meetings)
    known = {bot.id: bot for bot in names}
    rated = {standing.player_id: standing for standing in standings}
    order = sorted(known, key=lambda id: (rated[id].place if id in rated else len(known), -tally.share(id), id))
    return ListPageAnswer(
        # The counts were asked for one after the other, while games may be written: those of the list are the sum.
        **_list_fields(row, running) | {"games": sum(meeting.games for meeting in meetings)},
        x_won=sum(meeting.x_won for meeting in meetings),
        drawn=sum(meeting.drawn for meeting in meetings),
        o_won=sum(meeting.o_won for meeting in meetings),
        unrated=sum(meeting.unrated for meeting in meetings),
        standings=[_standing(known[id], rated.get(id), tally) for id in order],
        crosstable=CrosstableAnswer(
            bots=[str(id) for id in order], cells=[[tally.cell(one, other) for other in order] for one in order]
        ),
        openings=[OpeningAnswer(opening=opening.opening, games=opening.games) for opening in openings],
    )


def bots_of(standings: Sequence[StandingRow], meetings: Sequence[MeetingRow]) -> list[int]:
    """The ids of every bot of a list: those that were rated, and those that have played since."""
    ids = {standing.player_id for standing in standings}
    return sorted(ids.union(*({meeting.x_player, meeting.o_player} for meeting in meetings)))


class _Tally:
    """Results of each bot against each, from games in which one had X."""

    def __init__(self, meetings: Sequence[MeetingRow]) -> None:
        self._won: dict[tuple[int, int], int] = {}
        self._drawn: dict[tuple[int, int], int] = {}
        self._faults: dict[int, int] = {}
        for meeting in meetings:
            x, o = meeting.x_player, meeting.o_player
            for one, other, won, faults in (
                (x, o, meeting.x_won, meeting.x_faults),
                (o, x, meeting.o_won, meeting.o_faults),
            ):
                self._won[one, other] = self._won.get((one, other), 0) + won
                self._drawn[one, other] = self._drawn.get((one, other), 0) + meeting.drawn
                self._faults[one] = self._faults.get(one, 0) + faults

    def cell(self, one: int, other: int) -> CellAnswer | None:
        if (one, other) not in self._won:
            return None
        won, drawn, lost = self._won[one, other], self._drawn[one, other], self._won[other, one]
        return CellAnswer(points=won + drawn / 2, games=won + drawn + lost)

    def results(self, id: int) -> tuple[int, int, int]:
        """Won, drawn, lost."""
        met = [other for one, other in self._won if one == id]
        return (
            sum(self._won[id, other] for other in met),
            sum(self._drawn[id, other] for other in met),
            sum(self._won[other, id] for other in met),
        )

    def share(self, id: int) -> float:
        won, drawn, lost = self.results(id)
        return (won + drawn / 2) / max(1, won + drawn + lost)

    def faults(self, id: int) -> int:
        return self._faults.get(id, 0)


def _standing(bot: BotRow, rated: StandingRow | None, tally: _Tally) -> StandingAnswer:
    won, drawn, lost = tally.results(bot.id)
    computed = {name: getattr(rated, name, None) for name in ("place", "rating", "low", "high", "superiority")}
    return StandingAnswer(
        **computed,
        player=str(bot.id),
        bot=bot.name,
        version=bot.version,
        versions=bot.versions,
        games=won + drawn + lost,
        won=won,
        drawn=drawn,
        lost=lost,
        points=won + drawn / 2,
        faults=tally.faults(bot.id),
        retired=rated is not None and bool(rated.retired),
    )


def live_game(row: LiveRow) -> LiveGame:
    return LiveGame(
        run=row.run_id,
        game=row.game,
        x=Player(id=str(row.x_player), name=row.x_name, kind=row.x_kind),
        o=Player(id=str(row.o_player), name=row.o_name, kind=row.o_kind),
        start=msgspec.json.decode(row.start),
        moves=msgspec.json.decode(row.moves),
        begun_ms=row.begun_ms,
        updated_ms=row.updated_ms,
    )


def player_answer(
    row: BotRow,
    ratings: Sequence[tuple[RatingRow, Sequence[RatingPoint]]],
    entries: Sequence[EntryRow],
    played: Sequence[PlayedRow],
    times: Sequence[TimeRow],
) -> PlayerAnswer:
    return PlayerAnswer(
        id=str(row.id),
        name=row.name,
        kind=row.kind,
        since_ms=row.created_ms,
        bot=_family(row),
        ratings=[_rating(rating, history) for rating, history in ratings],
        ladder=[_entry(entry, played) for entry in entries],
        times=[
            TimeAnswer(game=time.game, games=time.games, moves=time.moves, median_ms=time.median_ms, p90_ms=time.p90_ms)
            for time in times
        ],
    )


def _family(row: BotRow) -> FamilyAnswer | None:
    """None for a person, a bot from elsewhere, and a family that this release does not have."""
    entry: BotEntry | None = next((entry for entry in bots() if entry.family == row.family), None)
    if entry is None or row.version is None:
        return None
    return FamilyAnswer(
        family=entry.family,
        title=entry.title,
        character=entry.character,
        source=entry.source,
        version=row.version,
        versions=row.versions,
        current=row.version == entry.version,
    )


def _rating(row: RatingRow, history: Sequence[RatingPoint]) -> RatingAnswer:
    return RatingAnswer(
        game=row.game,
        rating=row.rating,
        deviation=row.deviation,
        games=row.games,
        updated_ms=row.updated_ms - row.updated_ms % DAY_MS,  # the game may have been a private one
        history=[
            RatingPointAnswer(at_ms=point.ended_ms, rating=point.rating, deviation=point.deviation)
            for point in history[-HISTORY_POINTS:]
        ],
    )


def _entry(row: EntryRow, played: Sequence[PlayedRow]) -> EntryAnswer:
    own = [games for games in played if games.run_id == row.run_id]
    return EntryAnswer(
        run=row.run_id,
        ladder=row.ladder,
        list=row.list,
        game=row.game,
        rated_ms=row.rated_ms,
        place=row.place,
        of=row.of,
        rating=row.rating,
        low=row.low,
        high=row.high,
        games=sum(games.games for games in own),
        points=sum(games.points for games in own),
        retired=bool(row.retired),
    )


class PictureAnswer(Answer):
    """A picture of the statistics; it shows its own title."""

    name: Annotated[str, Meta(description="of the picture")]
    title: Text
    alt: Annotated[str, Meta(description="what it shows, in words")]
    reading: Annotated[str, Meta(description="how to read it, in a sentence")]
    part: PartName
    game: GameId | None
    url: Annotated[str, Meta(description="where it is, as SVG; another when it is drawn anew")]


class TableAnswer(Answer):
    """A table of the statistics."""

    title: Text
    head: Annotated[list[str], Meta(description="what stands above the columns")]
    rows: Annotated[list[list[str | int | float | None]], Meta(description="row by row: text, numbers or null")]
    note: Text
    part: PartName
    game: GameId | None


class PartAnswer(Answer):
    """A part of the statistics, which has pictures and tables."""

    name: PartName
    title: Text
    sentences: Annotated[list[str], Meta(description="what is seen in it, for people")]


class SaidAnswer(Answer):
    """What a text of the statistics was made of, so that it can be said in another language."""

    key: Annotated[str, Meta(description="of its sentence; `game` is the name of a game")]
    values: Annotated[
        dict[str, str | int | list[str]],
        Meta(description="what was put in by name: texts, which may be made of others in turn, numbers and lists"),
    ]


class StatsAnswer(Answer):
    """The statistics of all public games, as they were drawn last."""

    as_of_ms: Annotated[int, Meta(description="Unix time of the records that were drawn, null before")] | None
    games: Games
    parts: Annotated[list[PartAnswer], Meta(description="in the order of the page")]
    pictures: list[PictureAnswer]
    tables: list[TableAnswer]
    said: Annotated[dict[str, SaidAnswer], Meta(description="by the texts above and in the pictures")]
    drawing: Annotated[bool, Meta(description="whether newer pictures are being drawn")]
    error: Annotated[str, Meta(description="why there are no newer pictures, for people")] | None = None
