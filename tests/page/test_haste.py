"""Hasty hands and slow lines: double clicks, a held key, a move that is long on its way, a line gone silent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.page.conftest import OpenPage, until
from tests.support.page.play import cell, invite, new_on_one_screen, room

pytestmark = pytest.mark.browser

DOUBLE_CLICK = """(button) => {
    for (const detail of [1, 2]) button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }));
}"""
"""Before anything can be answered."""


class Line:
    """The page's websocket, which can be cut without anybody being told, as in a tunnel."""

    def __init__(self, page: Page) -> None:
        self.silent = False
        self.opened = 0
        page.route_web_socket("**/ws", self._join)

    def _join(self, socket: Any) -> None:
        self.opened += 1
        server = socket.connect_to_server()
        mine = self.opened  # the line that is opened after a silent one is a good one
        socket.on_message(lambda message: self._is_cut(mine) or server.send(message))
        server.on_message(lambda message: self._is_cut(mine) or socket.send(message))

    def _is_cut(self, line: int) -> bool:
        return self.silent and line == 1


def action(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="What you can do").get_by_role("button", name=name, exact=True)


def after_three_moves(open_page: OpenPage, game: str) -> Page:
    page = new_on_one_screen(open_page, game)
    for plies, move in enumerate(("a1", "b2", "c3"), start=1):
        page.locator(f'[data-cell="{move}"]').click()
        expect(room(page, plies=plies)).to_be_visible()
    return page


def test_neither_a_double_click_nor_a_held_key_resigns(open_page: OpenPage) -> None:
    page = after_three_moves(open_page, "mnk:7,7,4")
    action(page, "Resign").dblclick()
    expect(page.locator(".room.over")).to_have_count(0)
    if action(page, "No, play on").count():
        action(page, "No, play on").click()
    action(page, "Resign").press("Enter")
    expect(action(page, "No, play on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(action(page, "Resign")).to_be_visible()
    action(page, "Resign").click()
    action(page, "Yes, resign").click()
    expect(page.locator(".room.over")).to_be_visible()


def test_a_double_click_takes_one_move_back(open_page: OpenPage) -> None:
    page = after_three_moves(open_page, "tictactoe")
    action(page, "Take back").dblclick()
    expect(room(page, plies=2)).to_be_visible()
    action(page, "Take back").click()
    expect(room(page, plies=1)).to_be_visible()


def test_a_double_click_answers_an_offer_once(open_page: OpenPage) -> None:
    host, guest = open_page().page, open_page("/healthz").page
    sent: list[str] = []
    guest.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    guest.goto(invite(host))
    for page in (host, guest):
        expect(room(page, plies=0)).to_be_visible()
    x, o = (host, guest) if room(host, ".my-turn").count() else (guest, host)
    for ply, (mover, move) in enumerate([(x, "a1"), (o, "b2")], start=1):
        cell(mover, f"{move}, empty").click()
        for page in (x, o):
            expect(room(page, plies=ply)).to_be_visible()
    action(host, "Offer draw").click()
    guest.get_by_role("button", name="No", exact=True).evaluate(DOUBLE_CLICK)
    expect(host.locator(".under")).to_contain_text("declined")
    action(guest, "Offer draw").click()
    expect(host.get_by_role("button", name="Agree to a draw")).to_be_visible()
    assert len([frame for frame in sent if "decline_draw" in frame]) == 1


def test_a_move_that_is_on_its_way_takes_no_other_with_it(open_page: OpenPage) -> None:
    watched = open_page("/healthz", remembers={"noughts.preferences": {"confirm": True}})
    page, line = watched.page, Line(watched.page)
    watched.line_may_break = True
    page.goto(page.url.removesuffix("/healthz") + "/#create")
    page.get_by_text("Two on this screen").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, plies=0)).to_be_visible()
    line.silent = True
    page.locator('[data-cell="b2"]').click()
    page.locator('[data-cell="b2"]').click()
    expect(cell(page, "b2, X, being sent")).to_be_visible()
    page.locator('[data-cell="a1"]').click()
    expect(cell(page, "a1, empty, chosen")).to_have_count(0)
    field = page.get_by_label("Type a move")
    field.fill("c3")
    field.press("Enter")
    sentence = "Your move b2 is on its way …"
    expect(page.locator(".side-panel").get_by_text(sentence).first).to_be_visible()
    expect(page.locator(".under")).to_have_text(sentence)
    # The line is given up soon, though nobody closed it; the move arrives by the next one.
    expect(room(page, plies=1)).to_be_visible()
    expect(page.locator(".under")).not_to_contain_text("on its way")
    assert line.opened > 1


def test_whoever_goes_elsewhere_while_a_room_is_made_stays_there(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    held: list[Any] = []

    def join(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda each: held.append((server, each)) if '"create"' in each else server.send(each))

    page.route_web_socket("**/ws", join)
    page.goto(page.url.removesuffix("/healthz"))
    page.get_by_role("button", name="Play a bot now").click()
    page.get_by_role("link", name="Stats").click()
    expect(page.get_by_role("heading", name="Stats", level=1)).to_be_visible()
    for _ in range(6_000):  # it goes when the server has greeted the page
        if held:
            break
        page.wait_for_timeout(10)
    assert held
    for server, message in held:
        server.send(message)
    # The game runs, and the page tells of it.
    expect(page.get_by_role("navigation", name="Your running games").get_by_role("link")).to_be_visible()
    expect(page).to_have_url(re.compile("/stats$"))


def test_words_are_seen_while_the_script_of_a_view_is_on_its_way(open_page: OpenPage) -> None:
    page = open_page().page
    held: list[Route] = []
    page.route("**/room-view-*.js", lambda route: held.append(route))
    page.get_by_role("button", name="Play a bot now").click()
    until(
        page,
        """() => {
            const { content, visibility } = getComputedStyle(document.getElementById('main'), '::before');
            return content === '"Loading …"' && visibility === 'visible';
        }""",
    )
    expect(page.locator(".foot")).to_be_hidden()  # it would jump
    held[0].continue_()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    assert page.evaluate("getComputedStyle(document.getElementById('main'), '::before').content") == "none"
