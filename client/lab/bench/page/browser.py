"""A headless Chromium for what is measured on the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from client.lab.bench.wire import BenchError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell")
"""The whole browser first: it is what people use."""
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
"""Flags for running without a graphics card, as on most servers: a machine that has one does better."""
PLAY: Final = """(move) => document.querySelector(`[data-place="${move}"]`).click()"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Raises BenchError where there is none, and for whatever goes wrong in it."""
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        raise BenchError("Chromium is not installed: install chromium or Google Chrome.")
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise BenchError("Playwright is not installed: `make test` does it, or `pip install playwright`.") from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        except Error as error:
            raise BenchError(f"The browser failed: {error.message}") from None
        finally:
            browser.close()


def start(page: Page, url: str, game: str, against: str) -> None:
    """A game against a `bot`, or with both players at this page (`self`); any m,n,k board is a game."""
    page.goto(f"{url}/#create")
    select = page.locator("select[name=game]")
    select.wait_for()
    if select.locator(f'option[value="{game}"]').count():
        select.select_option(game)
    else:
        select.select_option("mnk")
        for name, value in zip("mnk", game.removeprefix("mnk:").split(","), strict=True):
            page.locator(f".create input[name={name}]").fill(value)
    page.locator(f'label:has(input[name=who][value="{against}"])').click()
    page.locator(".create button[type=submit]").click()
    page.locator(".room.my-turn").wait_for()
