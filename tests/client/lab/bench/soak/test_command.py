"""A minute of soak on a real server, and what the command refuses."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.soak import command
from client.lab.bench.soak.people import Crowd
from client.lab.bench.soak.piece import Plan, run
from client.lab.bench.soak.samples import Piece, database_of, load


@pytest.mark.slow
async def test_a_minute_of_everything(tmp_path: Path) -> None:
    """Two lives of a server, killed in between: games go on, clients come back, and nothing unexpected is met."""
    kept: list[int] = []
    plan = Plan(60, every_s=3, life_s=30, crowd=Crowd(pairs=3, against_bots=2, spectators=2))

    def keep(piece: Piece) -> None:
        kept.append(sum(len(life.samples) for life in piece.lives))

    piece = await run(tmp_path / "soak.db", plan, asyncio.Event(), keep)
    assert [life.ending for life in piece.lives] == ["killed", "piece ended"]
    assert piece.errors == []
    assert piece.reconnects > 0
    before, after = (life.samples for life in piece.lives)
    assert len(kept) == kept[-1] + 1, "kept after each sample, and at the end"
    assert after[-1].games > before[0].games
    assert after[-1].connections >= 4
    assert all(one.ladder_pss and one.processes >= 2 for one in (before[-1], after[-1]))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_an_interrupt_keeps_what_there_is(number: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "soak.json"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "client", "bench", "soak", "--hours", "1", "--resume", str(file),
        stdout=asyncio.subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    async with asyncio.timeout(120):
        while not file.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        os.kill(process.pid, number)
        told, _ = await process.communicate()
    assert process.returncode == 0
    assert b"in 1 pieces, 1 starts" in told
    [piece] = load(file).pieces
    assert [life.ending for life in piece.lives] == ["piece ended"]
    assert database_of(file).exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--hours", "0", "--resume", "missing.json"], "name a file that is there"),
        (["--hours", "0"], "name a file that is there"),
        (["--resume", "missing/soak.json"], "missing/soak.json cannot be written: name a file in a folder"),
    ],
)
def test_files_that_are_not_there(
    options: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "_add", None)  # nothing is played
    done = CliRunner().invoke(bench, ["soak", *options])
    assert words in done.output
    assert done.exit_code in (1, 2)


def test_a_file_of_something_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "must_be_writable", None)  # it is only read
    file = tmp_path / "soak.json"
    file.write_text("[]")
    done = CliRunner().invoke(bench, ["soak", "--hours", "0", "--resume", str(file)])
    assert done.exit_code == 1
    assert "is not a file of an earlier soak" in done.output
