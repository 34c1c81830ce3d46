"""Games reviewed on the page: over the real server, and over a line that says what a test wants."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from engine.rules.registry import rules
from server.db import migrate
from server.rooms.players.players import token_hash
from tests.page.conftest import OpenPage, ServerProcess, Watched
from tests.support.database.database_files import execute
from tests.support.database.played_records import Records, random_game
from tests.support.page.play import cell, no_sideways_scroll, room, start_on_one_screen
from tests.support.page.replay import VIEWS, at_ply

pytestmark = pytest.mark.browser

ERRING = ["a1", "b1", "c3", "c1", "a2", "a3", "b2"]
"""X keeps the draw; O throws it away; X throws away the win in 5; O loses at once; X wins slowly, then at once."""
VERDICTS = ["drawn", "lost", "drawn", "lost", "won", "lost", "won"]
SHORT, LONG, PRIVATE, RUNNING, FAKED, SHOWN = range(1, 7)
TOKEN = "t" * 43
JUDGED_MS = 120_000
"""The first position makes a worker load the solver, and compile it where nobody did before."""


def erring() -> list[int]:
    return [rules("tictactoe").parse_move(text) for text in ERRING]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of a few games; its records are in `noughts.db`."""
    folder: Path = tmp_path_factory.mktemp("reviews")
    migrate.prepare(folder / "noughts.db")
    records = Records(folder / "noughts.db")
    records.add(SHORT, erring(), times=[1_500, 20, 300, 12_345, 90, 10, 5])
    records.add(LONG, random_game(rules("mnk:19,19,5"), Random(1), 150), game="mnk:19,19,5", termination="agreement")
    records.add(PRIVATE, erring(), source="room", private=1)
    records.add(RUNNING, [4, 0], termination=None, ended_ms=None, plies=None)
    records.add(FAKED, erring())
    records.add(SHOWN, erring())
    execute(records.path, "UPDATE players SET token_hash = ? WHERE id = 1", (token_hash(TOKEN),))
    process = ServerProcess(folder)
    process.start()
    yield process
    process.stop()


def state(page: Page) -> Any:
    return page.locator(".review-state")


def says(page: Page) -> Any:
    return page.locator(".review-sentence strong")


def review(page: Page) -> None:
    page.get_by_role("button", name="Review", exact=True).click()
    expect(state(page)).to_have_text("All 7 moves are judged.", timeout=JUDGED_MS)


# Over the real server


def test_a_game_is_reviewed_by_a_button_and_stays_reviewed(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{SHORT}?ply=3", at=shelf).page
    told = page.locator(".spoken p")
    review(page)
    expect(told.first).to_have_text("The review begins.")
    expect(told.last).to_have_text("The review is done. X: 1 blunder, 1 slower move. O: 2 blunders.")
    expect(told).to_have_count(2)  # and nothing of each move
    expect(says(page)).to_have_text("Threw away the win in 5: a draw now.")
    expect(page.locator(".review-meaning")).to_have_text("Exact: proven to the end of the game.")
    # The list: words for everybody, and what stands out beside them.
    tags = page.locator(".moves .verdict")
    expect(tags).to_have_text([f"{verdict}, exact" for verdict in VERDICTS])
    expect(page.locator(".moves .sign")).to_have_text(["??", "??", "??", "?!"])
    expect(page.locator(".move-note")).to_have_text(
        [
            "O threw away the draw",
            "X threw away the win in 5",
            "O threw away the draw",
            "X a slower win: 3 instead of 1",
        ]
    )
    # The game in short leads to its mistakes.
    short = page.get_by_role("region", name="Summary")
    expect(short).to_contain_text("7 of 7 moves judged exactly.")
    expect(short.locator(".turns li")).to_have_count(3)
    short.get_by_role("button", name="4. O c1").click()
    at_ply(page, 4, 7)
    expect(says(page)).to_have_text("Threw away the draw: lost in 2 now.")
    expect(told.last).to_have_text("Move 4 of 7: O c1, 12.3 s. Threw away the draw: lost in 2 now.")
    page.keyboard.press("End")
    at_ply(page, 7, 7)
    expect(says(page)).to_have_text("Wins at once.")
    # Reloaded, it is there, and nobody is asked for it.
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: sent.append(str(payload))))
    page.reload()
    expect(state(page)).to_have_text("All 7 moves are judged.")
    expect(says(page)).to_have_text("Wins at once.")
    assert not any("review" in frame for frame in sent)
    expect(page.locator(".spoken")).not_to_contain_text("review")


def test_the_best_line_is_seen_on_the_board(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{SHOWN}?ply=3", at=shelf).page
    review(page)
    line = page.get_by_role("group", name="The best line, on the board").get_by_role("button")
    expect(line).to_have_text(["X a2", "O a3", "X b2", "O c1", "X c2"])
    # By keyboard: one of them is in the tab order, arrows go along, and the game stays where it is.
    line.first.focus()
    expect(cell(page, "a2, X, last move")).to_be_visible()
    expect(cell(page, "c3, empty")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(line.nth(2)).to_be_focused()
    expect(cell(page, "b2, X, last move")).to_be_visible()
    expect(page.locator(".cell.pointed")).to_have_count(3)
    expect(page.locator(".steps-under")).to_contain_text("Not played: 3 moves of the best line")
    expect(page.get_by_role("slider", name="Move", exact=True)).to_have_value("3")
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1).focus()
    expect(cell(page, "b2, X, last move")).to_be_visible()  # it was pressed, so it stays
    expect(line.nth(2)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Back to the game").click()
    expect(line.nth(2)).to_be_focused()
    expect(cell(page, "c3, X, last move")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(cell(page, "a3, O, last move")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cell(page, "c3, X, last move")).to_be_visible()
    expect(page.locator(".imagined")).to_have_count(0)
    # By mouse.
    line.nth(1).hover()
    expect(cell(page, "a3, O, last move")).to_be_visible()
    page.locator(".review-state").hover()
    expect(cell(page, "c3, X, last move")).to_be_visible()
    line.nth(1).click()
    page.locator(".review-state").hover()
    expect(page.locator(".imagined")).to_be_visible()
    # One may play on from what is seen.
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_role("dialog")).to_contain_text("From the position after 4 moves")
    page.keyboard.press("Escape")
    # A step of the game leaves the line.
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("ArrowRight")
    at_ply(page, 4, 7)
    expect(page.locator(".imagined")).to_have_count(0)
    expect(cell(page, "c1, O, last move")).to_be_visible()


def test_the_value_is_a_chart(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{SHOWN}?ply=0", at=shelf).page
    expect(page.get_by_role("region", name="Time used")).to_be_visible()
    # A test before this one may have left a review, which the page shows by itself a little later.
    if not page.evaluate("async (path) => (await (await fetch(path)).json()).done", f"/api/games/{SHOWN}/review"):
        review(page)
    chart = page.get_by_role("region", name="Value")
    at = chart.get_by_role("slider")
    at.focus()
    page.keyboard.press("End")
    at_ply(page, 7, 7)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(at).to_have_attribute("aria-valuetext", "Move 3: proven draw, blunder draw")
    page.keyboard.press("ArrowRight")
    expect(at).to_be_focused()
    expect(at).to_have_attribute("aria-valuetext", "Move 4: proven X wins, blunder X wins")
    at_ply(page, 4, 7)
    expect(chart.locator(".chart-key li")).to_have_text(["proven X wins", "blunder X wins"])
    expect(chart.locator("canvas")).to_be_visible()
    chart.get_by_text("Numbers as a table").click()
    expect(chart.locator("tbody tr")).to_have_text(
        ["1draw–", "2X winsX wins", "3drawdraw", "4X winsX wins", "5X wins–", "6X wins–", "7X wins–"]
    )
    words = page.get_by_role("region", name="Summary").locator(".spoken-only").last
    expect(words).to_have_text(
        "The value of the game. Move 1: a draw. Move 2: X wins. Move 3: a draw. Moves 4 to 7: X wins."
    )


def test_a_review_is_cancelled_and_goes_on(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{LONG}", at=shelf).page
    page.get_by_role("button", name="Review", exact=True).click()
    expect(state(page)).to_have_text(re.compile(r"^[1-9]\d* of 150 moves judged …$"), timeout=JUDGED_MS)
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(state(page)).to_have_text(re.compile(r"^Cancelled: \d+ of 150 moves judged\.$"))
    expect(page.get_by_role("progressbar")).to_be_hidden()
    expect(page.locator(".spoken p").last).to_have_text(re.compile("^Cancelled: "))
    expect(page.get_by_role("button", name="Continue")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cancel", exact=True)).to_be_focused()
    expect(state(page)).to_have_text(re.compile(r"^\d+ of 150 moves judged …$"))
    # What is judged is there for whoever comes next.
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.reload()
    expect(state(page)).to_have_text(re.compile(r"^\d+ of 150 moves judged\.$"))
    assert page.locator(".moves .verdict").count() > 0


def test_a_game_is_reviewed_from_its_room(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/#create", at=shelf).page
    start_on_one_screen(page, "tictactoe")
    for plies, text in enumerate(["a1", "a2", "b1", "b2", "c1"]):
        expect(room(page, plies=plies)).to_be_visible()
        cell(page, text).click()
    page.get_by_role("link", name="Review").click()
    page.wait_for_url(re.compile(r"/game/\d+\?ply=5$"))
    expect(state(page)).to_have_text("All 5 moves are judged.", timeout=JUDGED_MS)
    expect(says(page)).to_have_text("Wins at once.")


def test_a_private_game_is_reviewed_by_its_players(open_page: OpenPage, shelf: ServerProcess) -> None:
    watched = open_page("/healthz", at=shelf)
    watched.context.add_init_script(f"localStorage.setItem('noughts.token', '\"{TOKEN}\"')")
    page = watched.page
    page.goto(f"{shelf.url}/game/{PRIVATE}")
    review(page)
    page.reload()
    expect(page.locator(".moves .verdict")).to_have_count(7)


def test_a_running_game_is_not_reviewed(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{RUNNING}?review", at=shelf).page
    expect(page.locator(".status")).to_have_text("Still running.")
    expect(page.locator(".review")).to_be_hidden()


@VIEWS
def test_a_review_fits_every_screen(open_page: OpenPage, shelf: ServerProcess, view: dict[str, Any]) -> None:
    page = open_page(f"/game/{SHOWN}?review&ply=3", at=shelf, **view).page
    expect(state(page)).to_have_text("All 7 moves are judged.", timeout=JUDGED_MS)
    assert no_sideways_scroll(page)
    line = page.locator(".review-line button")
    if "touch" in str(view):
        line.nth(1).tap()
        expect(cell(page, "a3, O, last move")).to_be_visible()
        page.get_by_role("button", name="Back to the game").tap()
        expect(cell(page, "c3, X, last move")).to_be_visible()
    assert no_sideways_scroll(page)


# Over a line that says what the test wants

Sent = dict[str, Any]
Reply = Callable[[WebSocketRoute, Sent], None]


def told(done: int, **changes: Any) -> str:
    """The message after so many moves, which holds them all: each keeps the draw."""
    moves = [
        {"ply": ply, "verdict": "drawn", "exact": True, "value": 0.0, "best": [ERRING[ply]], "could": "drawn"}
        for ply in range(7 - done, 7)
    ]
    return json.dumps({"t": "review", "game": FAKED, "done": done, "of": 7, "moves": moves} | changes)


def faked(open_page: OpenPage, shelf: ServerProcess, reply: Reply, path: str = "") -> Watched:
    """A page whose requests for reviews are answered by `reply`; all else is the server's."""
    watched = open_page("/healthz", at=shelf)

    def route(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(frame: str | bytes) -> None:
            message = json.loads(frame)
            if "review" in message["t"]:
                reply(line, message)
            else:
                server.send(frame)

        line.on_message(pass_on)

    watched.page.route_web_socket("**/ws", route)
    # Nothing but the test lets time pass: a lost line would be back before a slow machine has looked.
    watched.page.clock.install(time=0)
    watched.page.clock.pause_at(1_000)
    watched.page.goto(f"{shelf.url}/game/{FAKED}{path}")
    return watched


def test_a_refusal_is_a_sentence(open_page: OpenPage, shelf: ServerProcess) -> None:
    refusals = [
        ("not_now", "This game still runs.", "This game still runs."),
        ("busy", "Too many.", "Too many."),
        ("unavailable", "Not just now.", "Not just now."),
        ("unknown_type", "No such type.", "This server cannot review games: it is older than this page."),
    ]
    left = list(refusals)

    def refuse(line: WebSocketRoute, request: Sent) -> None:
        if left:
            code, message, _ = left.pop(0)
            line.send(json.dumps({"t": "error", "id": request["id"], "code": code, "message": message}))
        else:
            line.send(json.dumps({"t": "ack", "id": request["id"]}))
            line.send(told(7))

    page = faked(open_page, shelf, refuse).page
    page.get_by_role("button", name="Review", exact=True).click()
    for _, _, sentence in refusals:
        expect(state(page)).to_have_text(sentence)
        expect(page.locator(".spoken p").last).to_have_text(sentence)
        expect(page.get_by_role("progressbar")).to_be_hidden()
        expect(page.get_by_role("button", name="Cancel", exact=True)).to_be_hidden()
        page.get_by_role("button", name="Try again").click()
    expect(state(page)).to_have_text("All 7 moves are judged.")


def test_a_review_that_breaks_off_is_told_in_its_place(open_page: OpenPage, shelf: ServerProcess) -> None:
    def break_off(line: WebSocketRoute, request: Sent) -> None:
        line.send(json.dumps({"t": "ack", "id": request["id"]}))
        line.send(told(3))
        line.send(json.dumps({"t": "error", "code": "unavailable", "message": "Workers died.", "game": FAKED}))

    page = faked(open_page, shelf, break_off, "?review").page
    expect(state(page)).to_have_text("Workers died.")
    expect(page.locator(".moves .verdict")).to_have_count(3)
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.locator(".notice")).to_be_empty()


def test_a_lost_line_is_told_and_the_review_goes_on(open_page: OpenPage, shelf: ServerProcess) -> None:
    asked: list[Sent] = []

    def lose_once(line: WebSocketRoute, request: Sent) -> None:
        asked.append(request)
        line.send(json.dumps({"t": "ack", "id": request["id"]}))
        line.send(told(3 if len(asked) == 1 else 7))
        if len(asked) == 1:
            line.close(code=1011)

    watched = faked(open_page, shelf, lose_once, "?review")
    watched.line_may_break = True
    page = watched.page
    expect(state(page)).to_have_text("3 of 7 moves judged. The connection is lost: the review goes on when it is back.")
    # The wait for a new line, and no more: a request that a busy machine answers late must not count as lost.
    page.clock.run_for(1_000)
    expect(state(page)).to_have_text("All 7 moves are judged.")
    assert [request["t"] for request in asked] == ["review", "review"]
    expect(page.locator(".spoken p")).to_have_text(
        [
            "The review begins.",
            "The connection is lost. Reconnecting.",
            "Connected again.",
            re.compile("^The review is done"),
        ]
    )


def test_silence_is_explained_and_then_asked_about(open_page: OpenPage, shelf: ServerProcess) -> None:
    asked: list[Sent] = []

    def say_nothing(line: WebSocketRoute, request: Sent) -> None:
        asked.append(request)
        line.send(json.dumps({"t": "ack", "id": request["id"]}))
        line.send(told(2 if len(asked) == 1 else 7))

    watched = faked(open_page, shelf, say_nothing, "?review")
    watched.line_may_break = True  # its own clock runs ahead
    page = watched.page
    expect(state(page)).to_have_text("2 of 7 moves judged …")
    page.clock.fast_forward(9_000)
    expect(state(page)).to_have_text(
        "2 of 7 moves judged. Some moves take longer, and games that are being played come first."
    )
    page.clock.fast_forward(46_000)
    expect(state(page)).to_have_text("All 7 moves are judged.")
    assert len(asked) == 2


def test_whoever_leaves_waits_no_longer(open_page: OpenPage, shelf: ServerProcess) -> None:
    asked: list[str] = []

    def never_end(line: WebSocketRoute, request: Sent) -> None:
        asked.append(request["t"])
        line.send(json.dumps({"t": "ack", "id": request["id"]}))

    page = faked(open_page, shelf, never_end, "?review").page
    expect(state(page)).to_have_text("0 of 7 moves judged …")
    page.get_by_role("link", name="noughts, to the lobby").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator(".lobby")).to_be_visible()
    page.evaluate("1")  # what was sent before has come
    assert asked == ["review", "cancel_review"]


def test_estimates_look_and_read_otherwise(open_page: OpenPage, shelf: ServerProcess) -> None:
    estimate = {"exact": False, "best": ["b2", "b1"]}
    moves = [
        {"ply": 0, "verdict": "even", "value": 0.1, "could": "even", **estimate},
        {"ply": 1, "verdict": "worse", "value": -0.4, "could": "better", **estimate},
        {"ply": 2, "verdict": "even", "value": -0.1, "could": "won", "could_in": 7, **estimate},
        {"ply": 3, "verdict": "lost", "exact": True, "value": -1.0, "win_in": -9, "at_most": True, "best": ["c1"],
         "could": "lost", "could_in": -9},
    ]  # fmt: skip

    def answer(line: WebSocketRoute, request: Sent) -> None:
        line.send(json.dumps({"t": "ack", "id": request["id"]}))
        line.send(told(4, moves=moves))

    page = faked(open_page, shelf, answer, "?review&ply=2").page
    expect(page.locator(".moves .verdict.estimated")).to_have_text(
        ["even, estimated", "worse, estimated", "even, estimated"]
    )
    expect(page.locator(".move-note")).to_have_text(["O probably a mistake", "X probably missed a win in at most 7"])
    expect(says(page)).to_have_text("Estimated: X is better. b2 looked better.")
    expect(page.locator(".review-meaning")).to_have_text("Estimated by a short search: nothing is proven.")
    values = page.get_by_role("region", name="Value")
    values.get_by_text("Numbers as a table").click()
    expect(values.get_by_role("columnheader")).to_have_text(["Move", "proven", "estimated", "probably a mistake"])
    estimated = ["1–X is better–", "2–X is betterX is better", "3–O is betterO is better", "4X wins––"]
    expect(values.locator("tbody tr")).to_have_text([*estimated, "5–––", "6–––", "7–––"])
    page.keyboard.press("ArrowRight")
    expect(says(page)).to_have_text("Probably missed a win in at most 7. Estimated: even.")
    page.keyboard.press("ArrowRight")
    expect(says(page)).to_have_text("Lost in at most 9, and no move was better.")
    expect(page.locator(".review-meaning")).to_contain_text("fewer may do")
    # What is not judged yet has no value in the chart, and no sentence.
    page.keyboard.press("ArrowRight")
    expect(page.locator(".review-move")).to_be_hidden()
    expect(values.get_by_role("slider")).to_have_attribute("aria-valuetext", "Move 5: ")
