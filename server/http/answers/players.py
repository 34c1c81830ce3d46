"""The JSON answers about a player, and the rows they are made from. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from engine.bots.roster import OUR_ROSTER, BotEntry
from server.db.ladder import BotRow, EntryRow, PlayedRow, TimeRow
from server.db.play import RatingPoint, RatingRow
from server.http.answers.fields import (
    Answer,
    Character,
    Elo,
    Family,
    Games,
    High,
    LadderName,
    ListName,
    Low,
    Place,
    Points,
    Run,
    Source,
    Version,
    Versions,
)
from server.wire import GameId, Kind, Ms, Name, PlayerId, Text, UnixMs

HISTORY_POINTS = 500
"""Newest points of a rating's history that are sent."""
DAY_MS = 86_400_000

Rating = Annotated[float, Meta(description="Glicko-2; everybody starts at 1500")]
Deviation = Annotated[float, Meta(description="Glicko-2: how uncertain the rating is; everybody starts at 350")]


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
    updated_ms: Annotated[int, Meta(description="Unix time of the start of the day (UTC) of the last rated game")]
    history: Annotated[
        list[RatingPointAnswer],
        Meta(description="the ratings after public games, oldest first; at most the newest 500"),
    ]


class EntryAnswer(Answer):
    """A player's place in a list of a ladder."""

    run: Run
    ladder: LadderName
    list: ListName
    game: GameId
    rated_ms: UnixMs | None
    place: Place
    of: Annotated[int, Meta(description="number of bots in the list")]
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
    moves: Annotated[int, Meta(description="number of moves")]
    median_ms: Ms
    p90_ms: Annotated[int, Meta(description="milliseconds; nine moves out of ten took no longer")]


class FamilyAnswer(Answer):
    """What a bot of this server is; `current` is false for a version that it no longer plays."""

    family: Family
    title: Text
    character: Character
    source: Source
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
    ratings: Annotated[list[RatingAnswer], Meta(description="online ratings, most played game first")]
    ladder: Annotated[list[EntryAnswer], Meta(description="newest list first")]
    times: Annotated[list[TimeAnswer], Meta(description="game with the most moves first")]


def player_answer(
    row: BotRow,
    ratings: Sequence[tuple[RatingRow, Sequence[RatingPoint]]],
    entries: Sequence[EntryRow],
    played: Sequence[PlayedRow],
    times: Sequence[TimeRow],
    bots: Sequence[BotEntry] = OUR_ROSTER.entries,
) -> PlayerAnswer:
    """`bots` are the families of this server."""
    return PlayerAnswer(
        id=str(row.id),
        name=row.name,
        kind=row.kind,
        since_ms=row.created_ms,
        bot=_family(row, bots),
        ratings=[_rating(rating, history) for rating, history in ratings],
        ladder=[entry for entry in (_entry(row, played) for row in entries) if entry.games],
        times=[
            TimeAnswer(game=time.game, games=time.games, moves=time.moves, median_ms=time.median_ms, p90_ms=time.p90_ms)
            for time in times
        ],
    )


def _family(row: BotRow, bots: Sequence[BotEntry]) -> FamilyAnswer | None:
    """The bot's family; None for a person, a bot from elsewhere, and a family that this release does not have."""
    entry: BotEntry | None = next((entry for entry in bots if entry.family == row.family), None)
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
