"""The browser of the page's bench: where there is none, that is what is said."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from client.lab.bench.figures import Part
from client.lab.bench.page import slow_line, visit
from client.lab.bench.page.browser import chromium
from client.lab.bench.wire import BenchError


def test_without_a_browser_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(BenchError, match="Chromium is not installed"), chromium():
        pass


@pytest.mark.parametrize("measure", [visit.measure, partial(slow_line.measure, line=next(iter(slow_line.LINES)))])
def test_without_a_browser_no_server_is_started(
    measure: Callable[[Path, int], Part], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(BenchError, match="Chromium is not installed"):
        measure(tmp_path, 1)
    assert not list(tmp_path.iterdir()), "a server has its log here"


def test_without_playwright_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(BenchError, match="Playwright is not installed"), chromium():
        pass
