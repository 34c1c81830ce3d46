"""What the GET endpoints answer about ladders and players: read, put together, and kept for some seconds.

Counting a list of 100,000 games takes a tenth of a second of the one connection behind which all pages wait. So an
answer is made once for all who ask within KEEP_MS, however many they are.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import msgspec

from engine.bots.roster import OUR_ROSTER, Roster
from server.db import ladder as ladder_rows
from server.db import play as rows
from server.db.ladder import (
    BotRow,
    EntryRow,
    ListRow,
    LiveRow,
    MeetingRow,
    OpeningRow,
    PlayedRow,
    SampleRow,
    StandingRow,
    TimeRow,
)
from server.db.play import RatingPoint, RatingRow
from server.http.answer_cache import AnswerCache
from server.http.answers.ladders import (
    Histories,
    HistoryAnswer,
    LadderAnswer,
    ListPageAnswer,
    LiveAnswer,
    bots_of,
    list_answer,
    list_page_answer,
    live_game,
)
from server.http.answers.players import PlayerAnswer, player_answer
from server.http.responses import Missing, NotNow

KEEP_MS = 5_000
"""How long an answer is reused."""
KEEP_HISTORY_MS = 60_000
"""How long standings over time are reused, which take a process to make."""
KEEP_LIVE_MS = 500
"""How long an answer about a running game is reused."""
LIVE_MS = 15_000
"""A game that a ladder has not shown for this long counts as over."""
SAMPLED_MS = 90_000
"""A ladder that has not reported for this long was killed: a running one reports every minute, and when it ends."""
LATELY_MS = 600_000
"""A list whose last pair began longer ago than this is not being played."""

Row = TypeVar("Row")
Answered = TypeVar("Answered")


MakeHistory = Callable[[str], Awaitable[str | None]]
"""Makes the JSON of `Histories` for a run; None if it cannot."""


class Readable(Protocol):
    async def read(self, row: Callable[..., Row], sql: str, parameters: Any = ()) -> list[Row]:
        """See `Store.read`."""


class LadderAnswers:
    """Answers by the names of the endpoints. Raises Missing."""

    def __init__(
        self,
        records: Readable,
        unix_ms: Callable[[], int],
        history: MakeHistory,
        roster: Roster = OUR_ROSTER,
    ) -> None:
        self._roster = roster
        self._read = records.read
        self._make_history = history
        self._unix_ms = unix_ms
        self._cache = AnswerCache(unix_ms)

    async def ladder(self) -> LadderAnswer:
        return await self._once(("ladder",), self._ladder)

    async def list_page(self, run: str) -> ListPageAnswer:
        return await self._once(("list", run), lambda: self._list_page(run))

    async def history(self, run: str) -> HistoryAnswer:
        """Raises NotNow, too."""
        return await self._once(("history", run), lambda: self._history(run), KEEP_HISTORY_MS)

    async def live(self, ladder: str | None) -> LiveAnswer:
        """The newest game that this ladder, or any, is playing."""
        for row in await self._live():
            if ladder in (None, row.ladder):
                return LiveAnswer(live=live_game(row))
        return LiveAnswer(live=None)

    async def player(self, id: int) -> PlayerAnswer:
        return await self._once(("player", str(id)), lambda: self._player(id))

    def on_player_deleted(self, player: int) -> None:
        """What is known of a player is no longer true."""
        self._cache.forget(("player", str(player)))

    # Reading

    async def _live(self) -> list[LiveRow]:
        """Everybody who watches asks once a second."""
        found = await self._once(("live",), lambda: self._read(LiveRow, ladder_rows.LIVE), KEEP_LIVE_MS)
        oldest = self._unix_ms() - LIVE_MS
        return [row for row in found if row.updated_ms >= oldest]

    async def _ladder(self) -> LadderAnswer:
        playing = await self._playing()
        found = await self._read(ListRow, ladder_rows.NEWEST_LISTS)
        return LadderAnswer(lists=[list_answer(row, self._running(row, playing)) for row in found])

    async def _list_page(self, run: str) -> ListPageAnswer:
        found = await self._read(ListRow, ladder_rows.LIST, (run,))
        if not found:
            raise Missing("There is no such list; /api/ladder lists them all.")
        standings = await self._read(StandingRow, ladder_rows.STANDINGS, (run,))
        meetings = await self._read(MeetingRow, ladder_rows.MEETINGS, (run,))
        openings = await self._read(OpeningRow, ladder_rows.OPENINGS, (run,))
        names = await self._bots(bots_of(standings, meetings))
        running = self._running(found[0], await self._playing())
        return list_page_answer(found[0], running, standings, meetings, openings, names)

    async def _history(self, run: str) -> HistoryAnswer:
        if not await self._read(ListRow, ladder_rows.LIST, (run,)):
            raise Missing("There is no such list; /api/ladder lists them all.")
        told = await self._make_history(run)
        if told is None:
            raise NotNow("The standings over time cannot be made now; try again later.")
        [answer] = msgspec.json.decode(told, type=Histories).lists
        return answer

    async def _player(self, id: int) -> PlayerAnswer:
        found = await self._bots([id])
        if not found:
            raise Missing(f"There is no player {id}.")
        ratings = [
            (rating, await self._read(RatingPoint, rows.RATING_HISTORY, (id, rating.game)))
            for rating in await self._read(RatingRow, rows.RATINGS, (id,))
        ]
        return player_answer(
            found[0],
            ratings,
            await self._read(EntryRow, ladder_rows.ENTRIES, (id,)),
            await self._read(PlayedRow, ladder_rows.PLAYED, (id,)),
            await self._read(TimeRow, ladder_rows.TIMES, (id,)),
            self._roster.entries,
        )

    async def _bots(self, ids: list[int]) -> list[BotRow]:
        return await self._read(BotRow, ladder_rows.BOTS, (json.dumps(ids),))

    async def _playing(self) -> set[str]:
        """The ladders that run. One that plays short games only shows none of them."""
        oldest = self._unix_ms() - SAMPLED_MS
        samples = await self._read(SampleRow, ladder_rows.SAMPLES)
        sampled = {row.ladder for row in samples if row.at_ms >= oldest and not row.last}
        return sampled | {row.ladder for row in await self._live()}

    def _running(self, row: ListRow, playing: set[str]) -> bool:
        lately = row.newest_ms is not None and row.newest_ms >= self._unix_ms() - LATELY_MS
        return lately and row.ladder in playing

    async def _once(
        self, key: tuple[str, ...], make: Callable[[], Awaitable[Answered]], keep_ms: int = KEEP_MS
    ) -> Answered:
        return await self._cache.once(key, keep_ms, make)
