"""What goes on in the lobby: running games as small boards, quick starts, bots, and an empty lobby."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, WebSocketRoute, expect

from tests.page.conftest import BARE, OpenPage, ServerProcess, Watched
from tests.support.axe import Inspector
from tests.support.page_modules import MODULES, with_modules
from tests.support.page_play import PHONE, cell, no_sideways_scroll, room, tab_to

pytestmark = pytest.mark.browser

MOST_REQUESTS = 12
MOST_CONNECTIONS = 6
FIRST = "Level 2 of 4 · casual · to begin with"


@pytest.fixture
def bare(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    """A page that shows nothing, to call a module in."""
    with browser.new_context() as context:
        page = context.new_page()
        with_modules(page)
        page.goto(server.url + MODULES)
        yield page


def test_a_card_is_over_until_another_game_is_told(bare: Page) -> None:
    over_and_again = """async () => {
      const { GameCard } = await import('/modules/lobby/gameCard.js');
      const card = new GameCard('/', '', '');
      const over = [() => card.end(), () => card.tell({ x: { name: 'Ann' }, o: { name: 'Bob' } }, [], 'x')];
      return over.map((happens) => (happens(), card.node.classList.contains('over')));
    }"""
    assert bare.evaluate(over_and_again) == [True, False]


# The page


def corner(card: Locator) -> tuple[float, float]:
    box = card.bounding_box()
    assert box is not None
    return round(box["x"]), round(box["y"])


def play_a_person(open_page: OpenPage, at: ServerProcess, game: str) -> tuple[Page, Page]:
    """X and O of a game that began by two quick starts."""
    host, guest = (open_page(at=at).page for _ in range(2))
    for page in (host, guest):
        page.get_by_role("radiogroup", name="Game").get_by_text(game, exact=True).click()
    host.get_by_role("button", name="Play a person").click()
    expect(host.get_by_text("Waiting for somebody to sit down.")).to_be_visible()
    guest.get_by_role("button", name=re.compile(r"Play a person .+ is waiting: no clock")).click()
    for page in (host, guest):
        expect(room(page, plies=0)).to_be_visible()
    expect(host.get_by_text("Waiting for somebody to sit down.")).to_be_hidden()
    return (host, guest) if room(host, ".my-turn").count() else (guest, host)


def visit(watched: Watched, last: str) -> tuple[list[str], int]:
    """What a new tab asks the server for, until the last part of the lobby is there, and on how many connections.

    Its websocket counts in both.
    """
    tab = watched.context.new_page()
    asked: dict[str, str] = {}
    connections: set[int] = set()

    def answered(event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            asked.pop(event["requestId"], None)
        else:
            connections.add(event["response"]["connectionId"])

    session = watched.context.new_cdp_session(tab)
    session.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]}))
    session.on("Network.webSocketCreated", lambda event: asked.update({event["requestId"]: event["url"]}))
    session.on("Network.requestServedFromCache", lambda event: asked.pop(event["requestId"]))
    session.on("Network.responseReceived", answered)
    session.send("Network.enable")
    tab.goto(watched.origin)
    expect(tab.get_by_role("button", name="Play a bot now")).to_be_visible()
    expect(tab.locator(".running").locator(last)).to_be_visible()
    tab.wait_for_load_state("networkidle")
    tab.close()
    paths = sorted(url.partition(watched.origin.partition("//")[2])[2] for url in asked.values())
    return paths, len(connections) + paths.count("/ws")


def test_a_first_visit_asks_little_and_the_next_one_for_what_is_new(
    open_page: OpenPage, own_server: ServerProcess
) -> None:
    watched = open_page(BARE, at=own_server)
    nobody = "text=Nobody is playing just now"
    asked, connections = visit(watched, nobody)
    assert len(asked) <= MOST_REQUESTS
    assert connections <= MOST_CONNECTIONS
    # Where nobody plays the lobby shows a recorded game, of which there may be a new one.
    lists = ["/api/games?limit=20", "/api/games?limit=20&game=tictactoe"]
    assert visit(watched, nobody)[0] == ["/", *lists, "/ws"]
    play_a_person(open_page, own_server, "Qubic")
    assert visit(watched, ".game-card") == (["/", "/ws"], 2)


def test_small_boards_follow_the_games_of_others_and_stay_in_their_places(
    open_page: OpenPage, own_server: ServerProcess
) -> None:
    watched = open_page("/healthz", at=own_server)
    watcher = watched.page
    watcher.route("**/static/lobby-featured-*.js", lambda route: route.abort())
    watcher.goto(own_server.url)
    expect(watcher.locator(".running").get_by_text("This page could not be loaded")).to_be_visible()
    watcher.unroute("**/static/lobby-featured-*.js")
    watcher.get_by_role("button", name="Try again").click()
    expect(watcher.get_by_text("Nobody is playing just now")).to_be_visible()
    assert all("ERR_FAILED" in complaint for complaint in watched.complaints)
    watched.complaints.clear()
    x, o = play_a_person(open_page, own_server, "Ultimate")
    names = [page.locator(".you .name").inner_text() for page in (x, o)]
    boards = watcher.locator(".game-card")
    expect(boards).to_have_count(1)
    card = watcher.get_by_role("link", name=re.compile(rf"^Watch X {names[0]} O {names[1]} Ultimate · \d moves?$"))
    expect(card).to_be_visible()
    drawing = card.locator(".small-board")
    expect(drawing).to_have_attribute("data-marks", "0")
    expect(drawing).to_have_attribute("aria-hidden", "true")
    cell(x, "board 5 square 3, empty").click()
    expect(drawing).to_have_attribute("data-marks", "1")
    expect(drawing.locator(".s-forced")).to_have_count(1)
    # Under a pointer nothing moves, but the board goes on.
    card.hover()
    place = corner(card)
    other = open_page(at=own_server).page
    other.get_by_role("button", name="Play a bot now").click()
    expect(room(other, plies=0)).to_be_visible()
    cell(o, "board 3 square 1, empty").click()
    expect(drawing).to_have_attribute("data-marks", "2")
    assert corner(card) == place
    expect(boards).to_have_count(1)
    watcher.mouse.move(0, 0)
    expect(boards).to_have_count(2)
    assert corner(card) == place, "who comes stands behind"
    # One's own game is not among those to watch.
    x.get_by_role("link", name="noughts, to the lobby").click()
    expect(x.get_by_role("heading", name="Your games")).to_be_visible()
    expect(x.locator(".game-card")).to_have_count(1)
    watcher.locator(".bots summary").click()
    inspector = Inspector()
    inspector.look(watcher, "lobby with running games and all bots")
    inspector.verdict()
    tab_to(watcher, card)
    watcher.keyboard.press("Enter")
    expect(room(watcher, plies=2)).to_be_visible()
    expect(watcher.locator(".status")).to_contain_text("is to move")


def test_quick_starts_remember_how_one_plays(open_page: OpenPage, own_server: ServerProcess) -> None:
    page = open_page(at=own_server, **PHONE).page
    bot_now = page.get_by_role("button", name="Play a bot now")
    expect(bot_now).to_contain_text(FIRST)
    expect(page.locator(".settings-line")).to_have_text("no clock · unrated · you are X · change")
    expect(page.get_by_role("link", name="Learn Tic-tac-toe in a minute")).to_have_attribute("href", "/learn/tictactoe")
    page.get_by_role("link", name="change").click()
    page.get_by_text("O, second").click()
    page.get_by_text("For the whole game").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, ".my-turn", plies=1)).to_be_visible()
    page.get_by_role("button", name="Abort").click()
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(page.locator(".settings-line")).to_have_text("5 min + 3 s · unrated · you are O · change")
    expect(bot_now).to_contain_text(FIRST)  # an aborted game says nothing
    bot_now.evaluate("button => (button.click(), button.click())")
    expect(room(page, ".my-turn", plies=1)).to_be_visible()
    expect(page.locator(".bar").first).to_contain_text("level:2")
    expect(page.locator(".bar-clock").last).to_have_text(re.compile(r"^(5:0\d|4:5\d)$"))
    page.locator(".cell.playable").first.click()
    expect(room(page, ".my-turn", plies=3)).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(room(page, ".over")).to_be_visible()
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(bot_now).to_contain_text("Level 1 of 4 · a beginner · one down after your loss")
    expect(page.get_by_role("heading", name="Your games")).to_be_hidden()  # the second click made none
    # Nobody plays, so the game that was played is shown.
    finished = page.get_by_role("link", name=re.compile(r"^Look through X level:2 O .+ Tic-tac-toe · 3 moves$"))
    expect(finished.locator(".small-board")).to_have_attribute("data-marks", "3")
    assert no_sideways_scroll(page)
    page.get_by_role("button", name="Let two bots play").click()
    expect(page.locator(".bar").last).to_contain_text("level:4")
    page.go_back()
    # A game of two bots lasts two seconds: it runs still, or is the longest to look through.
    expect(page.get_by_role("link", name=re.compile("^(Watch|Look through) X level:4 O level:3"))).to_be_visible()
    page.get_by_role("button", name="Play level 4 of 4").click()
    expect(room(page)).to_be_visible()
    expect(page.locator(".bar").first).to_contain_text("level:4")


def test_bots_are_shown_with_what_is_known_of_them(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page

    def rated(route: Route) -> None:
        told = route.fetch().json()
        for each in told:
            if each["family"] == "level":
                each["ratings"] = {"level:2": {"value": 1480, "deviation": 60}}
            if each["family"] == "strongest":
                each["ratings"] = {"strongest": {"value": 2012, "deviation": 150, "provisional": True}}
        route.fulfill(body=json.dumps(told), content_type="application/json")

    held: list[tuple[WebSocketRoute, str | bytes]] = []
    given_up: list[WebSocketRoute] = []
    bots_are_shown = False

    def slow_line(socket: WebSocketRoute) -> None:
        socket.on_close(lambda code, reason: given_up.append(socket))
        server = socket.connect_to_server()
        server.on_message(lambda frame: socket.send(frame) if bots_are_shown else held.append((socket, frame)))

    def settled(route: Route) -> None:
        ratings = [{"game": "qubic", "rating": 1499.6, "deviation": 60.0}]
        route.fulfill(body=json.dumps({"ratings": ratings}), content_type="application/json")

    page.route("**/api/bots?*", rated)
    page.route("**/api/players/*", settled)
    page.route_web_socket("**/ws", slow_line)
    page.goto(watched.origin + "/")
    page.get_by_role("radiogroup", name="Game").get_by_text("Qubic", exact=True).click()
    panel = page.locator(".bots")
    expect(panel.get_by_role("heading", name="Bots for Qubic")).to_be_visible()
    # Who one is, and so one's rating, is known later.
    expect(page.locator(".you .name")).to_have_text("You")
    assert not given_up, "the lists do not wait for so long"
    bots_are_shown = True
    for socket, frame in held:
        socket.send(frame)
    rows = panel.locator("> ul > li strong")
    expect(rows).to_have_text(["Strongest", "Perfect", "Levels 1 to 8"])
    expect(panel.get_by_role("listitem").filter(has_text="Strongest")).to_contain_text("2012?")
    expect(panel.get_by_role("button", name="Play level 2 of 8 · easy, rated 1480")).to_be_visible()
    expect(page.get_by_role("button", name="Play a bot now")).to_contain_text(
        "level:2, rated 1480: nearest to your 1500"
    )
    random = panel.get_by_role("button", name="Play Random")
    expect(random).to_be_hidden()
    tab_to(page, panel.locator("summary"))
    page.keyboard.press("Enter")
    expect(panel.get_by_role("listitem").filter(has_text="Alpha-beta").first).to_contain_text("About level 5")
    random.click()
    expect(page.locator(".bar").first).to_contain_text("random")
