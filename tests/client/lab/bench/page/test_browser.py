"""The browser of the page's bench: where there is none, that is what is said."""

from __future__ import annotations

import sys

import pytest

from client.lab.bench.page.browser import chromium
from client.lab.bench.wire import BenchError


def test_without_a_browser_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(BenchError, match="Chromium is not installed"), chromium():
        pass


def test_without_playwright_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(BenchError, match="Playwright is not installed"), chromium():
        pass
