"""The statistics of all games."""

from __future__ import annotations

from server.http.answers.stats import StatsAnswer
from server.http.parts import Parts
from server.http.route import Call, Query


async def stats(parts: Parts, call: Call[Query]) -> StatsAnswer:
    return await parts.stats.answer()
