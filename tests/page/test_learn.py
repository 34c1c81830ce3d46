"""Learning a game: rules in a picture, a guided first game, puzzles; by touch on a phone and by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.rules.position import Position
from engine.rules.registry import games, rules
from tests.page.conftest import OpenPage
from tests.support.page.axe import Inspector

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PUZZLES: dict[str, Any] = json.loads(files("client").joinpath("web/learn/puzzles.json").read_bytes())["games"]


def cell(page: Page, move: str) -> Locator:
    return page.locator(f'.board [data-cell="{move}"]')


def asked(page: Page) -> str:
    """The cell that the guided game asks for."""
    return str(page.locator(".board .pointed").first.get_attribute("data-cell"))


def key(turn: dict[str, Any]) -> str:
    return str(next(iter(turn["right"])))


def wrong_move(puzzle: dict[str, Any]) -> tuple[str, str]:
    """A first move that is legal and not right, and what refutes it."""
    game: Position = rules("tictactoe").initial
    texts = game.rules.texts
    for text in puzzle["moves"]:
        game = game.play(game.rules.parse_move(text))
    move = next(texts[move] for move in game.legal_moves() if texts[move] not in puzzle["turn"]["right"])
    return move, puzzle["turn"]["except"].get(move, puzzle["turn"]["refute"])


@pytest.fixture
def inspector() -> Iterator[Inspector]:
    inspector = Inspector()
    yield inspector
    inspector.verdict()


# The pages


def test_by_touch_on_a_phone(open_page: OpenPage) -> None:
    watched = open_page("/healthz", **PHONE)
    page = watched.page
    sent: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    page.goto(watched.origin + "/learn")
    expect(page.locator(".learn-games a")).to_have_count(len(games()))
    page.get_by_role("link", name="Nine-board").tap()
    expect(page.get_by_role("heading", name="Learn Nine-board tic-tac-toe")).to_be_visible()
    expect(page.locator(".learn-sentences li")).to_have_count(3)
    expect(page.get_by_role("img", name=re.compile("top right board"))).to_be_visible()
    page.get_by_role("link", name="Play a guided first game").tap()
    expect(page.get_by_text("Step 1 of 5")).to_be_visible()
    cell(page, "5/9").tap()
    expect(page.locator(".learn-hint")).to_contain_text("play board 5 square 1, the framed cell")
    for step in range(1, 4):
        expect(page.get_by_text(f"Step {step} of 5")).to_be_visible()
        cell(page, asked(page)).tap()
    expect(page.get_by_text("Step 4 of 5")).to_be_visible()
    cell(page, "9/1").tap()
    expect(page.locator(".learn-hint")).to_contain_text("where O completes a line and wins")
    page.get_by_role("button", name="Back").tap()
    expect(page.get_by_text("Step 3 of 5")).to_be_visible()
    for step in range(3, 6):
        expect(page.get_by_text(f"Step {step} of 5")).to_be_visible()
        cell(page, asked(page)).tap()
    expect(page.locator(".learn-status")).to_have_text("X has won: that was your first game!")
    page.get_by_role("link", name="Solve puzzles").tap()
    puzzle = PUZZLES["nine-board"][0]
    expect(page.locator(".learn-task")).to_have_text(re.compile(r"^[XO] to play and win in \d moves$"))
    page.get_by_role("button", name="Hint").tap()
    expect(page.locator(".board .pointed")).not_to_have_count(0)
    assert key(puzzle["turn"]) in page.locator(".board .pointed").evaluate_all("all => all.map((e) => e.dataset.cell)")
    page.get_by_role("button", name="Show the solution").tap()
    expect(page.locator(".learn-status")).to_contain_text("The solution: ")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.get_by_role("link", name="First game").tap()
    for step in range(1, 6):
        expect(page.get_by_text(f"Step {step} of 5")).to_be_visible()
        move = asked(page)
        cell(page, move).tap()
        expect(cell(page, move)).to_have_text("X")
    page.get_by_role("button", name="Play a real one now").dblclick()
    expect(page.locator('.room[data-plies="0"]')).to_be_visible()
    assert sum('"t":"create"' in frame for frame in sent) == 1, "a double click is one game"
    expect(page.locator(".bar").first).to_contain_text("Level 1")


@pytest.mark.parametrize(
    "path", ["tictactoe#game", "qubic#game", "nine-board#game", "ultimate#puzzles", "gomoku#puzzles"]
)
def test_on_a_phone_the_sentence_and_the_board_are_in_sight(open_page: OpenPage, path: str) -> None:
    page = open_page(f"/learn/{path}", **PHONE).page
    expect(page.locator(".learn-words")).to_be_visible()
    above, board, bar = (
        page.locator(name).bounding_box() for name in (".learn-words", ".learn-board .board", ".places")
    )
    assert above is not None
    assert board is not None
    assert bar is not None
    assert above["y"] + above["height"] <= board["y"]
    assert board["y"] + board["height"] <= bar["y"]
    assert board["width"] > 300  # and it is still the largest thing there


def test_what_the_line_kept_away_is_asked_for_again(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    watched.line_may_break = True
    page = watched.page
    page.route("**/api/rules*", lambda route: route.abort("connectionfailed"))
    page.goto(f"{watched.origin}/learn/tictactoe")
    expect(page.locator(".lost")).to_contain_text("The server cannot be reached at the moment.")
    page.unroute("**/api/rules*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Learn Tic-tac-toe")).to_be_visible()


def test_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/learn/tictactoe#game").page
    status = page.locator(".learn-status")
    expect(status).to_contain_text("You are X.")
    page.locator('.board [tabindex="0"]').focus()
    expect(cell(page, "b2")).to_be_focused()
    page.keyboard.press("Enter")
    spoken = page.get_by_role("status").last
    expect(page.locator(".spoken p")).to_have_count(1)  # once
    expect(spoken).to_contain_text("O plays b1. Play a1")
    for keys in (
        ["ArrowDown", "ArrowLeft"],
        ["ArrowUp", "ArrowUp"],
        ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"],
    ):
        for each in [*keys, "Enter"]:
            page.keyboard.press(each)
    expect(status).to_have_text("X has won: that was your first game!")
    expect(page.get_by_role("button", name="Play a real one now")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    first, second = PUZZLES["tictactoe"][:2]
    expect(page.locator(".learn-task")).to_contain_text("to play")
    move, reply = wrong_move(first)
    cell(page, move).focus()
    page.keyboard.press("Enter")
    expect(status).to_contain_text(f"{move.capitalize()} is not it: ")
    expect(status).to_contain_text(f" answers {reply}")
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, move)).to_have_text("")
    turn = first["turn"]
    while turn is not None:
        move = key(turn)
        cell(page, move).focus()
        page.keyboard.press("Enter")
        expect(cell(page, move)).not_to_have_text("")
        turn = (turn["right"][move] or {}).get("turn")
    expect(status).to_have_text(re.compile("has won. Solved!$"))
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".learn-task")).to_be_focused()
    expect(page.get_by_role("button", name="Puzzle 1, solved")).to_be_visible()
    for placed in second["moves"]:
        expect(cell(page, placed)).not_to_have_text("")
    page.reload()
    expect(page.get_by_role("button", name="Puzzle 2")).to_have_attribute("aria-current", "true")


def test_in_german_and_where_there_is_nothing(open_page: OpenPage) -> None:
    page = open_page("/learn/mnk:6,5,4", locale="de").page
    expect(page.get_by_role("link", name="Geführte erste Partie spielen")).to_be_visible()
    page.goto(page.url + "#puzzles")
    page.reload()
    expect(page.get_by_text("Für dieses Brett gibt es noch keine Aufgaben.")).to_be_visible()
    page.goto(page.url.split("/learn")[0] + "/learn/mnk:2,2,2")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main")).to_contain_text("Hier gibt es nichts zu lernen.")
    expect(page).to_have_title(f"{page.get_by_role('heading', level=1).inner_text()} · noughts")


@pytest.mark.slow
def test_axe_finds_nothing(open_page: OpenPage, inspector: Inspector) -> None:
    page = open_page("/learn", reduced_motion="reduce").page
    expect(page.locator(".learn-games a")).to_have_count(len(games()))
    inspector.look(page, "all games")
    for game, part in (("qubic", "rules"), ("tictactoe", "game"), ("tictactoe", "puzzles")):
        page.goto(page.url.split("/learn")[0] + f"/learn/{game}#{part}")
        expect(page.locator(f'.learn-parts [aria-current="page"][href$="{game}#{part}"]')).to_be_visible()
        if part != "puzzles":
            inspector.look(page, f"{game}, {part}")
    cell(page, wrong_move(PUZZLES["tictactoe"][0])[0]).click()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    inspector.look(page, "refuted")
