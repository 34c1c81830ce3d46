"""The server put together: what keeps it from starting. What it does once it runs is tested over the wire."""

from __future__ import annotations

import asyncio
import json
import os
import resource
from importlib.resources import files
from pathlib import Path
from unittest.mock import AsyncMock, Mock, call

import click
import pytest

from server import app as app_module
from server.app import App, CannotServe
from server.config import Settings
from server.db.connect import DatabaseError
from server.db.play import RoomRow
from server.db.store import Store
from server.machine import Machine, SystemClock
from server.play.writes import DELETED_TEXT, Statement, StoreUnavailable
from tests.support.database.database_files import ANN, ROOM, add_event, execute, new_database, opened, people_and_rooms

PAGE = files("client").joinpath("web", "dist")


async def test_records_that_fail_while_rooms_are_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(store: Store) -> list[RoomRow]:
        raise StoreUnavailable("The database cannot be read: disk I/O error.")

    monkeypatch.setattr(Store, "awake_rooms", fail)
    app = App(Settings(port=0, db=str(tmp_path / "noughts.db")), PAGE)
    with pytest.raises(CannotServe, match=r"^The rooms cannot be restored. The database cannot be read: disk I/O"):
        await app.start()
    assert sorted(os.listdir(tmp_path)) == ["noughts.db", "noughts.db.lock"]


@pytest.mark.parametrize("text", ["no database" * 100, "short"])
async def test_nothing_is_made_beside_what_is_no_database(tmp_path: Path, text: str) -> None:
    db = tmp_path / "notes.txt"
    db.write_text(text)
    with pytest.raises(DatabaseError, match="is not a SQLite database"):
        await App(Settings(port=0, db=str(db)), PAGE).start()
    assert os.listdir(tmp_path) == ["notes.txt"]


async def test_a_ladder_that_cannot_be_read_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    app = App(Settings(port=0, db=str(tmp_path / "noughts.db"), ladder=str(tmp_path / "none.toml")), PAGE)
    with pytest.raises(click.UsageError, match=r"none\.toml cannot be read: No such file or directory\.$"):
        await app.start()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("db", ["", ".", "/"])
async def test_a_folder_is_no_database(db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DatabaseError, match=r"^[./] is a folder: name a database file in it\.$"):
        await App(Settings(port=0, db=db), PAGE).start()
    assert not tmp_path.with_name(f"{tmp_path.name}.lock").exists()


async def test_a_pipe_is_no_database(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DatabaseError, match=r"pipe is a device or a pipe: name a file for the database\.$"):
        await App(Settings(port=0, db=str(tmp_path / "pipe")), PAGE).start()
    assert os.listdir(tmp_path) == ["pipe"]


async def test_too_few_files_are_found_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (64, 64))
    with pytest.raises(CannotServe, match=r"^The limit of open files is 64"):
        await App(Settings(host="no.such.host.invalid"), PAGE).start()


async def test_a_deletion_that_a_crash_cut_short_goes_on_before_anybody_connects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = new_database(tmp_path)
    body = json.dumps({"e": "said", "by": {"id": str(ANN), "name": "Ann"}, "text": "my secret"})
    async with opened(path) as store:
        await store.write([*people_and_rooms(), add_event(ROOM, 1, body)])
        await store.write([(Statement.ANONYMISE_PLAYER, (f"deleted player {ANN}", ANN))])
    monkeypatch.setattr(Store, "awake_rooms", AsyncMock(side_effect=StoreUnavailable("That is enough.")))
    with pytest.raises(CannotServe):
        await App(Settings(port=0, db=str(path)), PAGE).start()
    [(body,)] = execute(path, "SELECT body FROM events")
    assert json.loads(body)["text"] == DELETED_TEXT


async def test_a_deletion_that_the_store_cut_short_goes_on_by_and_by(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as soon as the store is back, which a row that cannot be written would take away again, and so on."""
    monkeypatch.setattr(app_module, "TIDIED_EVERY_S", 0)
    app, again = App(Settings(), PAGE), asyncio.Semaphore(0)

    async def forget(players: None) -> None:
        again.release()
        raise StoreUnavailable("full")

    app._lobby, app._players = Mock(close_expired=AsyncMock()), Mock(forget=forget)
    app._store_available(True)
    await asyncio.sleep(0)
    assert again.locked()
    tidying = asyncio.create_task(app._tidy())
    for _ in range(3):
        await asyncio.wait_for(again.acquire(), 60)
    tidying.cancel()


async def test_the_time_of_each_commit_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def commit(store: Store) -> list[RoomRow]:
        await store.write([(Statement.DROP_SHARES, (1,))])
        raise StoreUnavailable("That is enough.")

    monkeypatch.setattr(Store, "awake_rooms", commit)
    app = App(Settings(port=0, db=str(tmp_path / "noughts.db")), PAGE)
    with pytest.raises(CannotServe, match="That is enough"):
        await app.start()
    assert sum(app._metrics.commit_time.counts) == 1


async def test_a_stop_asks_the_ladder_first_since_it_takes_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, parts = App(Settings(port=0, db=str(tmp_path / "noughts.db")), PAGE), Mock()
    parts.until_quiet = AsyncMock()
    for name in ("ladder", "context", "listener", "lobby", "until_quiet"):
        monkeypatch.setattr(app, f"_{name}", getattr(parts, name), raising=False)
    await app.stop()
    assert parts.mock_calls[:1] == [call.ladder.stop()]
    assert parts.until_quiet.await_count == 1


async def test_the_clock_is_asked_all_the_time_also_while_nobody_plays() -> None:
    asked = asyncio.Semaphore(0)

    class Clock(SystemClock):
        def now_ms(self) -> int:
            asked.release()
            return super().now_ms()

    app = App(Settings(port=0), PAGE, Machine(clock=Clock()))
    watching = asyncio.create_task(app._watch_lag())
    for _ in range(3):
        await asyncio.wait_for(asked.acquire(), 60)
    watching.cancel()


def test_the_ladder_hears_whether_the_database_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app, parts = App(Settings(port=0, db=str(tmp_path / "noughts.db")), PAGE), Mock()
    for name in ("ladder", "lobby"):
        monkeypatch.setattr(app, f"_{name}", getattr(parts, name), raising=False)
    app._store_available(False)
    assert parts.mock_calls == [call.ladder.on_store_available(False), call.lobby.on_store_available(False)]
