"""A store on a disk of which each operation fails in turn, or is the last before the power is cut.

The store and its SQL are the product's, the disk is simulated (docs/server-simulation-disk.md).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

from server.db import connect, connections
from server.db.connect import Executor
from server.db.connections import Batch
from tests.simulation import apsw_connection
from tests.simulation.disk import Disk
from tests.simulation.medium import Operation
from tests.simulation.store_workload import Server, rounds
from tests.support.database.database_files import new_database
from tests.support.database.disk_bench import Bench

CHANGES: Final[tuple[Operation, ...]] = ("write", "sync", "truncate", "delete")
OPERATIONS: Final[tuple[Operation, ...]] = (*CHANGES, "open", "read", "lock")
ROUNDS: Final = len(rounds())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(new_database(tmp_path))


def some(count: int) -> range:
    """About eight of so many, the first and the last among them."""
    return range(count, 0, -max(1, (count - 1) // 7))[::-1]


# Each operation fails


async def fails(bench: Bench, operation: Operation, numbers: Sequence[int], *, lasting: bool) -> int:
    """In how many of these cases the store was unavailable for a while; it must have recovered in all."""
    noticed = 0
    for nth in numbers:
        disk = bench.disk(nth)
        server = Server(on_refusal=disk.mend)
        disk.fail(operation, nth, lasting=lasting)
        await server.live(disk)
        bench.check_all_is_done(disk, server)
        noticed += bool(server.refused)
    return noticed


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "until-mended"])
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_an_operation_that_fails_costs_nothing_acknowledged(
    bench: Bench, operation: Operation, lasting: bool
) -> None:
    count = (await bench.calls())[operation]
    noticed = await fails(bench, operation, some(count), lasting=lasting)
    assert noticed or operation in ("truncate", "delete"), (
        "what follows a checkpoint or a last connection is nobody's loss"
    )


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_each_operation_fails_once(bench: Bench, operation: Operation) -> None:
    count = (await bench.calls())[operation]
    await fails(bench, operation, range(1, count + 1), lasting=False)


async def test_a_disk_that_is_full_before_any_round(bench: Bench) -> None:
    assert sum([await is_full(bench, number) for number in range(ROUNDS)]) > ROUNDS // 2


async def is_full(bench: Bench, number: int) -> bool:
    """Whether the store noticed: a round may find room within the log."""
    disk = bench.disk()
    server = Server(on_refusal=lambda: disk.full(False), before_round=lambda round: disk.full(round >= number))
    await server.live(disk)
    bench.check_all_is_done(disk, server)
    return server.refused > 0


@pytest.mark.parametrize("number", range(ROUNDS))
async def test_a_lock_of_another_program_before_any_round(bench: Bench, number: int) -> None:
    disk = bench.disk()
    server = Server(on_refusal=lambda: disk.locked(False), before_round=lambda round: disk.locked(round == number))
    await server.live(disk)
    bench.check_all_is_done(disk, server)
    assert server.refused == 1


# The power is cut, or the process killed


@pytest.mark.parametrize("operation", CHANGES)
async def test_what_was_acknowledged_survives_a_power_cut_before_any_change(bench: Bench, operation: Operation) -> None:
    step = 4 if operation == "write" else 1
    for nth in range(1, (await bench.calls())[operation] + 1, step):
        assert await bench.after_a_power_cut(operation, nth, seed=nth) == [], f"{operation} {nth}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("operation", CHANGES)
async def test_the_same_with_other_outcomes(bench: Bench, operation: Operation, seed: int) -> None:
    for nth in range(1, (await bench.calls())[operation] + 1):
        assert await bench.after_a_power_cut(operation, nth, seed) == [], f"{operation} {nth}"


@pytest.mark.parametrize("operation", CHANGES)
async def test_what_was_acknowledged_survives_a_kill_before_any_change(bench: Bench, operation: Operation) -> None:
    for nth in some((await bench.calls())[operation]):
        disk, server = bench.disk(), Server()
        disk.stop(operation, nth)
        await server.live(disk)
        disk.kill()
        assert bench.judge.faults(disk, server) == [], f"{operation} {nth}"
        await server.live(disk)
        bench.check_all_is_done(disk, server)


@pytest.mark.parametrize("each", [pytest.param(2, marks=pytest.mark.slow), 9])
async def test_an_explorer_that_syncs_less_takes_nothing_from_others(bench: Bench, each: int) -> None:
    """It writes to the same log with `synchronous = NORMAL`: its own commits may go, but no other."""
    count = 2 * (await bench.calls())["sync"]
    for nth in range(1, count, each):
        disk = bench.disk(nth)
        disk.stop("sync", nth)

        def counting(number: int, disk: Disk = disk) -> None:
            count_games(disk)

        server = Server(before_round=counting)
        await server.live(disk)
        disk.power_cut()
        assert bench.judge.faults(disk, server) == [], f"sync {nth}"


def count_games(disk: Disk) -> None:
    with suppress(sqlite3.Error), closing(disk.connect()) as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        for _ in range(3):
            connection.execute("INSERT OR REPLACE INTO write_probe (id, filler) VALUES (1, zeroblob(9000))")


async def misfortunes(bench: Bench, seed: int) -> None:
    """A server with many lives on one disk, where recovering from one misfortune is met by the next."""
    random = Random(seed)
    disk, server = bench.disk(seed), Server()
    for _ in range(8):
        happens = random.choice((disk.stop, disk.fail))
        happens(random.choice(OPERATIONS), random.randrange(1, random.choice((5, 50, 300))))
        disk.full(random.random() < 0.1)
        await server.live(disk)
        random.choice((disk.kill, disk.power_cut, disk.power_cut))()
        assert bench.judge.faults(disk, server) == [], f"seed {seed}"
    disk.full(False)
    await server.live(disk)
    assert bench.judge.faults(disk, server) == [], f"seed {seed}"


async def test_one_misfortune_after_another(bench: Bench) -> None:
    for seed in range(10):
        await misfortunes(bench, seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10, 200, 10))
async def test_many_servers_have_one_misfortune_after_another(bench: Bench, first: int) -> None:
    for seed in range(first, first + 10):
        await misfortunes(bench, seed)


# These tests find faults


def with_synchronous(value: str) -> Callable[[pytest.MonkeyPatch], None]:
    settings = tuple(pragma.replace("synchronous = FULL", f"synchronous = {value}") for pragma in connect._PRAGMAS)
    assert settings != connect._PRAGMAS
    return lambda patch: patch.setattr(connect, "_PRAGMAS", settings)


def acknowledging_before_the_commit(patch: pytest.MonkeyPatch) -> None:
    class Hasty(apsw_connection.ApswConnection):
        async def transact(self, batch: Batch) -> None:
            asked = self._ask(lambda: connections.transact(self._executor, batch))
            asked.add_done_callback(lambda done: done.exception())

    patch.setattr("tests.simulation.disk.ApswConnection", Hasty)


def committing_each_statement(patch: pytest.MonkeyPatch) -> None:
    def in_pieces(executor: Executor, batch: Batch) -> None:
        for one in batch:
            connections.transact(executor, [one])

    patch.setattr(apsw_connection, "transact", in_pieces)


@pytest.mark.parametrize(
    ("fault", "symptom"),
    [
        (with_synchronous("NORMAL"), "acknowledged write sets are lost"),
        (with_synchronous("OFF"), "acknowledged write sets are lost"),
        (acknowledging_before_the_commit, "acknowledged write sets are lost"),
        (committing_each_statement, "has a part of a write set"),
    ],
    ids=["synchronous-normal", "synchronous-off", "acknowledged-too-early", "committed-in-pieces"],
)
async def test_a_faulty_store_is_caught(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None], symptom: str
) -> None:
    count = (await bench.calls())["write"]
    fault(monkeypatch)
    for nth in range(1, count + 1):
        if any(symptom in sentence for sentence in await bench.after_a_power_cut("write", nth, seed=nth)):
            return
    pytest.fail("nothing was found")
