"""The server put together: what keeps it from starting. What it does once it runs is tested over the wire."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

import pytest
from prometheus_client import generate_latest

from server.app import App, CannotServe, TimedCommitter
from server.config import Settings
from server.db.play import RoomRow
from server.db.store import Store
from server.metrics import Metrics
from server.play.writes import Statement, StoreUnavailable

PAGE = files("client").joinpath("web", "dist")


async def test_records_that_fail_while_rooms_are_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(store: Store) -> list[RoomRow]:
        raise StoreUnavailable("The database cannot be read: disk I/O error.")

    monkeypatch.setattr(Store, "awake_rooms", fail)
    app = App(Settings(port=0, db=str(tmp_path / "noughts.db")), PAGE)
    with pytest.raises(CannotServe, match=r"^The rooms cannot be restored. The database cannot be read: disk I/O"):
        await app.start()


async def test_commits_are_timed() -> None:
    class Slow:
        available = True
        written: ClassVar[list[Any]] = []

        async def write(self, writes: list[Any]) -> None:
            self.written.append(writes)

    metrics, store = Metrics(), Slow()
    committer = TimedCommitter(store, metrics)  # type: ignore[arg-type]
    assert committer.available
    writes: list[Any] = [(Statement.RENAME_PLAYER, ("Ann", 1))]
    await committer.commit(writes)
    assert store.written == [writes]
    assert b"noughts_commit_ms_count 1.0" in generate_latest(metrics.registry)
