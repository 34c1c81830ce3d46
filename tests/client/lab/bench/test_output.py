"""What a bench prints, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

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
