"""The page around the games: the lobby, every way to sit, names and marks, links that lead nowhere, sizes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.page.conftest import BARE, OpenPage, until
from tests.support.page.play import PHONE, advanced, cell, choose_game, no_sideways_scroll, room, start_on_one_screen
from tests.support.page.sources import WEB, page_sources

pytestmark = pytest.mark.browser


def test_the_page_fits_a_phone(open_page: OpenPage) -> None:
    page = open_page(**PHONE).page
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    assert no_sideways_scroll(page)
    page.get_by_role("link", name="Advanced").tap()
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    for way in ("A bot", "A friend, by link", "Two bots", "Somebody who is here"):
        page.get_by_text(way, exact=True).tap()
        assert no_sideways_scroll(page)


def test_an_open_game_is_found_in_the_lobby(open_page: OpenPage) -> None:
    host = open_page().page
    host.get_by_role("radiogroup", name="Game").get_by_text("Qubic", exact=True).click()
    host.get_by_role("button", name="Play a person").click()
    expect(host.get_by_text("Waiting for an opponent.")).to_be_visible()
    name = host.locator(".you").inner_text().strip()
    host.get_by_role("link", name="noughts, to the lobby").click()
    guest = open_page().page
    guest.get_by_role("listitem").filter(has_text=name).get_by_role("button", name="Play").click()
    expect(room(guest, plies=0)).to_be_visible()
    # Whoever waits in the lobby is taken to the game when it starts.
    expect(room(host, plies=0)).to_be_visible()
    expect(host.get_by_role("heading", name="Qubic")).to_be_visible()


def test_a_challenge_reaches_its_player_only(open_page: OpenPage) -> None:
    target, host, third = (open_page().page for _ in range(3))
    expect(target.locator(".you .name")).to_have_text(re.compile(r"\d"))  # the guest's, when the server has greeted
    name = target.locator(".you .name").inner_text()
    row = host.locator("section", has_text="Who is here").get_by_role("listitem").filter(has_text=name)
    row.get_by_role("link", name="Challenge").click()
    expect(host.get_by_role("combobox", name="Who")).to_have_value(re.compile("."))
    choose_game(host, "ultimate")
    advanced(host)
    host.get_by_text("For each move").click()
    host.get_by_text("O, second").click()
    host.get_by_role("button", name="Challenge").click()
    told = host.locator(".invitation")
    expect(told).to_contain_text(f"Only {name} can take the free seat, and knows of your challenge.")
    expect(told.get_by_role("textbox")).to_have_count(0)  # a link would lead nobody else to the seat
    expect(target.get_by_role("heading", name="You are challenged")).to_be_visible()
    expect(third.get_by_role("heading", name="You are challenged")).to_be_hidden()
    target.get_by_role("link", name="Ladder").click()
    told = target.locator(".toast.challenge")
    expect(told).to_contain_text("challenges you: Ultimate · 30 s a move · you play X.")
    target.get_by_role("button", name="Accept").click()
    expect(room(target, ".my-turn", plies=0)).to_be_visible()
    expect(target.locator(".bar-clock").first).to_have_text(re.compile(r"^0:(29|30)$"))
    expect(host.locator(".status")).to_contain_text("is to move, in any open board.")
    expect(told).to_be_empty()


@pytest.mark.parametrize("by_name", [True, False])
def test_nobody_takes_the_place_of_one_who_goes_before_the_challenge(open_page: OpenPage, by_name: bool) -> None:
    target, host, third = (open_page().page for _ in range(3))
    expect(target.locator(".you .name")).to_have_text(re.compile(r"\d"))
    expect(third.locator(".you .name")).to_have_text(re.compile(r"\d"))
    name = target.locator(".you .name").inner_text()
    who = host.get_by_role("combobox", name="Who")
    if by_name:
        row = host.locator("section", has_text="Who is here").get_by_role("listitem").filter(has_text=name)
        row.get_by_role("link", name="Challenge").click()
        expect(who).to_have_value(re.compile("."))
    else:
        host.get_by_role("link", name="Advanced").click()
        host.get_by_text("Somebody who is here", exact=True).click()
        expect(who).to_have_value(re.compile("."))
        name = who.locator("option:checked").inner_text()
    for page in (target, third):
        if page.locator(".you .name").inner_text() == name:
            page.close()
            break
    expect(who).to_have_value("")
    host.get_by_role("button", name="Challenge").click()
    expect(host.get_by_role("alert")).to_have_text("This player is no longer here: choose another.")


@pytest.mark.parametrize("where", ["lobby", "elsewhere"])
def test_a_challenge_can_be_declined(open_page: OpenPage, where: str) -> None:
    target, host = (open_page().page for _ in range(2))
    expect(target.locator(".you .name")).to_have_text(re.compile(r"\d"))
    name = target.locator(".you .name").inner_text()
    if where == "elsewhere":
        target.get_by_role("link", name="Ladder").click()
    row = host.locator("section", has_text="Who is here").get_by_role("listitem").filter(has_text=name)
    row.get_by_role("link", name="Challenge").click()
    host.get_by_role("button", name="Challenge").click()
    target.get_by_role("button", name="Decline").click()
    expect(host.locator(".status")).to_have_text("The challenge was declined.")
    expect(target.get_by_role("button", name="Decline")).to_have_count(0)


def test_a_challenge_that_is_put_off_waits_in_the_lobby(open_page: OpenPage) -> None:
    target, host = (open_page().page for _ in range(2))
    expect(target.locator(".you .name")).to_have_text(re.compile(r"\d"))
    name = target.locator(".you .name").inner_text()
    target.get_by_role("link", name="Ladder").click()
    row = host.locator("section", has_text="Who is here").get_by_role("listitem").filter(has_text=name)
    row.get_by_role("link", name="Challenge").click()
    host.get_by_role("button", name="Challenge").click()
    target.get_by_role("button", name="Later").click()
    expect(target.locator(".toast.challenge")).to_be_empty()
    target.get_by_role("link", name="noughts, to the lobby").click()
    expect(target.get_by_role("heading", name="You are challenged")).to_be_visible()


def test_two_bots_are_watched_by_anybody(open_page: OpenPage) -> None:
    host = open_page("/#create=bots").page
    choose_game(host, "tictactoe")
    host.get_by_role("combobox", name="X is").select_option("random")
    host.get_by_role("combobox", name="O is").select_option("random")
    host.get_by_role("button", name="Watch").click()
    expect(room(host, ".over")).to_be_visible()
    expect(host.locator(".status")).to_have_text(re.compile(r"\.$"))
    guest = open_page(host.url[host.url.index("/room/") :]).page
    expect(room(guest, ".over")).to_be_visible()
    host.get_by_role("button", name="Play again").click()
    expect(guest.locator('.room[data-game="2"]')).to_be_visible()


def test_who_let_two_bots_play_can_stop_them(open_page: OpenPage) -> None:
    host = open_page("/#create=bots").page
    choose_game(host, "gomoku")
    host.get_by_role("combobox", name="X is").select_option("random")
    host.get_by_role("combobox", name="O is").select_option("random")
    advanced(host)
    host.get_by_label("Human-like pace").check()  # at once, they would have played to the end by then
    host.get_by_role("button", name="Watch").click()
    expect(room(host, ':not([data-plies="0"], [data-plies="1"])')).to_be_visible()
    guest = open_page(host.url[host.url.index("/room/") :]).page
    expect(room(guest)).to_be_visible()
    expect(guest.get_by_role("button", name="Stop the game")).to_have_count(0)
    host.get_by_role("button", name="Stop the game").click()
    for page in (host, guest):
        expect(page.locator(".status")).to_have_text("The game was aborted: it does not count.")


def test_any_size_and_what_is_impossible(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    choose_game(page, "mnk:2,3,3")
    expect(page.get_by_text("3 to 20 columns and rows")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="3 to 20 columns and rows")).to_be_visible()
    start_on_one_screen(page, "mnk:6,5,4")
    expect(page.get_by_role("heading", name="6 x 5, four in a row")).to_be_visible()
    expect(page.get_by_role("gridcell")).to_have_count(30)
    cells = page.locator(".cell")
    expect(cells.first).to_have_attribute("data-cell", "a5")  # rank 1 is at the bottom
    expect(cells.last).to_have_attribute("data-cell", "f1")


def test_a_board_where_a_longer_line_does_not_win(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    choose_game(page, "mnk:6,5,4,exact")
    expect(page.get_by_role("heading", name="6 x 5, exactly four in a row")).to_be_visible()
    choose_game(page, "mnk:6,5,4")
    expect(page.get_by_role("heading", name="6 x 5, four in a row")).to_be_visible()
    start_on_one_screen(page, "mnk:6,5,4,exact")
    expect(page.get_by_role("heading", name="6 x 5, exactly four in a row")).to_be_visible()


def test_a_deeper_bot_with_a_clock_from_the_other_seat(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    page.get_by_role("combobox", name="The bot").select_option("alphabeta")
    page.get_by_role("spinbutton", name="How many plies it looks ahead").fill("3")
    page.get_by_text("O, second").click()
    advanced(page)
    page.get_by_text("For the whole game").click()
    page.get_by_label("Minutes each").fill("2")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, ".my-turn", plies=1)).to_be_visible()
    expect(page.locator(".bar").first).to_contain_text("Alpha-beta (3)")
    expect(page.locator(".bar-clock").last).to_have_text(re.compile(r"^(2:0\d|1:5\d)$"))
    page.get_by_role("button", name="Abort").click()
    expect(page.locator(".status")).to_have_text("The game was aborted: it does not count.")


def test_a_name_and_marks_of_ones_own(open_page: OpenPage) -> None:
    page = open_page().page
    page.locator(".you").click()
    page.get_by_label("Your name").fill("  Ωmega <b>שלום</b> ")
    page.get_by_label("For X").fill("🦊")
    page.get_by_label("For O").fill("🦊")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The two marks must differ.")).to_be_visible()
    page.get_by_label("For O").fill("Qu")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".you")).to_have_text("Ωmega <b>שלום</b>")
    page.get_by_role("link", name="Advanced").click()
    start_on_one_screen(page, "tictactoe")
    cell(page, "a1, empty").click()
    expect(cell(page, "a1, 🦊")).to_have_text("🦊")
    expect(page.locator('[data-cell="a1"] .mark')).to_have_count(0)  # not drawn as X and O are
    expect(page.locator(".status")).to_have_text("Qu to move.")
    page.reload()
    expect(cell(page, "a1, 🦊")).to_be_visible()
    expect(page.locator(".bar").last).to_contain_text("Ωmega <b>שלום</b>")


def test_a_name_that_is_refused_stays_to_be_mended(open_page: OpenPage) -> None:
    page = open_page().page
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    page.locator(".you").click()
    field = page.get_by_role("textbox", name="Your name")
    field.fill("Ann\u202e")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog").get_by_text("A name may contain only printable characters.")).to_be_visible()
    expect(field).to_have_accessible_description("A name may contain only printable characters.")
    expect(field).to_have_value("Ann\u202e")
    expect(field).to_be_focused()
    expect(page.locator(".notice")).to_be_empty()
    field.fill("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(".you .name")).to_have_text("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")


def test_the_lobby_begins_with_the_game_made_last(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    choose_game(page, "super")
    page.get_by_text("A friend, by link").click()
    page.get_by_role("button", name="Make the link").click()
    expect(page.locator(".room")).to_be_visible()
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(page.get_by_role("radiogroup", name="Game").get_by_role("radio", checked=True)).to_have_value("super")
    # A game that has no card there is remembered by the form all the same.
    page.get_by_role("link", name="Advanced").click()
    start_on_one_screen(page, "mnk:6,5,4")
    page.get_by_role("link", name="noughts, to the lobby").click()
    expect(page.get_by_role("radiogroup", name="Game").get_by_role("radio", checked=True)).to_have_value("tictactoe")
    page.get_by_role("link", name="Advanced").click()
    expect(page.get_by_label("Variant")).to_have_value("mnk")
    expect(page.get_by_label("Columns")).to_have_value("6")


def test_storage_denied(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    watched.context.add_init_script(
        "const deny = () => { throw new DOMException('denied', 'SecurityError') };"
        "Object.defineProperty(window, 'localStorage', { get: deny });"
        "window.BroadcastChannel = class { constructor() { deny() } };"
        "Object.defineProperty(navigator, 'locks', { value: { request: async () => deny() } });"
    )
    page = watched.page
    page.goto(watched.origin + "/")
    page.get_by_role("button", name="Play a bot now").click()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    expect(page.locator(".room .warning")).to_have_text(
        "This browser blocks storage for this site: do not reload or you lose your seat."
    )
    cell(page, "b2, empty").click()
    expect(room(page, plies=2)).to_be_visible()


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/room/nowhere", "Game not found"),
        ("/join/not-a-code", "Invitation no longer valid"),
        ("/room/%E0%A4%A", "Game not found"),
    ],
)
def test_a_link_to_nothing_says_so_and_leads_back(path: str, sentence: str, open_page: OpenPage) -> None:
    page = open_page(path).page
    expect(page.get_by_text(sentence)).to_be_visible()
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()


def test_an_address_where_nothing_is_says_so_and_leads_back(open_page: OpenPage) -> None:
    watched = open_page("/nowhere/at/all", locale="de-DE")
    page = watched.page
    expect(page.get_by_role("heading", name="Nicht gefunden")).to_be_visible()
    page.get_by_role("link", name="Zur Lobby", exact=True).click()
    expect(page.get_by_role("radiogroup", name="Spiel")).to_be_visible()
    (complaint,) = watched.complaints
    assert "404" in complaint, "the address is unknown to the server too"
    watched.complaints.clear()


def test_back_and_forward(open_page: OpenPage) -> None:
    page = open_page().page
    page.get_by_role("button", name="Play a bot now").click()
    expect(room(page, plies=0)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    page.go_forward()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    expect(page.locator(".room .warning")).to_have_count(0)


def test_forward_and_a_reload_lead_to_where_one_was(open_page: OpenPage) -> None:
    page = open_page("/stats", viewport={"width": 360, "height": 400}).page
    page.get_by_role("link", name="Learn", exact=True).click()
    expect(page.get_by_role("heading", name="Learn to play", level=1)).to_be_visible()
    page.evaluate("new Promise((done) => { addEventListener('scrollend', done, { once: true }); scrollTo(0, 60); })")
    page.go_back()
    expect(page.get_by_role("heading", name="Stats", level=1)).to_be_visible()
    page.go_forward()
    until(page, "() => scrollY === 60")
    page.reload()
    until(page, "() => scrollY === 60")


def test_back_leaves_no_dialog_over_another_view(open_page: OpenPage) -> None:
    page = open_page().page
    page.get_by_role("link", name="Learn", exact=True).click()
    expect(page.get_by_role("heading", name="Learn to play")).to_be_visible()
    page.get_by_role("button", name="Settings", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_token_that_nobody_knows_is_replaced(open_page: OpenPage) -> None:
    watched = open_page()
    page = watched.page
    expect(page.get_by_role("button", name=re.compile("^Guest "))).to_be_visible()  # greeted: its own token is kept
    page.evaluate("localStorage.setItem('noughts.token', JSON.stringify('forged'))")
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="you are a new guest now")).to_be_visible()
    page.get_by_role("button", name="Play a bot now").click()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()


SHIFTS = """window.shifts = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) window.shifts += shift.value;
}).observe({ type: 'layout-shift', buffered: true });"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("path", "ready", "most"),
    [("/", ".bots li", 0.05), ("/explorer", ".explorer .cell", 0.1), ("/#create", ".character", 0.1)],
)
def test_nothing_jumps_while_the_page_loads(
    path: str, ready: str, most: float, screen: dict[str, Any], open_page: OpenPage
) -> None:
    """However late the server answers: each answer is held back until what came before it is painted."""
    watched = open_page(BARE, **screen)
    page = watched.page
    page.add_init_script(SHIFTS)
    held: list[Route] = []
    page.route("**/api/**", lambda route: held.append(route))
    page.goto(watched.origin + path)
    expect(page.locator("h1")).to_be_visible()
    page.evaluate(PAINTED)
    for _ in range(1000):
        if held:
            held.pop(0).continue_()
        elif page.locator(ready).first.is_visible():
            break
        page.evaluate(PAINTED)
    expect(page.locator(ready).first).to_be_visible()
    page.evaluate(PAINTED)
    assert page.evaluate("window.shifts") < most


def test_chosen_colours_wait_for_no_texts(open_page: OpenPage) -> None:
    watched = open_page(BARE, remembers={"noughts.preferences": {"colours": "ink-red"}})
    watched.page.route("**/static/texts-*", lambda _: None)
    watched.page.goto(watched.origin, wait_until="commit")
    expect(watched.page.locator("html")).to_have_attribute("data-colours", "ink-red")
    expect(watched.page.locator("main .view")).to_have_count(0)


def test_game_cards_hold_large_letters_on_a_phone(open_page: OpenPage) -> None:
    watched = open_page(BARE, viewport={"width": 390, "height": 844}, has_touch=True)
    page = watched.page
    # As in the browser's own settings.
    sizes = {"standard": 32, "fixed": 26}
    watched.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})
    page.goto(watched.origin)
    expect(page.locator(".card").first).to_be_visible()
    assert no_sideways_scroll(page)
    wide = "cards => cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.textContent)"
    assert page.locator(".card").evaluate_all(wide) == []


def test_the_first_links_have_room_for_a_finger(open_page: OpenPage) -> None:
    page = open_page(**PHONE).page
    for link in (page.locator(".skip"), page.locator(".about a")):
        expect(link).to_be_attached()
        assert link.evaluate("(link) => Math.min(...[...link.getClientRects()].map((box) => box.height))") >= 44


def test_without_javascript_one_sentence_says_what_is_needed(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False).page
    for paragraph, words in enumerate(("needs JavaScript", "braucht JavaScript")):
        expect(page.locator("noscript p").nth(paragraph)).to_contain_text(words)
        expect(page.locator("noscript p").nth(paragraph)).to_be_in_viewport()
    expect(page.locator(".late")).to_be_hidden()


def test_a_bot_that_is_here_has_the_name_that_it_has_everywhere(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    bot = '"people":[{"id":"77","name":"level:2","kind":"bot"},'

    def join(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda frame: socket.send(str(frame).replace('"people":[', bot)))

    page.route_web_socket("**/ws", join)
    page.goto(f"{watched.origin}/#create=player")
    expect(page.get_by_label("Who").locator("option").first).to_have_text("Level 2")


def test_nothing_is_inline_and_nothing_comes_from_elsewhere() -> None:
    sources = {WEB / name for name in page_sources("*") if (WEB / name).is_file()}
    for path in sources:
        text = path.read_text(encoding="utf-8")
        assert "innerhtml" not in text.lower()
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)  # a licence may say where its text comes from
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", code), path.name
    html = (WEB / "dist" / "index.html").read_text(encoding="utf-8")
    assert " style=" not in html
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=", html)
