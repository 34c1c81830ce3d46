"""The JSON answers about ladders and players, and the rows they are made from. Pure."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from server.db.ladder import BotRow, ListRow, LiveRow, MeetingRow, OpeningRow, StandingRow, present_bots
from server.http.answers.fields import (
    Answer,
    Elo,
    Games,
    High,
    LadderName,
    ListName,
    Low,
    Place,
    Points,
    Run,
    Version,
    Versions,
)
from server.wire import BotLimit, BotName, GameId, MoveText, Player, PlayerId, UnixMs

Drawing = Annotated[
    float,
    Meta(
        description="Davidson's nu: how many draws there are to each side's wins between equals; null until it is known"
    ),
]


class ListAnswer(Answer):
    """A list of a ladder: bots of one game under one limit."""

    run: Run
    ladder: LadderName
    list: ListName
    game: GameId
    limit: BotLimit | None
    games: Annotated[int, Meta(description="finished games; aborted ones do not count")]
    created_ms: UnixMs
    rated_ms: UnixMs | None
    advantage: Annotated[float, Meta(description="what moving first is worth in Elo; null until it is known")] | None
    drawing: Drawing | None
    running: Annotated[bool, Meta(description="whether its ladder is running and has played this list lately")]


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
        Annotated[float, Meta(description="probability of being stronger than the next bot; null for the last")] | None
    )
    games: Games
    won: Games
    drawn: Games
    lost: Games
    points: Points
    faults: Annotated[int, Meta(description="games lost by a crash, a stall, an illegal move or on time")]
    retired: Annotated[bool, Meta(description="whether it was taken out for its faults")]
    left: Annotated[bool, Meta(description="whether it left the list, or a newer version took its place")]


class CellAnswer(Answer):
    """What one bot scored against another."""

    points: Points
    games: Games


class CrosstableAnswer(Answer):
    """Everybody against everybody, in the order of the standings."""

    bots: Annotated[list[PlayerId], Meta(description="the bots of the rows, and of the columns")]
    cells: Annotated[
        list[list[CellAnswer | None]],
        Meta(description="row by row, what the row's bot scored against the column's; null where they have not met"),
    ]


class OpeningAnswer(Answer):
    """An opening of a list."""

    opening: Annotated[str, Meta(description="its moves, in the form that `opening` of /api/games takes")]
    games: Games


class ListPageAnswer(ListAnswer):
    """A list with all that is known of it. X moves first."""

    x_won: Games
    drawn: Games
    o_won: Games
    unrated: Annotated[int, Meta(description="games that ended after the ratings were computed")]
    standings: list[StandingAnswer]
    crosstable: CrosstableAnswer
    openings: Annotated[list[OpeningAnswer], Meta(description="most played first")]


Course = Annotated[
    list[int | None], Meta(description="in Elo, at each of the points; null before the bot's first game")
]


class HistoryBot(Answer):
    """A bot of a list over time."""

    bot: BotName
    version: Version | None
    rating: Course
    low: Course
    high: Course


class HistoryAnswer(Answer):
    """Standings over time: the ratings after so many games. Intervals are quicker and coarser than in the standings."""

    run: Run
    games: Annotated[list[int], Meta(description="finished games at each of the points, rising")]
    ended_ms: Annotated[list[UnixMs], Meta(description="when the last game of each point ended")]
    bots: Annotated[list[HistoryBot], Meta(description="the strongest at the end first")]


class Histories(msgspec.Struct, frozen=True):
    """As `noughts ladder history --json` prints them."""

    lists: list[HistoryAnswer]


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


def list_answer(row: ListRow, running: bool) -> ListAnswer:
    return ListAnswer(**_list_fields(row, running))


def _list_fields(row: ListRow, running: bool) -> dict[str, Any]:
    return {
        "run": row.run_id,
        "ladder": row.ladder,
        "list": row.list,
        "game": row.game,
        "limit": _limit(row.settings),
        "games": row.games,
        "created_ms": row.created_ms,
        "rated_ms": row.rated_ms,
        "advantage": row.advantage,
        "drawing": row.drawing,
        "running": running,
    }


class _Settings(msgspec.Struct, frozen=True):
    limit: BotLimit | None = None


def _limit(settings: str) -> BotLimit | None:
    """None also where the row is damaged, which should cost no other list."""
    try:
        return msgspec.json.decode(settings, type=_Settings).limit
    except (msgspec.MsgspecError, RecursionError):
        return None


def list_page_answer(
    row: ListRow,
    running: bool,
    standings: Sequence[StandingRow],
    meetings: Sequence[MeetingRow],
    openings: Sequence[OpeningRow],
    names: Sequence[BotRow],
) -> ListPageAnswer:
    """`names` are those of `bots_of(standings, meetings)`. Bots without games come last, unrated: that is the prior."""
    tally = _Tally(meetings)
    known = {bot.id: bot for bot in names}
    rated = _placed([standing for standing in standings if tally.has_played(standing.player_id)])
    order = sorted(
        known,
        key=lambda id: (not tally.has_played(id), rated[id].place if id in rated else len(known), -tally.share(id), id),
    )
    present = present_bots(row.settings)
    return ListPageAnswer(
        # The counts were asked for one after the other, while games may be written: those of the list are the sum.
        **_list_fields(row, running) | {"games": sum(meeting.games for meeting in meetings)},
        x_won=sum(meeting.x_won for meeting in meetings),
        drawn=sum(meeting.drawn for meeting in meetings),
        o_won=sum(meeting.o_won for meeting in meetings),
        unrated=sum(meeting.unrated for meeting in meetings),
        standings=[_standing(known[id], rated.get(id), tally, present) for id in order],
        crosstable=CrosstableAnswer(
            bots=[str(id) for id in order], cells=[[tally.cell(one, other) for other in order] for one in order]
        ),
        openings=[OpeningAnswer(opening=opening.opening, games=opening.games) for opening in openings],
    )


def bots_of(standings: Sequence[StandingRow], meetings: Sequence[MeetingRow]) -> list[int]:
    """The ids of every bot of a list: those that were rated, and those that have played since."""
    ids = {standing.player_id for standing in standings}
    return sorted(ids.union(*({meeting.x_player, meeting.o_player} for meeting in meetings)))


def _placed(played: Sequence[StandingRow]) -> dict[int, StandingRow]:
    """Each bot's row with its place among those that have played: others once stood between them."""
    order = sorted(played, key=lambda standing: standing.place)
    return {one.player_id: msgspec.structs.replace(one, place=place) for place, one in enumerate(order, start=1)}


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

    def has_played(self, id: int) -> bool:
        return any(id == one for one, _ in self._won)

    def share(self, id: int) -> float:
        won, drawn, lost = self.results(id)
        return (won + drawn / 2) / max(1, won + drawn + lost)

    def faults(self, id: int) -> int:
        return self._faults.get(id, 0)


def _standing(
    bot: BotRow, rated: StandingRow | None, tally: _Tally, present: Set[tuple[str, int | None]]
) -> StandingAnswer:
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
        left=(bot.name, bot.version) not in present,
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
