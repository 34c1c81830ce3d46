"""Attacks on the workers that search for bots."""

from __future__ import annotations

import contextlib

from tests.attack.entry import Attack, Field, message, pour

_LONG_MS = 60_000


async def _search(field: Field, source: str | None) -> None:
    """Games in which a strong bot begins, on large boards, for as long as it may."""
    wire = await field.wire(source)
    with contextlib.closing(wire):
        opponent = {"kind": "bot", "bot": "level:6"}
        games = ("gomoku", "qubic", "ultimate", "mnk:19,19,5")
        frames = tuple(
            message("create", game=game, seat="o", opponent=opponent, limit={"move_ms": _LONG_MS}) for game in games
        )
        await pour(field, wire, frames)


async def _exhibit(field: Field, source: str | None) -> None:
    """Games between two bots, which need nobody to go on."""
    wire = await field.wire(source)
    with contextlib.closing(wire):
        await pour(field, wire, (message("create", game="qubic", bots={"x": "level:6", "o": "level:6"}),))


ATTACKS = (
    Attack(
        "searches",
        "has strong bots begin ever more games",
        "leave no worker for others",
        _search,
        "tests/server/workers/test_search_queue.py::test_a_newcomer_waits_for_no_more_than_what_is_running",
    ),
    Attack("exhibitions", "has bots play each other", "leave no worker for others", _exhibit),
)
