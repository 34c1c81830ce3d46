"""Ratings on the page: a rated game from the form to the new rating, and in the lobby."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import OpenPage

pytestmark = pytest.mark.browser


def ask_for_a_rated_game(page: Page, against: str) -> None:
    page.get_by_text(against, exact=True).click()
    box = page.get_by_label("Rated")
    expect(box).to_be_disabled()
    expect(page.get_by_text("A rated game needs a clock.")).to_be_visible()
    page.get_by_text("5+3").click()
    box.check()


def play(page: Page, cell: str) -> None:
    expect(page.locator(".room.my-turn")).to_be_visible()
    page.get_by_role("gridcell").get_by_role("button", name=re.compile(f"^{cell}, ")).click()


def test_a_rated_game_between_two_people(open_page: OpenPage) -> None:
    ann = open_page("/#create").page
    ask_for_a_rated_game(ann, "Anybody")
    ann.get_by_text("X, first").click()
    ann.get_by_role("button", name="List in lobby").click()
    expect(ann.locator(".status")).to_have_text("Waiting for an opponent.")

    bob = open_page(ann.url.removeprefix(ann.url.split("/room/")[0])).page
    bob.get_by_role("button", name="Sit down and play").click()
    expect(bob.locator(".bar-who").first).not_to_contain_text(re.compile(r"\d{4}\?"))  # nobody has a rating yet
    for page, cell in ((ann, "a1"), (bob, "b1"), (ann, "a2"), (bob, "b2"), (ann, "a3")):
        play(page, cell)
    for page, mine, theirs in ((ann, "1662? (+162)", "1338? (−162)"), (bob, "1338? (−162)", "1662? (+162)")):  # noqa: RUF001
        expect(page.locator(".bar").last).to_contain_text(mine)
        expect(page.locator(".bar").first).to_contain_text(theirs)
    expect(ann.locator("[aria-live]", has_text="Your rating is now 1662.")).to_be_attached()
    ann.reload()
    expect(ann.locator(".bar").last).to_contain_text("1662? (+162)")

    ann.get_by_role("button", name="Rematch").click()
    bob.get_by_role("button", name="Play again").click()
    expect(ann.locator(".bar").last).to_contain_text("you · 1662?")
    expect(ann.locator(".bar").last).not_to_contain_text("(")
    eve = open_page().page
    expect(eve.locator("li", has_text="Watch").filter(has_text="1338?").filter(has_text="1662?")).to_be_visible()


def test_an_aborted_rated_game_changes_nothing(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    ask_for_a_rated_game(page, "A bot")
    page.get_by_text("O, second").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".room.my-turn")).to_be_visible()
    page.get_by_role("button", name="Abort").click()
    expect(page.locator(".status")).to_have_text("The game was aborted: it does not count.")
    expect(page.locator(".bar", has_text="(")).to_have_count(0)
