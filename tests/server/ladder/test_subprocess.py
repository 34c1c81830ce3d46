"""A ladder beside a server: it plays, stands still while people play, and ends with the server."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from server.db import migrate
from server.http.answers.ladders import Histories
from server.ladder import subprocess
from server.ladder.subprocess import LadderFailed, LadderHistories, LadderSubprocess
from server.workers.program import Program
from tests.support.ladder.records import add_list

SMALL = """
name = "small"
[[lists]]
game = "tictactoe"
bots = ["random", "osipa-tree"]
opening_plies = 3
"""
ENDLESS = SMALL.replace("bots", "repeat_openings = true\npairs = 10000\nbots")


@pytest.fixture(autouse=True)
def in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind all others it would not get far while other tests run."""
    monkeypatch.setattr(subprocess, "NICE", 0)
    monkeypatch.setattr(subprocess, "OWN_SESSION", False)


def recorded(db: Path) -> int:
    if not db.exists():
        return 0
    with closing(sqlite3.connect(db)) as connection:
        made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone()
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0]) if made else 0


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 # another process makes it true
            await asyncio.sleep(0.02)


def config(folder: Path, text: str) -> str:
    path = folder / "ladder.toml"
    path.write_text(text)
    return str(path)


@pytest.mark.slow
async def test_it_plays_to_its_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    db = tmp_path / "noughts.db"
    ladder = LadderSubprocess(config(tmp_path, SMALL), str(db))
    ladder.start()
    await until(lambda: "the ladder has ended" in caplog.messages)
    await ladder.close()
    assert recorded(db) > 4


@pytest.mark.slow
async def test_it_stands_still_while_people_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "REST_S", 0.0)
    db = tmp_path / "noughts.db"
    ladder = LadderSubprocess(config(tmp_path, ENDLESS), str(db))
    ladder.hold(True)
    ladder.start()
    try:
        await until(lambda: ladder._program is not None)
        assert ladder._program is not None
        with closing(sqlite3.connect(tmp_path / "noughts.db")) as connection:
            await until(lambda: bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone()))
        assert recorded(db) == 0
        ladder.hold(False)
        await until(lambda: recorded(db) > 0)
    finally:
        await ladder.close()
    assert ladder._program is None


@pytest.mark.slow
async def test_nothing_of_it_is_left_after_the_close(tmp_path: Path) -> None:
    db = tmp_path / "noughts.db"
    ladder = LadderSubprocess(config(tmp_path, ENDLESS), str(db))
    ladder.start()
    await until(lambda: recorded(db) > 0)
    assert ladder._program is not None
    family = [one := psutil.Process(ladder._program.pid), *one.children(recursive=True)]
    await ladder.close()
    await until(lambda: not any(process.is_running() for process in family))


async def test_it_may_be_asked_to_end_before_it_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    gone = asyncio.Event()

    class Slow:
        def tell(self, line: str) -> None:
            steps.append(line)

        async def lines(self) -> AsyncIterator[str]:
            await asyncio.Event().wait()
            yield ""

        async def end(self, grace_s: float) -> int:
            steps.append("asked to end")
            await gone.wait()
            steps.append("gone")
            return 0

    async def start(*command: object, **settings: object) -> Slow:
        return Slow()

    monkeypatch.setattr(Program, "start", start)
    ladder = LadderSubprocess("ladder.toml", str(tmp_path / "noughts.db"))
    ladder.start()
    await asyncio.sleep(0)
    ladder.stop()
    await asyncio.sleep(0)
    assert steps == ["go", "asked to end"]
    closing = asyncio.create_task(ladder.close())
    await asyncio.sleep(0)
    gone.set()
    await closing
    assert steps == ["go", "asked to end", "gone"]


@pytest.mark.parametrize("comes_back", [True, False])
async def test_one_that_may_have_frozen_amid_a_commit_is_killed(
    comes_back: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    start = Program.start

    async def start_frozen(*command: object, **settings: Any) -> Program:
        frozen = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
        return await start((sys.executable, "-c", frozen), **settings)

    monkeypatch.setattr(Program, "start", start_frozen)
    monkeypatch.setattr(subprocess, "END_S", 0.01)
    monkeypatch.setattr(subprocess, "FROZEN_S", 0.0)
    ladder = LadderSubprocess("ladder.toml", str(tmp_path / "noughts.db"))
    ladder.start()
    await until(lambda: ladder._program is not None)
    ladder.on_store_available(False)
    if comes_back:
        ladder.on_store_available(True)
        await asyncio.sleep(0)
    else:
        await until(lambda: "the ladder has failed" in caplog.messages)
    assert (ladder._program is not None) == comes_back
    assert ("the ladder is killed: it may keep the database from the server" in caplog.messages) != comes_back
    await ladder.close()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SMALL.replace("random", "nobody"), "There is no bot 'nobody'"),
        ("", "name is missing"),
        (None, "cannot be read: No such file or directory."),
    ],
)
async def test_a_wrong_configuration_is_told_at_once(tmp_path: Path, text: str | None, sentence: str) -> None:
    path = str(tmp_path / "ladder.toml") if text is None else config(tmp_path, text)
    with pytest.raises(LadderFailed) as told:
        await LadderSubprocess(path, str(tmp_path / "noughts.db")).check()
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)
    assert "--help" not in str(told.value), "which is that of another command"


def test_a_ladder_that_goes_on_failing_is_tried_again_ever_more_rarely() -> None:
    pauses = [0.0]
    for ran_s in (3600, 1, 1, 1, 1, 1, 1, 3600):
        pauses.append(subprocess.next_pause_s(pauses[-1], ran_s))
    assert pauses[1:] == [10, 20, 40, 80, 160, 300, 300, 10]


@pytest.mark.slow
async def test_after_a_failure_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(subprocess, "AGAIN_S", 0.1)
    db = tmp_path / "noughts.db"
    db.mkdir()  # as a stand-in for a disk that takes nothing
    ladder = LadderSubprocess(config(tmp_path, SMALL), str(db))
    ladder.start()
    await until(lambda: "the ladder has failed" in caplog.messages)
    db.rmdir()
    await until(lambda: "the ladder has ended" in caplog.messages)
    await ladder.close()
    assert recorded(db) > 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("check", "{config}"), 0),
        (("check", "missing.toml"), 2),
        (("run", "{config}", "--hours", "nan"), 2),
        (("stop",), 2),
    ],
)
async def test_the_module_ends_as_the_command_does(tmp_path: Path, arguments: tuple[str, ...], status: int) -> None:
    asked = [one.format(config=config(tmp_path, SMALL)) for one in arguments]
    ended = []
    for command in (("server.ladder",), ("client.cli", "ladder")):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *command, *asked, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        said = await process.communicate()
        ended.append((process.returncode, *said))
    assert ended[0] == ended[1]
    assert ended[0][0] == status


async def test_a_history_is_made_by_a_process(tmp_path: Path) -> None:
    db = tmp_path / "noughts.db"
    migrate.prepare(db)
    run = add_list(db, pairs=3)
    told = await LadderHistories(str(db)).history(run)
    assert told is not None
    [one] = msgspec.json.decode(told, type=Histories).lists
    assert (one.run, one.games[-1], len(one.bots)) == (run, 36, 4)


async def test_a_history_that_fails_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert await LadderHistories(str(tmp_path / "none.db")).history("night/small/0") is None
    [record] = caplog.records
    assert record.message == "the history of a list cannot be made"
    assert "There is no database" in record.__dict__["reason"]
