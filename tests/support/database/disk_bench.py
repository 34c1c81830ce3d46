"""The same work of a store on one simulated disk after another."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

from tests.simulation.disk import Disk
from tests.simulation.medium import Operation
from tests.simulation.store_workload import Judge, Server, rounds

CHECKPOINT_PAGES: Final = 8
"""So that the log is copied to the database many times within the work."""


WRITE_SETS: Final = sum(map(len, rounds()))


class Bench:
    """Does the same work on one disk after another."""

    def __init__(self, prepared: Path) -> None:
        self._bytes = prepared.read_bytes()
        self.judge = Judge(prepared)

    def disk(self, seed: int = 0) -> Disk:
        return Disk(Random(seed), self._bytes, checkpoint_pages=CHECKPOINT_PAGES)

    async def calls(self) -> Counter[Operation]:
        """How often the work needs each operation when nothing fails."""
        disk, server = self.disk(), Server()
        await server.live(disk)
        self.check_all_is_done(disk, server)
        assert server.refused == 0
        return disk.calls

    def check_all_is_done(self, disk: Disk, server: Server) -> None:
        assert self.judge.faults(disk, server) == []
        assert len(server.acknowledged) == WRITE_SETS

    async def after_a_power_cut(self, operation: Operation, nth: int, seed: int = 0) -> list[str]:
        """What is wrong after the power was cut before the `nth` such operation."""
        disk, server = self.disk(seed), Server()
        disk.stop(operation, nth)
        await server.live(disk)
        disk.power_cut()
        return self.judge.faults(disk, server)
