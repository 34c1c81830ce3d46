"""What a bench prints, and how it fails."""

from __future__ import annotations

import asyncio
import json
import signal
import tempfile
from pathlib import Path

import click
import pytest
import uvloop
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.figures import Part, figure
from client.lab.bench.output import print_part
from client.lab.bench.wire import BenchError

PART = Part("one", "a thing", [figure("time", "ms", [1.0, 2.0, 3.0], 5.0)])


def test_json_is_the_part_alone(capfd: pytest.CaptureFixture[str]) -> None:
    print_part(lambda folder: PART, as_json=True)
    assert json.loads(capfd.readouterr().out)["figures"][0]["value"] == {"median": 2.0, "low": 1.0, "high": 3.0}


def test_text_begins_with_the_machine_and_the_folder_is_gone_afterwards(capfd: pytest.CaptureFixture[str]) -> None:
    folders: list[Path] = []

    def measure(folder: Path) -> Part:
        assert folder.is_dir()
        folders.append(folder)
        return PART

    print_part(measure, as_json=False)
    machine, _, part = capfd.readouterr().out.partition("\n\n")
    assert " cores, " in machine
    assert part.startswith("one: a thing\n")
    assert not folders[0].exists()


@pytest.mark.parametrize("error", [BenchError("It is gone."), OSError("It is gone.")])
def test_what_fails_is_said_in_a_sentence(error: Exception) -> None:
    def measure(folder: Path) -> Part:
        raise error

    with pytest.raises(click.ClickException, match=r"^It is gone\.$"):
        print_part(measure, as_json=True)


def test_it_ends_in_order_by_sigterm() -> None:
    folders: list[Path] = []
    before = signal.getsignal(signal.SIGTERM)

    def measure(folder: Path) -> Part:
        async def wait() -> None:
            signal.raise_signal(signal.SIGTERM)
            await asyncio.Event().wait()

        folders.append(folder)
        assert signal.getsignal(signal.SIGTERM) != before, "or it would end the tests"
        uvloop.run(wait())
        raise AssertionError

    with click.Context(bench) as context:
        assert bench.callback is not None
        context.invoke(bench.callback)
        with pytest.raises(KeyboardInterrupt):
            print_part(measure, as_json=True)
    assert not folders[0].exists()
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_folder_that_cannot_be_made_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> str:
        raise FileNotFoundError("There is no such folder.")

    monkeypatch.setattr(tempfile, "mkdtemp", fail)
    with pytest.raises(click.ClickException, match=r"^There is no such folder\.$"):
        print_part(lambda folder: PART, as_json=True)
    done = CliRunner().invoke(bench, ["server", "--part", "page"])
    assert (done.exit_code, done.output) == (1, "Error: There is no such folder.\n")
