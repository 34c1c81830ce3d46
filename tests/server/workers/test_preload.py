"""A search that does not load is told of, and costs the others nothing."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.bots import roster


def test_what_does_not_load_or_warns_is_told_and_the_rest_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = {
        "broken_search": "raise OSError('no kernel')",
        "warning_search": "import warnings; warnings.warn('It cannot be cached.', RuntimeWarning)",
        "good_search": "",
    }
    for name, text in searches.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    entries = [SimpleNamespace(module=name) for name in (*searches, "warning_search")]
    monkeypatch.setattr(roster, "bots", lambda: entries)
    assert runpy.run_module("server.workers.preload")["WARNINGS"] == (
        "The search broken_search cannot be loaded: OSError('no kernel')",
        "It cannot be cached.",
    )
    assert {"good_search", "warning_search"} <= sys.modules.keys()
    for name in ("good_search", "warning_search"):
        del sys.modules[name]
