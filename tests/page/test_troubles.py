"""What goes wrong around a page: wrong clocks, sleep, several tabs of one player, nonsense that is pasted."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.page.conftest import BARE, OpenPage, Watched, until
from tests.support.page.identity import open_identity, own_name, secret_link, take_name, token
from tests.support.page.modules import MODULES
from tests.support.page.play import advanced, cell, choose_game, invite, room

pytestmark = pytest.mark.browser

HOURS_WRONG = """
    const right = Date;
    const shift = %d * 3_600_000;
    window.Date = class extends right {
        constructor(...given) {
            if (given.length) super(...given);
            else super(right.now() + shift);
        }
        static now() { return right.now() + shift; }
    };
"""


def play(page: Page, move: str) -> None:
    cell(page, f"{move}, empty").click()


def sides(one: Page, other: Page) -> tuple[Page, Page]:
    """Who plays X, and who O."""
    expect(room(other, plies=0)).to_be_visible()
    expect(room(one, plies=0)).to_be_visible()
    return (one, other) if one.locator(".bar").last.locator(".mark-x").count() else (other, one)


@pytest.mark.parametrize("hours", [-7, 5])
def test_a_device_whose_clock_is_hours_wrong(hours: int, open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    page.add_init_script(HOURS_WRONG % hours)
    page.goto(watched.origin + "/#create")
    choose_game(page, "tictactoe")
    page.get_by_text("Two on this screen").click()
    advanced(page)
    page.get_by_text("For the whole game").click()
    page.get_by_label("Minutes each").fill("1")
    page.get_by_role("button", name="Play", exact=True).click()
    clocks = page.locator(".bar-clock")
    expect(clocks.first).to_have_text("1:00")  # O's stands, X's runs
    expect(clocks.last).to_have_text(re.compile(r"^0:\d\d$"))


def test_a_phone_that_sleeps_and_wakes(open_page: OpenPage) -> None:
    host = open_page().page
    link = invite(host)
    watched = open_page("/healthz")
    phone = watched.page
    lines: list[WebSocketRoute] = []
    dead: set[int] = set()

    def line(socket: WebSocketRoute) -> None:
        """To be cut without a word, as when a phone sleeps through what would close it."""
        number = len(lines)
        lines.append(socket)
        server = socket.connect_to_server()
        socket.on_message(lambda frame: None if number in dead else server.send(frame))
        server.on_message(lambda frame: None if number in dead else socket.send(frame))

    phone.route_web_socket("**/ws", line)
    phone.goto(link)
    x, _ = sides(phone, host)
    if x is host:
        play(host, "b2")
        expect(room(phone, ".my-turn", plies=1)).to_be_visible()
    play(phone, "a1")
    plies = 2 if x is host else 1
    expect(room(host, ".my-turn", plies=plies)).to_be_visible()
    expect(phone.get_by_role("contentinfo")).to_contain_text(re.compile(r"Response time: \d+ ms"))
    dead.add(len(lines) - 1)
    play(host, "c3")
    expect(room(host, plies=plies + 1)).to_be_visible()
    expect(room(phone, plies=plies)).to_be_visible()
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(room(phone, ".my-turn", plies=plies + 1)).to_be_visible(timeout=15_000)
    play(phone, "c1")
    expect(room(host, ".my-turn", plies=plies + 2)).to_be_visible()


def tab_of(watched: Watched, path: str = "/") -> Page:
    page = watched.context.new_page()
    page.on("pageerror", lambda error: watched.complaints.append(f"exception: {error}"))
    page.goto(watched.origin + path)
    return page


def test_two_tabs_of_one_player(open_page: OpenPage) -> None:
    watched = open_page()
    one, friend = watched.page, open_page().page
    take_name(one, "Ann")
    link = invite(one)
    two = tab_of(watched, one.url.removeprefix(watched.origin))
    friend.goto(link)
    x, _ = sides(one, friend)
    if x is friend:
        play(friend, "b2")
    first = 1 if x is friend else 0
    # Both show the same, both play, and what is planned in one is played once.
    for page in (one, two):
        expect(room(page, ".my-turn", plies=first)).to_be_visible()
    play(two, "a1")
    expect(room(one, plies=first + 1)).to_be_visible()
    cell(one, "a2, empty").click()
    expect(cell(one, "a2, empty")).to_have_class(re.compile("planned"))
    play(friend, "c3")
    for page in (one, two, friend):
        expect(room(page, plies=first + 3)).to_be_visible()
        expect(cell(page, "a2, ")).not_to_have_text("")
    # A name and preferences hold in both at once.
    take_name(two, "Anna")
    expect(one.locator(".you .name")).to_have_text("Anna")
    two.get_by_role("button", name="Settings", exact=True).click()
    two.get_by_role("checkbox", name="Coordinates").uncheck()
    expect(one.locator("html")).to_have_attribute("data-coordinates", "off")
    two.keyboard.press("Escape")
    # Who becomes somebody else in one tab is that in the other too.
    become = secret_link(friend)
    other = own_name(friend)
    two.goto(become)
    two.get_by_role("button", name=re.compile("keep")).click()
    for page in (two, one):
        expect(page.locator(".you .name")).to_have_text(other)
    expect(one).to_have_url(watched.origin + "/")
    expect(one.locator(".notice")).to_contain_text("changed your player in another tab")
    # And who is deleted in one tab is deleted in the other.
    one.locator(".you").click()
    one.get_by_role("button", name="Delete my data").click()
    dialog = one.get_by_role("dialog")
    dialog.get_by_role("button", name="Delete my data").click()
    dialog.get_by_role("button", name="Yes, delete all of it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("You have a running game")
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Yes, resign").click()
    expect(friend.locator(".room.over")).to_be_visible()
    dialog.get_by_role("button", name="Yes, delete all of it").click()
    for page in (one, two):
        expect(page.locator(".you .name")).to_have_text(re.compile("Guest"))
        expect(page.locator(".you .name")).not_to_have_text(other)
    expect(two.locator(".you .name")).to_have_text(one.locator(".you .name").inner_text())


def test_a_question_is_answered_for_who_was_asked(open_page: OpenPage) -> None:
    """Questions left open in one tab while another tab becomes somebody else."""
    watched = open_page()
    one, friend, third = watched.page, open_page().page, open_page().page
    take_name(one, "Ann")
    deaf = "window.addEventListener('storage', (event) => window.deaf && event.stopImmediatePropagation())"
    watched.context.add_init_script(deaf)
    two = tab_of(watched)
    link, another = secret_link(friend), secret_link(third)
    deleting = open_identity(two, "Delete my data")
    deleting.get_by_role("button", name="Delete my data").click()
    one.goto(link)
    one.get_by_role("button", name=re.compile("keep")).click()
    expect(two.locator(".you .name")).to_have_text(own_name(friend))
    expect(two.get_by_role("dialog")).to_have_count(0)
    two.locator(".you").click()
    expect(two.get_by_role("textbox", name="Your name")).to_be_visible()
    one.locator(".you").click()
    one.get_by_role("button", name="Use Ann").click()
    one.get_by_role("button", name=re.compile("keep")).click()
    expect(two.locator(".you .name")).to_have_text("Ann")
    expect(two.get_by_role("dialog")).to_have_count(0)
    # Before a tab has followed: no token is lost, and it asks again.
    two.evaluate("window.deaf = true")
    two.goto(another)
    keep = two.get_by_role("button", name=re.compile("keep"))
    expect(keep).to_be_visible()
    one.locator(".you").click()
    one.get_by_role("button", name=f"Use {own_name(friend)}").click()
    one.get_by_role("button", name=re.compile("keep")).click()
    expect(one.locator(".you .name")).to_have_text(own_name(friend))
    keep.click()
    expect(keep).to_be_visible()
    assert token(one) == token(friend)


def test_a_new_guest_joins_another_tab_without_a_word(open_page: OpenPage) -> None:
    watched = open_page("/ladder")
    page, friend = watched.page, open_page().page
    own_name(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    other = tab_of(watched, BARE)
    other.evaluate("token => localStorage.setItem('noughts.token', JSON.stringify(token))", token(friend))
    expect(page.locator(".you .name")).to_have_text(own_name(friend))
    expect(page).to_have_url(watched.origin + "/ladder")
    expect(page.locator(".notice")).to_be_empty()


def test_a_guest_that_is_made_late_takes_no_name_from_the_browser(open_page: OpenPage) -> None:
    watched = open_page(BARE)
    page, friend = watched.page, open_page().page
    own_name(friend)
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def join(socket: WebSocketRoute) -> None:
        def say(frame: str | bytes) -> None:
            if held:
                socket.send(frame)
            else:
                held.append((socket, frame))  # the welcome

        socket.connect_to_server().on_message(say)

    page.route_web_socket("**/ws", join)
    page.goto(watched.origin + "/ladder")
    while not held:
        page.evaluate("() => new Promise(requestAnimationFrame)")
    other = tab_of(watched, BARE)
    other.evaluate("token => localStorage.setItem('noughts.token', JSON.stringify(token))", token(friend))
    until(page, "() => localStorage.getItem('noughts.token') !== null")
    socket, welcome = held[0]
    socket.send(welcome)
    expect(page.locator(".you .name")).to_have_text(own_name(friend))
    assert token(page) == token(friend)


GREETINGS = """async ({ locks, name, known, stored, replaced, meanwhile }) => {
  const { Connection, ServerError } = await import('/modules/net/connection.ts');
  if (!locks) Object.defineProperty(navigator, 'locks', { value: undefined });
  const kept = { token: stored };
  const identity = { token: () => kept.token, setToken: (token) => (kept.token = token), guestName: () => 'Guest 1' };
  const sent = [];
  const tabs = [0, 1].map(() => {
    const tab = new Connection('', identity);
    tab.newName = name;
    tab.greetedWith = known;
    tab.send = async (message) => {
      sent.push([message.token ?? null, message.name ?? null]);
      await fetch('/healthz');
      if (replaced && message.token === stored) {
        kept.token = replaced;
        throw new ServerError('unauthorised', '');
      }
      if (meanwhile && !message.token) kept.token = meanwhile;
      return { player: { id: '1', name: 'Guest 1' }, ...(!message.token && { token: 'made' }) };
    };
    return tab;
  });
  await Promise.all(tabs.map((tab) => tab.hello(tab.socket)));
  return [sent, kept.token];
}"""


def test_tabs_greet_as_one(open_page: OpenPage) -> None:
    page = open_page(MODULES).page

    def greetings(**how: Any) -> Any:
        nothing = {"locks": True, "name": None, "known": None, "stored": None, "replaced": None, "meanwhile": None}
        return page.evaluate(GREETINGS, nothing | how)

    # The first visit: one guest is made.
    assert greetings() == [[[None, "Guest 1"], ["made", None]], "made"]
    # A token that is deleted goes, unless another tab has put another one there.
    assert greetings(stored="deleted", replaced="new") == [[["deleted", None]] * 2 + [["new", None]] * 2, "new"]
    # Who another tab became while a guest was made is not lost for the guest.
    assert greetings(meanwhile="Ann") == [[[None, "Guest 1"], ["Ann", None]], "Ann"]
    # A name is for the player that one was when it was chosen.
    assert greetings(stored="a", known="a", name="Ann")[0] == [["a", "Ann"]] * 2
    assert greetings(stored="b", known="a", name="Ann")[0] == [["b", None]] * 2
    # Browsers that cannot wait for each other's tabs.
    assert greetings(locks=False)[0] == [[None, "Guest 1"]] * 2


def test_a_page_from_before_the_servers_new_version_is_loaded_again(open_page: OpenPage) -> None:
    """Its parts are gone: the new ones have other names."""
    watched = open_page()
    page = watched.page
    own_name(page)
    page.route("**/static/ladder-view-*.js", lambda route: route.fulfill(status=404), times=1)
    # As long as the page has not changed, the part cannot be had.
    page.get_by_role("link", name="Ladder").click()
    expect(page.locator("main").get_by_text("This page could not be loaded")).to_be_visible()
    loads = "performance.getEntriesByType('navigation')[0].type"
    assert page.evaluate(loads) == "navigate"
    page.route("**/static/stats-view-*.js", lambda route: route.fulfill(status=404), times=1)
    page.route(watched.origin + "/", lambda route: route.fulfill(body="<script src=/static/main-00000000.js></script>"))
    page.get_by_role("link", name="Stats").click()
    expect(page.locator("main").get_by_role("heading", level=1, name="Stat")).to_be_visible()
    assert page.evaluate(loads) == "reload"
    expect(page).to_have_url(watched.origin + "/stats")
    assert all("404" in complaint for complaint in watched.complaints)
    watched.complaints.clear()


NONSENSE = [
    "\u0000\u0007\u001b[31m\u202e\u2066",
    "<img src=x onerror=alert(1)>",
    "\u05e9\u05dc\u05d5\u05dd \u202e\u0645\u0631\u062d\u0628\u0627",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 10,
    "a" * 100_000,
    "'; DROP TABLE players; --",
    "1e309",
    "%00%ff{name}${t}",
]
# As a paste does: no more than the field takes.
PASTE = """(field, text) => {
  field.value = field.maxLength > 0 ? text.slice(0, field.maxLength) : text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}"""


def test_nonsense_pasted_into_every_field(open_page: OpenPage) -> None:
    page = open_page().page
    name = own_name(page)
    for text in NONSENSE:
        page.locator(".you").click()
        page.get_by_role("textbox", name="Your name").evaluate(PASTE, text)
        page.get_by_role("button", name="Save").click()
        # Kept as a name, or a sentence says what a name is.
        expect(
            page.locator("dialog .bad:not(:empty), .notice:not(:empty)")
            .or_(page.locator("body:not(:has(dialog))"))
            .first
        ).to_be_attached()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".you").click()
    page.get_by_role("textbox", name="Your name").fill("\u05e9\u05dc\u05d5\u05dd")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".you .name")).to_have_text("\u05e9\u05dc\u05d5\u05dd")
    assert name != "\u05e9\u05dc\u05d5\u05dd"
    # Sizes of a board: nothing is made, and a sentence says why.
    page.goto(page.url + "#create")
    page.reload()
    choose_game(page, "mnk")
    for text in ("", "-1", "1e300", "99999999999999999999", "2.5"):
        page.get_by_label("Columns").evaluate(PASTE, text)
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(".rules-box.bad p, .notice span").first).not_to_be_empty()
    page.get_by_label("Columns").fill("6")
    page.get_by_text("Two on this screen").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, plies=0)).to_be_visible()
    typed = page.get_by_label("Type a move")
    for text in NONSENSE:
        typed.evaluate(PASTE, text)
        typed.press("Enter")
        expect(page.locator(".typed [role=alert]")).not_to_be_empty()
    # What is said is shown as it is, or refused with a sentence.
    page.get_by_role("tab", name="Chat").click()
    say = page.get_by_label("Say something")
    for text in NONSENSE:
        say.evaluate(PASTE, text)
        page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("log")).to_contain_text("'; DROP TABLE players; --")
    assert page.locator(".chat img").count() == 0
    play(page, "a1")
    expect(room(page, plies=1)).to_be_visible()


@pytest.mark.parametrize("missing", ["main-*.js", "chunk-*.js"])
def test_where_a_module_fails_the_page_says_so_and_offers_to_try_again(open_page: OpenPage, missing: str) -> None:
    watched = open_page("/healthz")
    page = watched.page
    page.route(f"**/static/{missing}", lambda route: route.abort())
    page.goto(watched.origin)
    late = page.locator(".late")
    expect(late).to_be_hidden()  # it may yet come
    late.evaluate("late => late.getAnimations().forEach((wait) => wait.finish())")
    expect(late).to_contain_text("Part of this page has not arrived")
    expect(late).to_be_in_viewport()
    page.unroute(f"**/static/{missing}")
    late.get_by_role("link", name="Load again").click()
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    expect(late).to_have_count(0)
    watched.complaints.clear()


def test_a_view_is_shown_once_its_sheet_is_here(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    held: list[Route] = []
    page.route("**/static/views-*.css", lambda route: held.append(route))
    with page.expect_response("**/static/learn-view-*.js"):
        page.goto(f"{watched.origin}/learn/tictactoe", wait_until="commit")
    assert len(held) == 1
    expect(page.locator("main h1")).to_have_count(0)
    held[0].continue_()
    drawing = page.locator(".learn-drawing")
    expect(drawing).to_be_visible()
    assert drawing.evaluate("drawing => getComputedStyle(drawing).borderTopWidth") == "1px"
    # The lobby needs none of it, and asks for it so that the next view need not.
    lobby = open_page("/healthz")
    with lobby.page.expect_response("**/static/views-*.css"):
        lobby.page.goto(lobby.origin)


def test_where_the_sheet_fails_the_page_tries_again(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    page.route("**/static/views-*.css", lambda route: route.abort())
    page.goto(f"{watched.origin}/learn")
    expect(page.get_by_role("heading", name="Could not load this page")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.unroute("**/static/views-*.css")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", name="Learn to play")).to_be_visible()
    watched.complaints.clear()


def test_what_the_operator_announces_is_shown_until_it_is_read(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    lines: list[WebSocketRoute] = []

    def line(socket: WebSocketRoute) -> None:
        lines.append(socket)
        socket.connect_to_server()

    page.route_web_socket("**/ws", line)
    page.goto(watched.origin + "/")
    expect(page.get_by_role("contentinfo")).to_contain_text(re.compile(r"Response time: \d+ ms"))
    lines[-1].send('{"t":"announcement","text":"Restart at noon","ts":1}')
    shown = page.get_by_role("region", name="Messages").get_by_text("Restart at noon")
    expect(shown).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    expect(shown).to_be_hidden()


def test_who_is_kept_out_is_told_why_and_comes_back_when_they_ask(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    lines: list[WebSocketRoute] = []
    banned = True

    def line(socket: WebSocketRoute) -> None:
        lines.append(socket)
        if not banned:
            socket.connect_to_server()
            return
        refusal = {"t": "error", "code": "not_now", "message": "You are banned: this is a test."}
        socket.on_message(lambda hello: socket.send(json.dumps({**refusal, "id": json.loads(hello)["id"]})))

    page.route_web_socket("**/ws", line)
    page.clock.install()
    page.goto(watched.origin + "/")
    messages = page.get_by_role("region", name="Messages")
    expect(messages).to_have_text("You are banned: this is a test.Try again")
    page.clock.run_for(60_000)
    expect(messages).to_have_text("You are banned: this is a test.Try again")
    assert len(lines) == 1
    banned = False
    messages.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("contentinfo")).to_contain_text(re.compile(r"Response time: \d+ ms"))
    expect(messages).to_have_text("")
    assert len(lines) == 2
