"""Ladders: their lists, and what they are playing."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from server.http.answers.ladders import HistoryAnswer, LadderAnswer, ListPageAnswer, LiveAnswer
from server.http.parts import Parts
from server.http.route import Call, Query


class ListQuery(Query):
    """Which list."""

    missing: ClassVar[str] = "Name a list of a ladder, as in run=LADDER/LIST/DIGEST."

    run: Annotated[str, Meta(description="a list of a ladder: LADDER/LIST/DIGEST")]


class LiveQuery(Query):
    """Which ladder."""

    ladder: Annotated[str, Meta(description="the ladder's name; any if left out")] | None = None


async def lists(parts: Parts, call: Call[Query]) -> LadderAnswer:
    return await parts.ladders.ladder()


async def one_list(parts: Parts, call: Call[ListQuery]) -> ListPageAnswer:
    return await parts.ladders.list_page(call.query.run)


async def history(parts: Parts, call: Call[ListQuery]) -> HistoryAnswer:
    return await parts.ladders.history(call.query.run)


async def live(parts: Parts, call: Call[LiveQuery]) -> LiveAnswer:
    return await parts.ladders.live(call.query.ladder)
