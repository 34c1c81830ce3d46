from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.simulation.disk import Disk
from tests.simulation.store_workload import Judge, Server, rounds
from tests.support.database.database_files import new_database


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    return new_database(tmp_path)


@pytest.fixture
def disk(prepared: Path) -> Disk:
    return Disk(Random(0), prepared.read_bytes())


async def lived(disk: Disk) -> Server:
    server = Server()
    await server.live(disk)
    return server


async def test_all_is_well_after_an_undisturbed_life(prepared: Path, disk: Disk) -> None:
    server = await lived(disk)
    assert server.acknowledged == {one for sets in rounds() for one in sets}
    assert Judge(prepared).faults(disk, server) == []


async def test_a_second_life_writes_nothing_twice(prepared: Path, disk: Disk) -> None:
    server = await lived(disk)
    before = len(server.acknowledged)
    await server.live(disk)
    assert (len(server.acknowledged), server.refused) == (before, 0)
    assert Judge(prepared).faults(disk, server) == []


@pytest.mark.parametrize(
    ("harm", "found"),
    [
        ("DELETE FROM events WHERE seq = 151", "1 acknowledged write sets are lost: [151]."),
        ("DELETE FROM moves WHERE game_id = 2 AND ply = 0", "moves has a part of a write set"),
        ("UPDATE ratings SET rating = 0", "ratings has a part of a write set"),
        ("UPDATE ids SET next = 2 WHERE kind = 'game'", "An id was or will be given twice"),
    ],
)
async def test_harm_is_found(prepared: Path, disk: Disk, harm: str, found: str) -> None:
    server = await lived(disk)
    with_harm = disk.connect()
    with_harm.execute(harm)
    with_harm.close()
    assert any(fault.startswith(found) for fault in Judge(prepared).faults(disk, server))


async def test_a_database_that_is_none_is_found(prepared: Path, disk: Disk) -> None:
    server = await lived(disk)
    found = Judge(prepared).faults(Disk(Random(0), b"no database " * 100), server)
    assert found == ["The database cannot be read: file is not a database."]
