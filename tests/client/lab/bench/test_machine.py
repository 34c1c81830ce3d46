"""What is said of the machine that figures belong to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from client.lab.bench.machine import machine


def test_benches_may_look_at_one_folder_at_the_same_time(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(machine, [tmp_path] * 4))
    assert all(one.sync_ms > 0 for one in found)
    assert not list(tmp_path.iterdir())
