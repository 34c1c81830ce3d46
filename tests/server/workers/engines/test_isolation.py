"""Whether bubblewrap works here, and what it is asked to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.rules.registry import rules
from server.workers.engines import isolation
from server.workers.engines.dialogue import Question
from server.workers.engines.session import Session
from tests.support.foreign_engines.scripts import engine


@pytest.fixture(autouse=True)
def probed() -> Iterator[None]:
    isolation.bubblewrap.cache_clear()
    yield
    isolation.bubblewrap.cache_clear()


def has_bwrap(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `bwrap` of ours on the PATH."""
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return program


def test_without_it_the_command_is_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert isolation.walled(["mine", "-q"], "/folder", "/scratch") == ["mine", "-q"]
    assert "not isolated" in isolation.level()


def test_one_that_is_not_allowed_here_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    has_bwrap(tmp_path, "echo 'No permissions to create new namespace' >&2; exit 1", monkeypatch)
    assert isolation.bubblewrap() is None


def test_an_engine_plays_inside_one_that_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tells = tmp_path / "tells"
    program = has_bwrap(
        tmp_path,
        f'echo "$@" > {tells}; while [ "$1" != -- ] && [ "$1" != true ]; do shift; done; '
        'if [ "$1" = -- ]; then shift; fi; exec "$@"',
        monkeypatch,
    )
    assert isolation.bubblewrap() == str(program)
    assert "in bubblewrap" in isolation.level()
    one = Session(engine())
    assert one.decide(Question(rules("tictactoe").initial, (), NO_LIMIT, 60_000), NO_WATCH).move == 0
    one.end()
    asked = tells.read_text()
    assert "--die-with-parent --new-session --unshare-all --ro-bind / /" in asked
    assert f"--chdir {engine().home}" in asked
