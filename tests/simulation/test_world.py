"""What a world says of itself: its clocks, its troubles, its lines, and that what anybody finds ends a run."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from server.db import migrate
from server.play.writes import StoreUnavailable
from tests.simulation.broken import Broken
from tests.simulation.run import uncollected
from tests.simulation.wall import UNIX_MS
from tests.simulation.world import SimulatedClock, World, _Complaints


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    database = tmp_path / "prepared.db"
    for _ in migrate.prepare(database):
        pass
    with uncollected():
        world = World(7, tmp_path, database)
        yield world
        world.disk.kill()
        world.loop.close()


def after(world: World, seconds: float) -> None:
    async def wait() -> None:
        done = world.loop.create_future()
        world.loop.call_at_us(world.loop.now_us + round(seconds * 1_000_000), done.set_result, None)
        await done

    world.loop.run_until_complete(wait())


def test_a_server_starts_and_stops_by_itself(world: World) -> None:
    world.run([])
    assert world.restarts == 2, "and once more, when everybody has gone"
    assert world.ledger.seen == {}


def test_clocks_go_with_the_loop(world: World) -> None:
    clock = SimulatedClock(world.loop, world.wall)
    begun_ms = clock.now_ms()
    after(world, 90)
    assert clock.now_ms() - begun_ms == 90_000
    assert clock.now_us() // 1000 == clock.now_ms()
    assert clock.unix_ms() == world.unix_ms == UNIX_MS + 90_000
    world.wall.wrong_ms = -3_600_000
    assert clock.unix_ms() == world.unix_ms - 3_600_000
    assert clock.now_ms() - begun_ms == 90_000


def test_troubles_of_the_disk_come_together_and_go_one_by_one(world: World) -> None:
    assert not world.may_be_unavailable
    world.disk_is_full(True)
    world.disk_is_locked(True)
    world.disk_is_full(False)
    after(world, 60)
    assert world.may_be_unavailable, "the lock is still there"
    world.well()
    assert world.may_be_unavailable, "for a while after"
    after(world, 60)
    assert not world.may_be_unavailable


def test_clocks_may_have_stood_near_a_disturbance_alone(world: World) -> None:
    after(world, 100)
    world.disturbed()
    at_ms = world.unix_ms
    assert world.was_disturbed(at_ms + 4_000, at_ms + 9_000)
    assert world.was_disturbed(at_ms - 9_000, at_ms - 4_000)
    assert not world.was_disturbed(at_ms + 6_000, at_ms + 9_000)
    assert not world.was_disturbed(at_ms - 9_000, at_ms - 6_000)


def test_lines_are_as_the_seed_says_and_some_are_bad(world: World) -> None:
    lines = [world.line(Random(number)) for number in range(200)]
    assert lines == [world.line(Random(number)) for number in range(200)]
    assert 5 < sum(line.torn_bytes > 0 for line in lines) < 40
    assert sum(line.delay_us == lines[0].delay_us for line in lines) < 200


def test_what_anybody_finds_first_ends_the_run(world: World) -> None:
    def find(name: str) -> None:
        raise Broken(name, "it is so")

    world.guard(find, "first")
    world.guard(find, "second")
    with pytest.raises(Broken, match=r"^first: it is so$"):
        world._check_failures()


def test_a_task_that_nobody_waits_for_may_not_fail(world: World) -> None:
    world.loop.call_exception_handler({"message": "never retrieved", "exception": ValueError("oh")})
    with pytest.raises(Broken, match=r"^no surprises: never retrieved"):
        world._check_failures()


@pytest.mark.parametrize("error", [StoreUnavailable("full"), sqlite3.OperationalError("disk I/O error")])
def test_an_ill_disk_excuses_what_is_logged_of_it_and_nothing_else(world: World, error: Exception) -> None:
    def logged(error: Exception | None) -> None:
        info = (type(error), error, None) if error is not None else None
        _Complaints(world).emit(logging.LogRecord("server", logging.ERROR, "", 0, "a room failed", (), info))

    logged(None)
    world.disk_is_full(True)
    logged(error)
    world._check_failures()
    logged(ValueError("oh"))
    with pytest.raises(Broken, match=r"^no surprises: a room failed"):
        world._check_failures()


def test_a_well_disk_excuses_nothing(world: World) -> None:
    error = StoreUnavailable("full")
    record = logging.LogRecord("server", logging.ERROR, "", 0, "a room failed", (), (type(error), error, None))
    _Complaints(world).emit(record)
    with pytest.raises(Broken, match=r"^no surprises: a room failed"):
        world._check_failures()
