"""What `/api/stats` answers: counted when somebody asks, and kept for a minute for all who ask."""

from __future__ import annotations

from collections.abc import Callable

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
from server.http.answer_cache import AnswerCache
from server.http.answers.stats import StatsAnswer, kinds_of, stats_answer
from server.http.ladder_cache import Readable

KEEP_MS = 60_000
"""Counting takes up to a second of the one connection behind which all pages wait, in some thirty queries."""


class StatsAnswers:
    def __init__(self, records: Readable, unix_ms: Callable[[], int]) -> None:
        self._read = records.read
        self._unix_ms = unix_ms
        self._cache = AnswerCache(unix_ms)

    async def answer(self) -> StatsAnswer:
        return await self._cache.once(("stats",), KEEP_MS, self._count)

    async def _count(self) -> StatsAnswer:
        as_of_ms = self._unix_ms()
        results = await self._read(ResultRow, rows.RESULTS)
        return stats_answer(
            as_of_ms,
            results,
            await self._read(LengthRow, rows.LENGTHS),
            {game: await self._read(PlyRow, rows.PLIES, (game,)) for game in kinds_of(results)},
            await self._read(DayRow, rows.DAYS_PLAYED),
            await self._read(SeatedRow, rows.SEATED),
            await self._read(PaceRow, rows.PACES),
            await self._read(MoverRow, rows.MOVERS),
            await self._read(SlowRow, rows.SLOWEST),
            await self._read(ForfeitRow, rows.FORFEITS),
            await self._read(FaultRow, rows.LATEST_FAULTS),
        )
