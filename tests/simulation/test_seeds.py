"""Many seeds from the command line: what is added up, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.simulation import seeds
from tests.simulation.__main__ import main


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.output


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds that were run, of which 13 fails."""
    ran: list[int] = []

    def run_all(left: list[int], processes: int) -> object:
        for seed in left:
            ran.append(seed)
            yield seed, "rules: bad luck" if seed == 13 else None

    monkeypatch.setattr(seeds, "_run_all", run_all)
    monkeypatch.setattr(seeds, "_version", lambda: "v1")
    return ran


def test_what_has_passed_is_not_run_again(asked: list[int], tmp_path: Path) -> None:
    file = tmp_path / "passed.json"
    assert run("--seeds", "3", "--resume", str(file)) == (0, "Of version v1 3 seeds have passed.\n")
    assert run("--seeds", "5", "--resume", str(file)) == (0, "Of version v1 5 seeds have passed.\n")
    assert asked == [0, 1, 2, 3, 4]
    assert json.loads(file.read_text()) == {"v1": [0, 1, 2, 3, 4]}


def test_a_seed_that_fails_is_named(asked: list[int]) -> None:
    status, said = run("--from", "12", "--no-tell")
    assert (status, said.splitlines()[0]) == (1, "Seed 13: rules: bad luck")
    assert asked == [12, 13]


def test_an_interruption_keeps_what_has_passed(
    asked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(left: list[int], processes: int) -> object:
        yield 0, None
        raise KeyboardInterrupt

    monkeypatch.setattr(seeds, "_run_all", interrupted)
    file = tmp_path / "passed.json"
    status, said = run("--resume", str(file))
    assert (status, said) == (130, "Stopped; what has passed is in the file of --resume, where one was named.\n")
    assert json.loads(file.read_text()) == {"v1": [0]}


def test_a_run_that_is_killed_has_kept_what_it_told(
    asked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "passed.json"
    kept: list[object] = []

    def watched(left: list[int], processes: int) -> object:
        yield 0, None
        yield 1, None
        kept.append(json.loads(file.read_text()))

    monkeypatch.setattr(seeds, "_run_all", watched)
    monkeypatch.setattr(seeds, "TOLD_EVERY_S", 0)
    run("--resume", str(file))
    assert kept == [{"v1": [0, 1]}]


def test_a_seed_that_does_not_exist_is_refused() -> None:
    status, said = run("--from", "-1")
    assert status == 2
    assert "-1 is not in the range x>=0" in said


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello")
    status, said = run("--resume", str(file))
    assert status == 2
    assert "cannot be resumed" in said
