"""A clock that jumps, and the true time of what it said."""

from __future__ import annotations

from server.db.statements import SQL
from server.play.writes import Statement
from tests.simulation.loop import simulated_loop
from tests.simulation.wall import UNIX_MS, Wall


def test_what_was_said_twice_was_said_last() -> None:
    loop = simulated_loop("0")
    wall = Wall(loop)
    batch = [(SQL[Statement.ADD_EVENT], [(1, 1, UNIX_MS, "said", "{}"), (1, 2, 7, "said", "{}")])]

    async def jump() -> None:
        assert wall.said() == UNIX_MS
        wall.note(batch)
        done = loop.create_future()
        loop.call_at_us(2_000_000, done.set_result, None)
        await done
        wall.wrong_ms = -2_000
        assert wall.said() == UNIX_MS

    loop.run_until_complete(jump())
    assert (wall.unix_ms, wall.when(UNIX_MS)) == (UNIX_MS + 2_000, UNIX_MS + 2_000)
    assert wall.moment(1, 1, UNIX_MS) == UNIX_MS, "as it was when the event was written"
    assert wall.moment(1, 2, 7) is None
    assert wall.when(7) is None
