"""Where checkpoints are."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.lab.solve.checkpoint import default_path


def test_the_same_question_has_one_place_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    paths = [default_path(question) for question in ("mnk:9,4,4", "mnk:9,4,4 a1", "mnk:9,4,4 a1 b2")]
    assert len(set(paths)) == 3
    assert all(path.parent == Path("/caches/noughts/solve") for path in paths)
    assert paths[0].name.startswith("mnk-9-4-4.")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_path("mnk:9,4,4") == Path.home() / ".cache/noughts/solve" / paths[0].name
