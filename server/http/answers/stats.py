"""The JSON answer about the statistics of all games. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from server.db import stats as rows
from server.db.stats import (
    DayRow,
    FaultRow,
    ForfeitRow,
    LengthRow,
    MoverRow,
    PaceRow,
    PlyRow,
    ResultRow,
    SeatedRow,
    SlowRow,
)
from server.http.answers.fields import Answer, Games
from server.wire import GameId, Kind, Name, PlayerId, Side, Termination, Text

Plies = Annotated[int, Meta(description="moves of either side, those made beforehand among them")]
Moves = Annotated[int, Meta(description="number of moves")]
Median = Annotated[int, Meta(description="median, in milliseconds")]
P90 = Annotated[int, Meta(description="90th percentile, in milliseconds")]
Took = Annotated[int, Meta(description="milliseconds")]
GameNumber = Annotated[int, Meta(description="the game's id")]
Empty = Annotated[list[str], Meta(max_length=0, description="empty: the page draws its charts from the numbers")]


class ResultCount(Answer):
    """Games that ended in the same way."""

    winner: Annotated[Side, Meta(description="null for a draw")] | None
    termination: Termination
    games: Games


class LengthCount(Answer):
    """Games of one length."""

    plies: Plies
    games: Games


class PlyTime(Answer):
    """What people, or bots, thought about a ply."""

    kind: Kind
    ply: Annotated[int, Meta(description="from 1, moves made beforehand among them")]
    moves: Moves
    median_ms: Median
    low_ms: Annotated[int, Meta(description="lower quartile")]
    high_ms: Annotated[int, Meta(description="upper quartile")]


class KindStats(Answer):
    """One kind of game."""

    game: GameId
    results: Annotated[list[ResultCount], Meta(description="each winner and termination that there was")]
    lengths: Annotated[list[LengthCount], Meta(description="shortest first")]
    times: Annotated[
        list[PlyTime], Meta(description=f"ply by ply, over the newest {rows.TIMED_OF_KIND} games of the kind")
    ]


class DayCount(Answer):
    """Games that began on a day."""

    day_ms: Annotated[int, Meta(description="Unix time of its beginning in UTC")]
    games: Games


class Pace(Answer):
    """What moves took, of people or of bots."""

    kind: Kind
    moves: Moves
    median_ms: Median
    p90_ms: P90


class BotTimes(Answer):
    """What a bot's moves took."""

    player: PlayerId
    name: Name
    games: Games
    moves: Moves
    median_ms: Median
    p90_ms: P90
    longest_ms: Took
    nodes_s: (
        Annotated[
            int, Meta(description="nodes a second; null where it did not search, or mostly too briefly to be timed")
        ]
        | None
    )


class SlowMove(Answer):
    """A move that took a bot long."""

    game_id: GameNumber
    ply: Annotated[int, Meta(description="number of moves after it, those made beforehand not among them")]
    player: PlayerId
    name: Name
    think_ms: Took


class Forfeits(Answer):
    """Games that a bot lost by a fault."""

    player: PlayerId
    name: Name
    termination: Termination
    games: Games


class Fault(Answer):
    """A fault that lost a bot a game."""

    game_id: GameNumber
    game: GameId
    player: PlayerId
    name: Name
    termination: Termination
    sentence: Text


class StatsAnswer(Answer):
    """The statistics of the newest public games that ended, aborted ones left out."""

    as_of_ms: Annotated[int, Meta(description="Unix time of the count; null where there is no game")] | None
    games: Annotated[int, Meta(description=f"number of games that are counted, at most {rows.COUNTED}")]
    people: Annotated[int, Meta(description="how many people played them")]
    bots: Annotated[int, Meta(description="how many bots played them")]
    kinds: Annotated[list[KindStats], Meta(description=f"the {rows.KINDS} with most games, those first")]
    days: Annotated[list[DayCount], Meta(description="the newest that had games, the oldest of them first")]
    paces: Annotated[list[Pace], Meta(description=f"over the newest {rows.TIMED} games")]
    movers: Annotated[list[BotTimes], Meta(description=f"the slowest first, over the newest {rows.TIMED} games")]
    slowest: Annotated[list[SlowMove], Meta(description=f"of bots, over the newest {rows.TIMED} games")]
    forfeits: Annotated[list[Forfeits], Meta(description="most games first")]
    faults: Annotated[list[Fault], Meta(description="newest first")]
    parts: Empty
    pictures: Empty
    tables: Empty
    said: Annotated[dict[str, str], Meta(max_length=0, description="empty, as `parts`")]
    drawing: Annotated[bool, Meta(description="false: the server draws no charts")]


def kinds_of(results: Sequence[ResultRow]) -> list[str]:
    """The kinds of games to tell of, those with most games first."""
    counted: Counter[str] = Counter()
    for row in results:
        counted[row.game] += row.games
    return [game for game, _ in sorted(counted.items(), key=lambda one: (-one[1], one[0]))[: rows.KINDS]]


def stats_answer(
    as_of_ms: int,
    results: Sequence[ResultRow],
    lengths: Sequence[LengthRow],
    plies: Mapping[str, Sequence[PlyRow]],
    days: Sequence[DayRow],
    seated: Sequence[SeatedRow],
    paces: Sequence[PaceRow],
    movers: Sequence[MoverRow],
    slowest: Sequence[SlowRow],
    forfeits: Sequence[ForfeitRow],
    faults: Sequence[FaultRow],
) -> StatsAnswer:
    """@param plies by the kinds that are told of"""
    games = sum(row.games for row in results)
    players = {row.kind: row.players for row in seated}
    return StatsAnswer(
        as_of_ms=as_of_ms if games else None,
        games=games,
        people=players.get("person", 0),
        bots=players.get("bot", 0),
        kinds=[_kind(game, results, lengths, times) for game, times in plies.items()],
        days=[DayCount(day_ms=row.day_ms, games=row.games) for row in reversed(days)],
        paces=[Pace(kind=row.kind, moves=row.moves, median_ms=row.median_ms, p90_ms=row.p90_ms) for row in paces],
        movers=[_mover(row) for row in movers],
        slowest=[
            SlowMove(game_id=row.game_id, ply=row.ply, player=str(row.player), name=row.name, think_ms=row.think_ms)
            for row in slowest
        ],
        forfeits=[
            Forfeits(player=str(row.player), name=row.name, termination=row.termination, games=row.games)
            for row in forfeits
        ],
        faults=[
            Fault(
                game_id=row.game_id,
                game=row.game,
                player=str(row.player),
                name=row.name,
                termination=row.termination,
                sentence=row.sentence,
            )
            for row in faults
        ],
        parts=[],
        pictures=[],
        tables=[],
        said={},
        drawing=False,
    )


def _kind(game: str, results: Sequence[ResultRow], lengths: Sequence[LengthRow], times: Sequence[PlyRow]) -> KindStats:
    return KindStats(
        game=game,
        results=[
            ResultCount(winner=row.winner, termination=row.termination, games=row.games)
            for row in results
            if row.game == game
        ],
        lengths=[LengthCount(plies=row.plies, games=row.games) for row in lengths if row.game == game],
        times=[
            PlyTime(
                kind=row.kind,
                ply=row.ply,
                moves=row.moves,
                median_ms=row.median_ms,
                low_ms=row.low_ms,
                high_ms=row.high_ms,
            )
            for row in times
        ],
    )


def _mover(row: MoverRow) -> BotTimes:
    has_rate = row.timed_nodes > 0 and 2 * row.timed_nodes >= row.nodes
    return BotTimes(
        player=str(row.player),
        name=row.name,
        games=row.games,
        moves=row.moves,
        median_ms=row.median_ms,
        p90_ms=row.p90_ms,
        longest_ms=row.longest_ms,
        nodes_s=round(1e6 * row.timed_nodes / row.timed_us) if has_rate else None,
    )
