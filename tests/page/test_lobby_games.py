"""What goes on in the lobby: running games as small boards, quick starts, bots, and an empty lobby."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from tests.page.conftest import BARE, OpenPage, ServerProcess, Watched
from tests.support.page.axe import Inspector
from tests.support.page.play import PHONE, advanced, cell, no_sideways_scroll, room, start_on_one_screen, tab_to

pytestmark = pytest.mark.browser

MOST_REQUESTS = 12
MOST_CONNECTIONS = 6
MOST_BYTES = 200_000
FIRST = "Level 2 of 4 · casual · to begin with"


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
    expect(host.get_by_text("Waiting for an opponent.")).to_be_visible()
    guest.get_by_role("button", name=re.compile(r"Play a person .+ is waiting: no clock")).click()
    for page in (host, guest):
        expect(room(page, plies=0)).to_be_visible()
    expect(host.get_by_text("Waiting for an opponent.")).to_be_hidden()
    return (host, guest) if room(host, ".my-turn").count() else (guest, host)


def test_two_who_want_to_play_a_person_at_the_same_time_play_each_other(
    open_page: OpenPage, own_server: ServerProcess
) -> None:
    both = [open_page(at=own_server).page for _ in range(2)]
    buttons = [page.get_by_role("button", name="Play a person") for page in both]
    for button in buttons:
        expect(button).to_be_visible()
    for button in buttons:
        button.evaluate("(button) => button.click()")  # sooner than the lobby tells of the first
    for page in both:
        expect(page.locator(".status")).to_have_text(re.compile(r"^Your turn\.|is to move\."))
    assert both[0].url == both[1].url


def visit(watched: Watched, last: str) -> tuple[list[str], int]:
    """What a new tab asks the server for, until the last part of the lobby is there, and on how many connections.

    Its websocket counts in both.
    """
    tab = watched.context.new_page()
    asked: dict[str, str] = {}
    connections: set[int] = set()
    sizes: list[int] = []

    def from_cache(event: dict[str, Any]) -> None:
        del asked[event["requestId"]]

    def answered(event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            asked.pop(event["requestId"], None)
        else:
            connections.add(event["response"]["connectionId"])

    session = watched.context.new_cdp_session(tab)
    session.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]}))
    session.on("Network.webSocketCreated", lambda event: asked.update({event["requestId"]: event["url"]}))
    session.on("Network.requestServedFromCache", from_cache)
    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    tab.goto(watched.origin)
    expect(tab.get_by_role("button", name="Play a bot now")).to_be_visible()
    expect(tab.locator(".running").locator(last)).to_be_visible()
    tab.wait_for_load_state("networkidle")
    tab.close()
    assert 0 < sum(sizes) < MOST_BYTES
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
    assert visit(watched, nobody)[0] == ["/", "/api/games?limit=20", "/ws"]
    play_a_person(open_page, own_server, "Qubic")
    assert visit(watched, ".game-card") == (["/", "/ws"], 2)


def test_small_boards_follow_the_games_of_others_and_stay_in_their_places(
    open_page: OpenPage, own_server: ServerProcess
) -> None:
    watched = open_page("/healthz", at=own_server)
    watcher = watched.page
    watcher.route("**/static/lobby-lists-*.js", lambda route: route.abort())
    watcher.goto(own_server.url)
    expect(watcher.locator(".lobby").get_by_text("This page could not be loaded")).to_be_visible()
    watcher.unroute("**/static/lobby-lists-*.js")
    watcher.get_by_role("button", name="Try again").click()
    expect(watcher.get_by_text("Nobody is playing just now")).to_be_visible()
    assert all("ERR_FAILED" in complaint for complaint in watched.complaints)
    watched.complaints.clear()
    x, o = play_a_person(open_page, own_server, "Ultimate")
    names = [page.locator(".you .name").inner_text() for page in (x, o)]
    boards = watcher.locator(".running .game-card")
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
    expect(x.locator(".running .game-card")).to_have_count(1)
    own = x.locator(".mine-panel .game-card")
    expect(own).to_have_text(re.compile(rf"^Resume vs {names[1]} Your turn Ultimate$"))
    expect(own.locator(".small-board")).to_have_attribute("data-marks", "2")
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
    expect(bot_now).to_contain_text("you play X")
    for way in ("Play a person", "Play a friend"):
        expect(page.get_by_role("button", name=way)).to_contain_text("random side")
    presets = page.get_by_role("radiogroup", name="Clock").get_by_role("radio")
    expect(page.get_by_role("radio", name="No clock")).to_be_checked()
    expect(page.locator(".settings-line")).to_contain_text("unrated")
    expect(page.get_by_role("link", name="Learn Tic-tac-toe in a minute")).to_have_attribute("href", "/learn/tictactoe")
    page.get_by_role("link", name="Advanced").click()
    expect(page.locator(".level b")).to_have_text("2 of 4 · casual")  # whom one would have played
    page.get_by_text("O, second").click()
    page.get_by_text("5+3").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, ".my-turn", plies=1)).to_be_visible()
    page.get_by_role("button", name="Abort").click()
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(page.get_by_role("radio", name="5+3")).to_be_checked()
    expect(presets).to_have_count(5)
    for way in ("Play a bot", "Play a person", "Play a friend"):
        expect(page.get_by_role("button", name=way)).to_contain_text("you play O")
    expect(bot_now).to_contain_text(FIRST)  # an aborted game says nothing
    bot_now.evaluate("button => (button.click(), button.click())")
    expect(room(page, ".my-turn", plies=1)).to_be_visible()
    expect(page.locator(".bar").first).to_contain_text("Level 2")
    expect(page.locator(".bar-clock").last).to_have_text(re.compile(r"^(5:0\d|4:5\d)$"))
    page.locator(".cell.playable").first.click()
    expect(room(page, ".my-turn", plies=3)).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(room(page, ".over")).to_be_visible()
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(bot_now).to_contain_text("Level 1 of 4 · a beginner · after a loss")
    expect(page.get_by_role("heading", name="Your games")).to_be_hidden()  # the second click made none
    # Nobody plays, so the game that was played is shown.
    finished = page.get_by_role("link", name=re.compile(r"^Replay X Level 2 bot O .+ Tic-tac-toe · 3 moves$"))
    expect(finished.locator(".small-board")).to_have_attribute("data-marks", "3")
    assert no_sideways_scroll(page)
    page.get_by_role("button", name="Let two bots play").click()
    expect(page.locator(".bar").last).to_contain_text("Level 4")
    page.go_back()
    # A game of two bots lasts two seconds: it runs still, or is the longest to look through.
    expect(page.get_by_role("link", name=re.compile("^(Watch|Replay) X Level 4 bot O Level 3 bot"))).to_be_visible()
    page.get_by_role("button", name="Play level 4 of 4").click()
    expect(room(page)).to_be_visible()
    expect(page.locator(".bar").first).to_contain_text("Level 4")


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
        "Level 2, rated 1480: nearest to your 1500"
    )
    random = panel.get_by_role("button", name="Play Random")
    expect(random).to_be_hidden()
    tab_to(page, panel.locator("summary"))
    page.keyboard.press("Enter")
    expect(panel.get_by_role("listitem").filter(has_text="Alpha-beta").first).to_contain_text("About level 5")
    random.click()
    expect(page.locator(".bar").first).to_contain_text("Random")


def test_the_header_counts_games_that_wait_for_a_move(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    start_on_one_screen(page, "tictactoe")
    page.goto(page.url.split("/room")[0] + "/ladder")
    header = page.get_by_role("navigation", name="Your running games")
    expect(header.get_by_role("link", name="Tic-tac-toe: your turn")).to_be_visible()
    header.get_by_role("link").click()
    expect(page.locator(".board")).to_be_visible()
    page.goto(page.url.split("/room")[0] + "/#create")
    start_on_one_screen(page, "qubic")
    page.goto(page.url.split("/room")[0] + "/ladder")
    expect(header.get_by_role("link", name="2 games wait for you")).to_be_visible()
    header.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()


def test_the_form_is_loaded_when_it_is_needed(open_page: OpenPage) -> None:
    watched = open_page()
    page = watched.page
    expect(page.locator(".lists:not(.coming)")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert not [request.url for request in watched.requests if "lobby-create" in request.url]
    page.get_by_role("link", name="Advanced").click()
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    assert [request.url for request in watched.requests if "lobby-create" in request.url]


def test_whoever_is_on_a_phone_begins_without_scrolling(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True).page
    page.get_by_role("button", name="Play a bot now").tap()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    page.get_by_role("link", name="noughts, to the lobby").tap()
    expect(page.locator(".mine-panel .small-board")).to_be_visible()
    bar = page.locator(".places").bounding_box()
    assert bar is not None
    for name in ("Play a bot now", "Play a person", "Play a friend"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= bar["y"], f"{name} is below the fold, with a game of one's own above it"
    strip = page.locator(".cards")
    assert strip.evaluate("strip => strip.scrollWidth > strip.clientWidth && strip.clientHeight < 140")
    assert no_sideways_scroll(page)
    # The rules are told to whoever asks.
    sentence = page.get_by_text("The first to have three of their own marks side by side")
    expect(sentence).to_be_hidden()
    page.get_by_role("button", name="Rules of Tic-tac-toe").tap()
    expect(sentence).to_be_visible()


def test_ones_own_games_come_first_as_live_boards(open_page: OpenPage, own_server: ServerProcess) -> None:
    ann, bob = (open_page(at=own_server).page for _ in range(2))
    ann.get_by_role("radio", name="5+3").check(force=True)
    ann.get_by_role("button", name="Play a person").click()
    expect(ann.get_by_text("Waiting for an opponent.")).to_be_visible()
    ann.get_by_role("link", name="noughts, to the lobby").click()
    card = ann.locator(".mine-panel .game-card")
    expect(card).to_have_text(re.compile("^Open No opponent yet Waiting Tic-tac-toe · 5:00$"))
    # Nobody else plays, and that is what is said.
    expect(ann.get_by_text("Nobody is playing just now.")).to_be_visible()
    bob.get_by_role("button", name=re.compile("Play a person .+ is waiting: 5 min")).click()
    for page in (ann, bob):
        expect(room(page, plies=0)).to_be_visible()
    x, o = (ann, bob) if room(ann, ".my-turn").count() else (bob, ann)
    name = o.locator(".you .name").inner_text()
    cell(x, "b2, empty").click()
    expect(room(x, plies=1)).to_be_visible()
    x.get_by_role("link", name="noughts, to the lobby").click()
    own = x.locator(".mine-panel .game-card")
    expect(own).to_have_text(re.compile(rf"^Resume vs {name} Their turn Tic-tac-toe · [45]:\d\d$"))
    expect(x.get_by_text("Nobody else is playing just now.")).to_be_visible()
    cell(o, "a1, empty").click()
    expect(own).to_contain_text("Your turn")
    expect(own.locator(".small-board")).to_have_attribute("data-marks", "2")
    top = own.bounding_box()
    start = x.get_by_role("button", name="Play a bot now").bounding_box()
    assert top is not None
    assert start is not None
    assert top["y"] < start["y"]
    x.reload()
    expect(own.locator(".small-board")).to_have_attribute("data-marks", "2")
    own.get_by_role("link").click()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()


def test_games_beyond_those_with_boards_are_games_too(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    player = {"id": "7", "name": "Ann", "kind": "person"}
    listed: dict[str, Any] = {"room": "r1", "game": "qubic", "x": player, "o": {**player, "id": "8", "name": "level:2"}}
    listed |= {"plies": 3, "spectators": 0}
    bot = {**listed, "room": "r2", "o": {"id": "9", "name": "level:2", "kind": "bot"}}

    def lobby(socket: WebSocketRoute) -> None:
        def pass_on(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["t"] == "lobby":
                message["rooms"] = [listed, bot]
            socket.send(json.dumps(message))

        socket.connect_to_server().on_message(pass_on)

    watched.page.route_web_socket("**/ws", lobby)
    watched.page.goto(watched.origin + "/")
    rows = watched.page.locator(".running .rest li")
    expect(rows).to_have_count(2)
    expect(watched.page.get_by_text("Nobody is playing")).to_be_hidden()
    # Whoever calls themselves like a bot is not taken for one.
    expect(rows.first).to_contain_text("Ann – level:2 · 3 moves")
    expect(rows.last).to_contain_text("Ann – Level 2 · 3 moves")


def test_a_refusal_is_told_at_its_field_in_the_unit_of_the_field(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    refused: dict[str, Any] = {"t": "error", "code": "bad_clock", "message": "initial_ms is 300000; it must be more."}
    refused["field"] = {"name": "clock.initial_ms", "least": 600_000, "most": 10_800_000}

    def strict(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def asked(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["t"] == "create":
                socket.send(json.dumps({**refused, "id": message["id"]}))
            else:
                server.send(frame)

        socket.on_message(asked)

    page.route_web_socket("**/ws", strict)
    page.goto(watched.origin + "/#create")
    advanced(page)
    page.get_by_text("For the whole game").click()
    page.get_by_role("button", name="Play", exact=True).click()
    minutes = page.get_by_label("Minutes each")
    expect(minutes).to_be_focused()
    expect(minutes).to_have_accessible_description("Enter a number from 10 to 180.")
    expect(page.locator(".notice")).to_be_empty()
    minutes.fill("12")
    expect(page.get_by_text("Enter a number from 10 to 180.")).to_be_hidden()


def test_nonsense_in_a_field_is_told_beside_it_and_sends_nothing(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    advanced(page)
    page.get_by_text("For the whole game").click()
    page.get_by_label("Minutes each").fill("")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_label("Minutes each")).to_have_accessible_description("Enter a number from 0.1 to 180.")
    expect(page.get_by_label("Minutes each")).to_be_focused()
    page.get_by_label("Minutes each").fill("2")
    page.get_by_label("Bot thinking limit").select_option("depth")
    page.get_by_label("At most").fill("2.5")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_label("At most")).to_have_accessible_description("Enter a whole number from 1 to 1,000.")


def test_choices_that_make_no_sense_are_not_used(open_page: OpenPage) -> None:
    choices = {"clock": "<b>", "minutes": [], "who": 7, "seat": "up", "bot": 9}
    page = open_page(remembers={"noughts.choices": choices, "noughts.mine": {}}).page
    expect(page.get_by_role("button", name="Play a bot now")).to_contain_text(FIRST)
    page.get_by_role("link", name="Advanced").click()
    expect(page.locator(".level b")).to_have_text("2 of 4 · casual")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, plies=0).or_(room(page, plies=1))).to_be_visible()
