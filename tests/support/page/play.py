"""What people do in the page, and what they see of a board there."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import OpenPage

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def cell(page: Page, label: str) -> Locator:
    """The cell whose label begins so: `b2, X`, `board 5 square 3, empty`."""
    return page.get_by_role("gridcell").get_by_role("button", name=re.compile("^" + re.escape(label)))


def room(page: Page, classes: str = "", plies: int | None = None) -> Locator:
    return page.locator(f".room{classes}" + ("" if plies is None else f'[data-plies="{plies}"]'))


def choose_game(page: Page, game: str) -> None:
    select = page.get_by_label("Variant")
    if game.startswith("mnk:") and select.locator(f'option[value="{game}"]').count() == 0:
        select.select_option("mnk")
        sizes = game.removesuffix(",exact")
        for label, value in zip(("Columns", "Rows", "In a row to win"), sizes[4:].split(","), strict=True):
            page.get_by_label(label).fill(value)
        page.get_by_label("A longer line does not win").set_checked(sizes != game)
    else:
        select.select_option(game)


def advanced(page: Page) -> None:
    """Opens what most people do not need in the form for a new game."""
    details = page.locator(".create details.advanced")
    if details.get_attribute("open") is None:
        details.locator("summary").click()


def start_on_one_screen(page: Page, game: str) -> None:
    choose_game(page, game)
    page.get_by_text("Two on this screen").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, plies=0)).to_be_visible()


def new_on_one_screen(open_page: OpenPage, game: str, **context: Any) -> Page:
    """The page of a new game for two on one screen."""
    page = open_page("/#create", **context).page
    start_on_one_screen(page, game)
    return page


def no_sideways_scroll(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def tab_to(page: Page, target: Locator) -> None:
    for _ in range(40):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    expect(target).to_be_focused()


def invite(page: Page) -> str:
    page.get_by_role("button", name="Play a friend").click()
    return page.get_by_label("Link to join").input_value()
