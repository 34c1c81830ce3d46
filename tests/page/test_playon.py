"""Playing on from a position of another game, and where there is none to play on from."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import OpenPage, until
from tests.support.page.play import cell, room, start_on_one_screen

pytestmark = pytest.mark.browser


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Play on from here")


def offer(page: Page) -> Locator:
    return page.get_by_role("button", name="Play on from here")


def picker(page: Page) -> Locator:
    return page.locator('[data-family="playon"]')


def test_a_game_goes_on_against_a_bot_and_a_friend(open_page: OpenPage) -> None:
    watched = open_page("/#create")
    page = watched.page
    start_on_one_screen(page, "tictactoe")
    for ply, move in enumerate(["a1", "b2"]):
        cell(page, move).click()
        expect(room(page, plies=ply + 1)).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    record = page.get_by_role("link", name="Replay").get_attribute("href")

    # What asks how cannot be loaded; a second press tries again. Some browsers do so in a new page only.
    page.route("**/static/room-playOn-*.js", lambda route: route.abort())
    offer(page).click()
    expect(page.get_by_role("alert").filter(has_text="This page could not be loaded")).to_be_visible()
    page.unroute("**/static/room-playOn-*.js")
    assert all("ERR_FAILED" in complaint for complaint in watched.complaints)
    watched.complaints.clear()

    # From the room: against a bot.
    page.evaluate("window.isOld = true")
    offer(page).click()
    until(page, "() => !window.isOld || document.querySelector('dialog[open]')")
    if not page.evaluate("window.isOld"):
        offer(page).click()
    expect(dialog(page)).to_contain_text("From the position after 2 moves; X is to move.")
    expect(dialog(page).get_by_role("radio", name="X", exact=True)).to_be_checked()
    picker(page).select_option("random")
    dialog(page).locator("[name=limit]").select_option("nodes")
    dialog(page).get_by_label("At most", exact=True).fill("0.3")
    dialog(page).get_by_role("button", name="Play", exact=True).click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("a whole number from 1 to")
    expect(dialog(page).get_by_label("At most", exact=True)).to_be_focused()
    dialog(page).locator("[name=limit]").select_option("seconds")
    expect(dialog(page).get_by_role("alert")).to_have_count(0)
    dialog(page).get_by_label("At most", exact=True).fill("1")
    dialog(page).get_by_role("button", name="Play", exact=True).click()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    expect(cell(page, "a1, X")).to_be_visible()
    expect(cell(page, "b2, O")).to_be_visible()
    expect(page.locator(".bar").first).to_contain_text("Random")
    expect(page.locator(".room-head")).not_to_contain_text("rated")

    # From the record, at another ply: the last choices stand; by a link, a friend plays on.
    page.goto(re.sub(r"/room/.*", f"{record}?ply=1", page.url))
    offer(page).click()
    expect(dialog(page)).to_contain_text("after one move; O is to move.")
    expect(dialog(page).get_by_role("radio", name="X", exact=True)).to_be_checked()
    expect(picker(page)).to_have_value("random")
    expect(dialog(page).get_by_label("At most", exact=True)).to_have_value("1")
    dialog(page).get_by_text("A friend, by link").click()
    expect(picker(page)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(offer(page)).to_be_focused()
    offer(page).click()
    dialog(page).get_by_text("A friend, by link").click()
    dialog(page).get_by_text("O", exact=True).click()
    dialog(page).get_by_role("button", name="Make the link").click()
    friend = open_page(page.get_by_label("Link to join").input_value()[len(page.url.split("/room/")[0]) :]).page
    expect(room(friend, plies=0)).to_be_visible()
    expect(cell(friend, "a1, X, last move")).to_be_visible()
    expect(page.locator(".status")).to_have_text("Your turn.")
    cell(page, "b2").click()
    expect(cell(friend, "b2, O")).to_be_visible()
    expect(page.get_by_role("button", name="Take back")).to_be_enabled()  # O has begun here
    expect(friend.get_by_role("button", name="Take back")).to_be_disabled()
    for move, mover in (("b1", friend), ("b3", page), ("c1", friend)):
        cell(mover, f"{move}, empty").click()
        expect(cell(page if mover is friend else friend, f"{move}, ")).not_to_have_text("")
    # X has a line: nothing is left to play on from.
    expect(friend.locator(".status")).to_have_text("You win with three in a row.")
    expect(offer(friend)).to_be_hidden()
    friend.get_by_role("link", name="Replay").click()
    expect(friend.locator(".steps-under")).to_contain_text("After 4 of 4 moves")
    expect(offer(friend)).to_be_hidden()
    friend.get_by_role("button", name="One move back").click()
    expect(offer(friend)).to_be_visible()
