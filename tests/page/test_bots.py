"""Bots on the page: choosing one, what it found, and the wait for the first compile."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from engine.bots.roster import bots
from engine.rules.registry import rules
from tests.page.conftest import OpenPage, until
from tests.support.page.play import PHONE, cell, choose_game, no_sideways_scroll, room

pytestmark = pytest.mark.browser

PICKER = '[data-family="bot"]'


def expect_offered(page: Page, families: set[str]) -> None:
    """The list follows the choice of a game a moment after its rules do."""
    shown = "[...document.querySelectorAll(place)].map((option) => option.value)"
    wanted = [f"{PICKER} option", ",".join(sorted(families))]
    until(page, f"([place, families]) => {shown}.sort().join() === families", wanted)


def playing(game: str) -> set[str]:
    return {entry.family for entry in bots() if entry.plays(rules(game))}


def choose_bot(page: Page, family: str) -> Locator:
    page.locator(PICKER).select_option(family)
    return page.locator(".bot-choice").first


def test_each_game_offers_the_bots_that_play_it(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    for game in ("tictactoe", "qubic", "nine-board", "mnk:7,5,4"):
        choose_game(page, game)
        expect(page.locator(".rules-box h2")).to_have_text(rules(game).name)
        expect_offered(page, playing(game))
    groups = page.locator(f"{PICKER} optgroup")
    choose_game(page, "qubic")
    expect(groups.last).to_have_attribute("label", "From the literature")


def test_a_level_is_offered_first_with_words_for_its_strength(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    expect(page.locator(PICKER)).to_have_value("level")
    slider = page.get_by_role("slider", name=re.compile("^Level"))
    slider.fill("1")
    expect(page.locator(".level b").first).to_have_text("1 of 4 · a beginner")
    choose_game(page, "qubic")
    expect(page.locator(".level b").first).to_have_text("1 of 8 · a beginner")
    slider.press("ArrowRight")
    expect(page.locator(".level b").first).to_have_text("2 of 8 · easy")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".bar").first).to_contain_text("Level 2")
    page.goto(page.url.split("/room")[0] + "/#create")
    expect(page.locator(".level b").first).to_have_text("2 of 8 · easy")


def test_whoever_is_faster_than_the_list_of_bots_plays_one_of_them(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    held: list[Route] = []
    page.route("**/api/bots?*", lambda route: held.append(route))
    page.get_by_label("Variant").select_option("qubic")
    expect(page.get_by_role("heading", name="Qubic", level=2)).to_be_visible()  # its rules wait for nothing
    page.get_by_role("button", name="Play", exact=True).click()
    [route] = held
    route.continue_()
    expect(page.get_by_role("heading", name="Qubic", level=1)).to_be_visible()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    expect(page.locator(".bar").first).to_contain_text("Level 3")


def test_a_bot_of_the_lobby_plays_the_game_that_it_is_listed_under(open_page: OpenPage) -> None:
    page = open_page().page
    bots = page.locator("section.bots")
    expect(bots.get_by_role("heading")).to_have_text("Bots for Tic-tac-toe")
    page.route("**/api/bots?*", lambda route: None)
    page.get_by_role("radiogroup", name="Game").get_by_text("Qubic", exact=True).click()
    bots.get_by_role("button", name="Play level 1 of 4").click()
    expect(room(page, plies=0)).to_be_visible()
    expect(page.get_by_role("heading", name="Tic-tac-toe", level=1, exact=True)).to_be_visible()


def watching_two_bots(open_page: OpenPage) -> Page:
    """The page of whoever has two bots play a game that is soon over."""
    page = open_page("/#create=bots").page
    choose_game(page, "tictactoe")
    for side in "XO":
        page.get_by_role("combobox", name=f"{side} is").select_option("random")
    page.get_by_role("button", name="Watch").click()
    return page


def test_who_lets_two_bots_play_may_come_back_to_their_room(open_page: OpenPage) -> None:
    page = watching_two_bots(open_page)
    expect(room(page, ".over")).to_be_visible()
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    expect(page.get_by_role("region", name="Simulation")).to_be_visible()


def test_every_bot_tells_its_character_and_its_parameters(open_page: OpenPage) -> None:
    page = open_page("/#create", **PHONE).page
    choose_game(page, "qubic")
    expect(page.locator(".rules-box h2")).to_have_text("Qubic")
    for entry in bots():
        if entry.family not in playing("qubic"):
            continue
        choice = choose_bot(page, entry.family)
        expect(choice.locator(".character")).to_contain_text(entry.character)
        assert choice.locator(".parameters > label").count() == len(entry.parameters)
        assert no_sideways_scroll(page)
    choice = choose_bot(page, "alphabeta")
    expect(choice.get_by_label("How many plies it looks ahead (1 to 20)")).to_have_value("2")


def test_strength_is_shown_where_it_was_measured(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page

    def measured(route: Route) -> None:
        told = route.fetch().json()
        for bot in told:
            if bot["family"] == "alphabeta":
                bot["strengths"] = {"alphabeta:4": "about level 5"}
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page.route("**/api/bots?*", measured)
    page.goto(watched.origin + "/#create")
    choice = choose_bot(page, "alphabeta")
    expect(choice.locator(".character")).not_to_contain_text("level")
    choice.get_by_role("spinbutton").fill("4")
    expect(choice.locator(".character")).to_contain_text("About level 5.")


def test_what_a_bot_found_is_shown_at_its_moves_and_in_the_record(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    choose_bot(page, "alphabeta")
    page.get_by_role("button", name="Play", exact=True).click()
    told = page.locator(".thinking")
    found = told.locator("p > span")
    line = told.locator(".thought-line")
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    expect(told).to_be_hidden()
    cell(page, "b2, empty").click()
    expect(room(page, ".my-turn", plies=2)).to_be_visible()
    expect(found).to_have_text(re.compile(r"^O \w\d depth\s2\s· \d+\spositions\s· value\s[^a-z]*$"))
    expect(page.get_by_text("depth 2")).to_have_count(1)  # in one place
    expect(line).to_have_count(0)  # nobody is advised unasked
    page.get_by_role("button", name="Expected moves").click()
    expect(told.get_by_role("button", name=re.compile(r"^\w\d$"))).to_be_visible()
    first, expected = found.inner_text(), line.inner_text()
    page.locator(".cell.playable").first.click()
    expect(room(page, plies=4)).to_be_visible()
    expect(found).not_to_have_text(first)
    # At an earlier move they are text: the board does not show that position.
    page.locator("button.move").first.hover()
    expect(found).to_have_text(first)
    expect(line).to_have_text(expected)
    expect(told.get_by_role("button", name=expected, exact=True)).to_have_count(0)
    page.mouse.move(0, 0)
    expect(found).not_to_have_text(first)
    page.locator("button.move").first.focus()
    expect(found).to_have_text(first)
    # Who comes later finds them in the record.
    page.reload()
    expect(room(page, plies=4)).to_be_visible()
    page.locator("button.move").first.focus()
    expect(found).to_have_text(first)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(found).not_to_have_text(first)  # the last it found stays in sight
    page.get_by_role("link", name="Replay").click()
    page.get_by_role("button", name="First position").click()
    figures = page.locator(".figures")
    expect(figures).to_be_hidden()
    page.locator("button.move").nth(1).click()
    expect(figures).to_contain_text(first)


def test_what_a_bot_thinks_is_told_and_drawn_if_one_allows_it(open_page: OpenPage) -> None:
    watched = open_page("/healthz", has_touch=True)
    page = watched.page
    lines: list[WebSocketRoute] = []

    def line(socket: WebSocketRoute) -> None:
        lines.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda frame: None if '"t":"thinking"' in str(frame) else socket.send(frame))

    page.route_web_socket("**/ws", line)
    page.goto(watched.origin + "/#create")
    choose_game(page, "qubic")
    choose_bot(page, "random")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, plies=0)).to_be_visible()
    id = page.url.rsplit("/", 1)[1]
    thought = {"t": "thinking", "room": id, "nodes": 12345, "depth": 4, "value": 0, "pv": ["b2.2", "c3.3", "a1.1"]}
    lines[-1].send(json.dumps(thought))
    told = page.locator(".thinking")
    expect(told).to_contain_text("depth 4")
    expect(told).not_to_contain_text("b2.2")
    width = "(of) => document.querySelector(of).getBoundingClientRect().width"
    assert page.evaluate(width, ".value-bar > span") == page.evaluate(width, ".value-bar") / 2
    told.get_by_role("button", name="Expected moves").click()
    expected = told.get_by_role("button", name="b2.2 c3.3 a1.1")
    expected.hover()
    for name, label in (("b2.2", "b2 level 2, X"), ("c3.3", "c3 level 3, O"), ("a1.1", "a1 level 1, X, last move")):
        expect(page.locator(f'.layers-slot [data-cell="{name}"]')).to_have_attribute("aria-label", re.compile(label))
    page.mouse.move(0, 0)
    expect(cell(page, "b2 level 2, empty")).to_be_visible()
    expected.focus()
    expect(cell(page, "a1 level 1, X, last move")).to_be_visible()
    # Deeper: what is looked at follows, and the focus stays.
    lines[-1].send(json.dumps({**thought, "depth": 6, "pv": ["d4.4"]}))
    expect(cell(page, "d4 level 4, X, last move")).to_be_visible()
    expect(told.get_by_role("button", name="d4.4")).to_be_focused()
    # A touch of what is only drawn ends the look, and plays nothing.
    cell(page, "d4 level 4, X, last move").tap(force=True)  # it says that it is disabled
    expect(cell(page, "d4 level 4, empty")).to_be_visible()
    # Who does not want to know is told nothing.
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("button", name="Board settings").first.click()
    page.get_by_role("checkbox", name="What the bot thinks").uncheck()
    expect(told).to_be_hidden()
    expect(cell(page, "d4 level 4, empty")).to_be_visible()
    page.get_by_role("checkbox", name="What the bot thinks").check()
    expect(told).to_contain_text("depth 6")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Abort").click()
    expect(told).to_be_hidden()


def test_the_wait_is_told_no_longer_once_the_bot_has_moved(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    told = {"warm": False, "done": 3, "of": 5}
    page.route("**/api/warm-up", lambda route: route.fulfill(body=json.dumps(told), content_type="application/json"))
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    released = False

    def without_moves(socket: WebSocketRoute) -> None:
        def pass_on(frame: str | bytes) -> None:
            if held or (not released and '"e":"moved"' in str(frame)):
                held.append((socket, frame))
            else:
                socket.send(frame)

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket("**/ws", without_moves)
    page.goto(watched.origin + "/#create")
    choose_bot(page, "random")
    page.get_by_text("O, second").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".under")).to_have_text("Bots are starting: 3 of 5.")
    released = True
    while held:
        socket, frame = held.pop(0)
        socket.send(frame)
    expect(room(page, ".my-turn", plies=1)).to_be_visible()
    expect(page.locator(".under")).to_be_empty()


def test_two_bots_play_a_series_whose_figures_are_shown(open_page: OpenPage) -> None:
    page = open_page("/#create=bots").page
    turns = page.get_by_text("their games take turns")
    expect(turns).to_be_visible()
    page.get_by_text("You against a program, at once.").click()
    expect(turns).to_have_count(0)
    page.get_by_text("You watch them play each other.").click()
    choose_game(page, "tictactoe")
    page.get_by_role("combobox", name="X is").select_option("random")
    page.get_by_role("combobox", name="O is").select_option("random")
    page.get_by_role("button", name="Watch").click()
    expect(room(page, ".over")).to_be_visible()
    panel = page.get_by_role("region", name="Simulation")
    games = panel.get_by_label("Games, 1 to 100")
    games.fill("101")
    panel.get_by_role("button", name="Play them").click()
    expect(panel.get_by_role("alert")).to_have_text("Enter a whole number from 1 to 100.")
    games.fill("1")
    panel.get_by_role("button", name="Play them").click()
    expect(panel.get_by_role("status")).to_have_text("Played 1 of 1.")
    expect(page.locator('.room.over[data-game="2"]')).to_be_visible()
    rows = {
        row.get_by_role("rowheader").inner_text(): row.get_by_role("cell") for row in panel.get_by_role("row").all()
    }
    counts = [int(rows[end].inner_text().split()[0]) for end in ("X wins", "O wins", "Draws")]
    assert sum(counts) == 1
    assert 5 <= float(rows["Moves to the end"].inner_text()) <= 9
    expect(rows["X average move"]).to_have_text(re.compile(r"^[\d.]+ ms; all \d+ moves \d+ ms$"))
    lines = (
        "cells => Math.max(...cells.map((cell) => cell.offsetHeight / parseFloat(getComputedStyle(cell).lineHeight)))"
    )
    assert panel.locator("th, td").evaluate_all(lines) < 3  # two lines at most
    assert no_sideways_scroll(page)
    # A series that is stopped ends with the game that is running.
    panel.get_by_label("Games, 1 to 100").fill("100")
    panel.get_by_role("button", name="Play them").click()
    panel.get_by_role("button", name="Stop after this game").click()
    expect(panel.get_by_role("button", name="Play them")).to_be_enabled()
    expect(panel.get_by_role("status")).not_to_have_text("Played 100 of 100.")


def test_a_series_goes_on_after_a_reload_and_a_visit_elsewhere(open_page: OpenPage) -> None:
    page = watching_two_bots(open_page)
    panel = page.get_by_role("region", name="Simulation")
    panel.get_by_label("Games, 1 to 100").fill("100")
    panel.get_by_role("button", name="Play them").click()
    progress = panel.get_by_role("status")
    stop = panel.get_by_role("button", name="Stop after this game")
    expect(progress).not_to_have_text("Played 0 of 100.")
    page.reload()
    expect(stop).to_be_visible()
    expect(progress).not_to_have_text(progress.inner_text())
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    page.go_back()
    expect(stop).to_be_visible()
