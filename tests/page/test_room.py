"""A room: how it is laid out, its address, what is asked and told in it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.page.conftest import BARE, OpenPage, ServerProcess
from tests.support.page.axe import violations
from tests.support.page.identity import take_name
from tests.support.page.play import cell, choose_game, invite, new_on_one_screen, no_sideways_scroll, room

pytestmark = pytest.mark.browser

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "reduced_motion": "reduce"}
SCREENS = pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
BAR_PX = 56
"""The places at the bottom of a phone."""


def box(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found is not None
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def in_sight(page: Page, locator: Locator) -> bool:
    """Whether nothing of it is cut off, on a phone not by the bar at the bottom either."""
    size = page.viewport_size
    assert size is not None
    found = box(locator)
    bottom = size["height"] - (BAR_PX if size["width"] < 640 else 0)
    return found["y"] >= 0 and found["y"] + found["height"] <= bottom + 1


def two(open_page: OpenPage, *, clock: bool = True, game: str = "tictactoe", **context: Any) -> tuple[Page, Page]:
    """X and O at a game by invitation."""
    host = open_page("/#create=invite", **context).page
    choose_game(host, game)
    if clock:
        host.get_by_text("5+3").click()
    host.get_by_role("button", name="Make the link").click()
    guest = open_page(BARE, **context).page
    guest.goto(host.get_by_label("Link to join").input_value())
    for page in (host, guest):
        expect(room(page, plies=0)).to_be_visible()
    return (host, guest) if host.locator(".bar").last.locator(".mark-x").count() else (guest, host)


def play_two_moves(x: Page, o: Page) -> None:
    for ply, (mover, move) in enumerate([(x, "a1"), (o, "b2")]):
        expect(room(mover, ".my-turn", plies=ply)).to_be_visible()
        cell(mover, f"{move}, empty").click()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    expect(room(o, plies=2)).to_be_visible()


# How it is laid out


def test_the_board_is_the_largest_thing_on_a_desktop(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe", **DESKTOP)
    cells, sheet = box(page.locator(".cells")), box(page.locator(".layer"))
    assert cells["width"] >= 480
    assert cells["height"] >= 480
    for bar in page.locator(".bar").all():
        assert in_sight(page, bar)
        assert abs(box(bar)["width"] - sheet["width"]) <= 1
    panel = page.locator(".room .panel")
    expect(panel).to_have_count(1)
    for other in [*page.locator(".panel").all(), *page.locator(".bar").all()]:
        assert box(other)["width"] * box(other)["height"] < sheet["width"] * sheet["height"]
    assert 0 < box(panel)["x"] - (sheet["x"] + sheet["width"]) < 80  # beside it


def test_a_small_phone_shows_the_whole_board_above_the_bar_of_ones_own(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe", viewport={"width": 320, "height": 568}, has_touch=True)
    sheet, bar = box(page.locator(".layer")), page.locator(".bar").last
    assert sheet["y"] + sheet["height"] <= box(bar)["y"]
    assert in_sight(page, bar)


def test_a_small_phone_shows_every_cell_of_nested_boards_above_the_bar_of_ones_own(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "nine-board", viewport={"width": 320, "height": 568}, has_touch=True)
    last, bar = box(page.locator(".cell").last), page.locator(".bar").last
    assert last["y"] + last["height"] <= box(bar)["y"]
    assert in_sight(page, bar)


def test_an_empty_line_below_the_bars_covers_nothing_on_a_phone(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "nine-board", viewport={"width": 360, "height": 600}, has_touch=True)
    button, line = page.get_by_role("button", name="Abort"), page.locator(".under")
    expect(line).to_be_empty()
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.evaluate("by => window.scrollBy(0, by)", box(button)["y"] - box(line)["y"])
    assert abs(box(button)["y"] - box(line)["y"]) <= 1
    x, y = box(button)["x"] + 20, box(button)["y"] + 20
    assert button.evaluate("(button, [x, y]) => button.contains(document.elementFromPoint(x, y))", [x, y])


def test_clocks_and_offers_stay_in_sight_below_a_cube_on_a_phone(open_page: OpenPage) -> None:
    looks = {"noughts.looks": {"view": "cube"}}
    x, o = two(open_page, game="qubic", remembers=looks, **PHONE)
    assert 0.45 * 844 < box(x.locator(".cube-stage"))["height"] <= 0.55 * 844
    for ply, (mover, move) in enumerate([(x, "a1.1"), (o, "b2.2")]):
        expect(room(mover, ".my-turn", plies=ply)).to_be_visible()
        mover.locator(f'[data-place="{move}"]').dispatch_event("click")
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    x.get_by_role("button", name="Offer draw").click()
    for page in (x, o):
        for end in (0, 1):
            page.evaluate("end => window.scrollTo(0, end * document.body.scrollHeight)", end)
            for clock in page.locator(".bar-clock").all():
                assert in_sight(page, clock)
    for answer in ("Agree to a draw", "No"):
        assert in_sight(o, o.get_by_role("button", name=answer, exact=True))
    assert in_sight(x, x.locator(".ask"))
    assert no_sideways_scroll(x)


def test_an_offer_is_seen_before_a_cell_that_is_chosen(open_page: OpenPage) -> None:
    x, o = two(open_page, clock=False, remembers={"noughts.preferences": {"confirm": True}})
    for ply, (mover, move) in enumerate([(x, "a1"), (o, "b2")]):
        expect(room(mover, ".my-turn", plies=ply)).to_be_visible()
        cell(mover, f"{move}, empty").dblclick()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    cell(x, "c3, empty").click()
    expect(x.locator(".ask")).to_contain_text("C3 chosen")
    o.get_by_role("button", name="Take back").click()
    expect(x.locator(".ask")).to_contain_text("asks to take a move back.")
    x.get_by_role("button", name="No", exact=True).click()
    expect(x.locator(".ask")).to_contain_text("C3 chosen")


@SCREENS
def test_nothing_jumps_when_people_talk_and_offer(screen: dict[str, Any], open_page: OpenPage) -> None:
    x, o = two(open_page, **screen)
    play_two_moves(x, o)
    for page in (x, o):
        page.evaluate("window.scrollTo(0, 0)")
        page.evaluate(
            """() => {
                window.shifts = [];
                new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(
                    entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.data).join(', '))))
                    .observe({ type: 'layout-shift' });
            }"""
        )
    if o.get_by_role("tab", name="Chat").count():
        o.get_by_role("tab", name="Chat").click()
    o.get_by_label("Say something").fill("Hello")
    o.get_by_label("Say something").press("Enter")
    expect(x.locator(".said, .said-line").first).to_be_visible()
    x.get_by_role("button", name="Take back").click()
    o.get_by_role("button", name="No", exact=True).click()
    expect(x.locator(".ask")).to_contain_text("declined")
    x.get_by_role("button", name="Offer draw").click()
    o.get_by_role("button", name="Agree to a draw").click()
    for page in (x, o):
        expect(page.locator(".status")).to_have_text("Draw: both agreed.")
    x.get_by_role("button", name="Rematch").click()
    expect(o.get_by_role("button", name="Play again")).to_be_visible()
    for page in (x, o):
        assert page.evaluate("window.shifts") == []


def test_spectators_see_what_is_offered(open_page: OpenPage) -> None:
    x, o = two(open_page)
    play_two_moves(x, o)
    spectator = open_page(BARE).page
    spectator.goto(x.url)
    spectator.get_by_role("button", name="Watch").click()
    expect(room(spectator, plies=2)).to_be_visible()
    x.get_by_role("button", name="Offer draw").click()
    expect(spectator.locator(".under")).to_contain_text("offers a draw.")
    assert not spectator.locator(".under").get_by_role("button").count()
    o.get_by_role("button", name="No", exact=True).click()
    expect(spectator.locator(".under")).not_to_contain_text("offers a draw.")


def test_a_move_is_seen_in_the_frame_of_its_touch(open_page: OpenPage) -> None:
    x, _ = two(open_page)
    seen = x.evaluate(
        "() => { const cell = document.querySelector('[data-cell=b2]'); cell.click(); return cell.className; }"
    )
    assert {"mark-x", "pending"} <= set(seen.split())


def test_a_line_of_chat_shows_on_a_phone_where_the_moves_are_seen(open_page: OpenPage) -> None:
    x, o = two(open_page, **PHONE)
    o.get_by_role("tab", name="Chat").click()
    for text in ("Hello", "there"):
        o.get_by_label("Say something").fill(text)
        o.get_by_label("Say something").press("Enter")
        expect(x.locator(".under")).to_contain_text(f": {text}")
    assert in_sight(x, x.locator(".said-line"))
    expect(x.get_by_role("tab", name="Chat 2 new messages")).to_be_visible()
    expect(x.get_by_role("status")).to_contain_text(re.compile(r"Guest \d+: there"))
    x.get_by_role("tab", name="Moves").focus()
    x.keyboard.press("ArrowRight")
    expect(x.get_by_role("tab", name="Chat", exact=True)).to_be_focused()
    expect(x.get_by_role("log")).to_contain_text("there")
    expect(x.locator(".said-line")).to_have_count(0)
    x.keyboard.press("Home")
    expect(x.get_by_role("log")).to_be_hidden()
    expect(x.get_by_role("tab", name="Chat", exact=True)).to_be_visible()  # what was read stays read
    # Who is muted shows nothing anywhere.
    x.get_by_role("tab", name="Chat").click()
    x.get_by_label("Mute", exact=True).check()
    x.get_by_role("tab", name="Moves").click()
    o.get_by_label("Say something").fill("unheard")
    o.get_by_label("Say something").press("Enter")
    expect(o.get_by_role("log")).to_contain_text("unheard")
    play_two_moves(x, o)
    expect(x.locator(".under")).not_to_contain_text("unheard")
    expect(x.get_by_role("status")).not_to_contain_text("unheard")
    expect(x.get_by_role("tab", name="Chat", exact=True)).to_be_visible()
    # Neither does it after a reload, but for what one says oneself.
    x.reload()
    x.get_by_role("tab", name="Chat").click()
    expect(x.get_by_label("Mute", exact=True)).to_be_checked()
    x.get_by_label("Say something").fill("mine")
    x.get_by_label("Say something").press("Enter")
    muted = "Muted, here and in every game: what others write is neither shown nor announced."
    expect(x.get_by_role("log")).to_have_text(re.compile(rf"^Guest \d+ mine{muted}$"))
    x.get_by_label("Mute", exact=True).uncheck()
    expect(x.get_by_role("log").locator("li")).to_have_count(4)
    expect(x.get_by_role("log")).to_contain_text("unheard")


def test_long_names_and_lines_of_chat_leave_a_phone_as_wide_as_it_is(open_page: OpenPage) -> None:
    x, o = two(open_page, **{**PHONE, "viewport": {"width": 320, "height": 640}})
    take_name(o, "W" * 20)
    o.get_by_role("tab", name="Chat").click()
    o.get_by_label("Say something").fill("long " * 20)
    o.get_by_label("Say something").press("Enter")
    expect(x.locator(".said-line")).to_be_visible()
    assert no_sideways_scroll(x)
    for clock in x.locator(".bar-clock").all():
        assert box(clock)["x"] + box(clock)["width"] <= 320
    play_two_moves(x, o)
    o.get_by_role("button", name="Resign").click()
    o.get_by_role("button", name="Yes, resign").click()
    expect(x.locator(".status")).to_have_text(f"You win: {'W' * 20} resigned.")
    assert no_sideways_scroll(x)


# Its address


def test_the_address_of_an_invite_room_leads_a_friend_in(open_page: OpenPage) -> None:
    host = open_page().page
    link = invite(host)
    assert host.url == link
    [(id, code)] = re.findall(r"/room/(\w+)#([\w-]+)$", link)
    guest = open_page(BARE)
    guest.page.goto(link)
    for page in (host, guest.page):
        expect(room(page, plies=0)).to_be_visible()
        expect(page.locator(".bar").last).to_contain_text("you")
        assert page.url == link
    # Who comes third may look on, whichever link it was.
    for address in (link, link.replace(f"/room/{id}#", "/join/")):
        third = open_page(BARE)
        third.page.goto(address)
        expect(third.page.get_by_role("heading", name="Both seats are taken")).to_be_focused()
        expect(third.page).to_have_url(link)
        assert not violations(third.page)
        expect(room(third.page)).to_have_count(0)
        third.page.keyboard.press("Tab")
        third.page.keyboard.press("Enter")
        expect(third.page.locator(".room-head")).to_contain_text("watching")
        expect(third.page.locator(".bar", has_text="you")).to_have_count(0)
        third.page.reload()
        expect(third.page.locator(".room-head")).to_contain_text("watching")  # and is not asked again
    # A browser sends what is behind the # to nobody.
    assert not [request.url for request in guest.requests if code in request.url.partition("#")[0]]
    # Without it nobody finds the room, but those who sit there get the whole address again.
    stranger = open_page(f"/room/{id}").page
    expect(stranger.locator(".lost")).to_contain_text("Game not found")
    stranger.goto(f"{link}x")
    stranger.reload()
    expect(stranger.locator(".lost")).to_contain_text("Game not found")
    host.goto(link.partition("#")[0] + "?")
    expect(host).to_have_url(link)
    expect(room(host, plies=0)).to_be_visible()


# Who is away


class Line:
    """The page's websocket: what the server says may be changed, and what the page says is kept."""

    def __init__(self, page: Page, change: Any) -> None:
        self.said: list[dict[str, Any]] = []
        self.change = change
        page.route_web_socket("**/ws", self._join)

    def _join(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def say(frame: str | bytes) -> None:
            self.said.append(json.loads(frame))
            server.send(frame)

        socket.on_message(say)
        server.on_message(lambda frame: socket.send(self.change(str(frame))))


def soon(frame: str) -> str:
    return re.sub(r'"claim_ms":\d+', '"claim_ms":1500', frame)


def test_who_waits_sees_when_the_win_may_be_claimed(open_page: OpenPage) -> None:
    watched = open_page(BARE)
    host, line = watched.page, Line(watched.page, soon)
    host.goto(watched.origin + "/#create=invite")
    host.get_by_text("5+3").click()
    host.get_by_role("button", name="Make the link").click()
    guest = open_page(BARE)
    guest.page.goto(host.get_by_label("Link to join").input_value())
    expect(room(host, plies=0)).to_be_visible()
    expect(room(guest.page, plies=0)).to_be_visible()
    guest.context.close()
    expect(host.locator(".under")).to_contain_text(re.compile(r"Guest \d+ is away. You can claim the win in [12] s."))
    expect(host.locator(".bar").first).to_contain_text("away")
    claim = host.get_by_role("button", name="Claim the win")
    expect(claim).to_be_visible()
    expect(host.locator(".under")).to_contain_text("is still away: you can claim the win.")
    claim.click()
    expect(host.get_by_role("alert")).not_to_be_empty()  # for the server it is too soon
    assert [said["action"] for said in line.said if said["t"] == "act"] == ["claim_win"]


def test_without_a_clock_nobody_loses_by_being_away(open_page: OpenPage) -> None:
    host = open_page().page
    guest = open_page(BARE)
    guest.page.goto(invite(host))
    expect(room(host, plies=0)).to_be_visible()
    expect(room(guest.page, plies=0)).to_be_visible()
    guest.context.close()
    expect(host.locator(".bar").first).to_contain_text("away")
    expect(host.locator(".under")).to_be_empty()
    expect(host.get_by_role("button", name="Claim the win")).to_have_count(0)


def test_a_network_bot_that_is_gone_is_away(open_page: OpenPage) -> None:
    watched = open_page(BARE)
    host, _ = watched.page, Line(watched.page, lambda frame: frame.replace('"kind":"person"', '"kind":"bot"'))
    host.goto(watched.origin)
    guest = open_page(BARE)
    guest.page.goto(invite(host))
    expect(room(host, plies=0)).to_be_visible()
    expect(host.locator(".bar small").first).to_have_text("bot")
    guest.context.close()
    expect(host.locator(".bar small").first).to_have_text("bot · away")


def test_who_is_away_is_warned(open_page: OpenPage, own_server: ServerProcess) -> None:
    watched = open_page("/#create=invite", at=own_server)
    host = watched.page
    watched.line_may_break = True
    host.get_by_text("5+3").click()
    host.get_by_role("button", name="Make the link").click()
    guest = open_page(BARE, at=own_server)
    guest.line_may_break = True
    guest.page.goto(host.get_by_label("Link to join").input_value())
    expect(room(guest.page, plies=0)).to_be_visible()
    expect(room(host, plies=0)).to_be_visible()
    own_server.kill()
    warning = re.compile(r"^Connection lost\. Your opponent may claim the win in (60|5\d) s\.$")
    expect(host.locator(".link-text")).to_have_text(warning)
    own_server.start()
    expect(host.locator(".under")).to_have_text(
        re.compile(r"^You were away for \d+ s\. After 60 s your opponent may claim the win\.$")
    )
    # Elsewhere too.
    host.get_by_role("link", name="Stats", exact=True).click()
    expect(host.get_by_role("heading", name="Stats", level=1)).to_be_visible()
    own_server.kill()
    expect(host.locator(".link-text")).to_have_text(warning)
    own_server.start()


def test_who_comes_back_by_a_reload_is_warned(open_page: OpenPage) -> None:
    x, _ = two(open_page)
    expect(x.locator(".under")).to_be_empty()
    x.reload()
    expect(room(x, plies=0)).to_be_visible()
    expect(x.locator(".under")).to_be_empty()  # a reload is not being away
    x.evaluate("() => { const now = Date.now; Date.now = () => now() - 30_000; }")
    x.reload()
    expect(x.locator(".under")).to_have_text(
        re.compile(r"^You were away for 3\d s\. After 60 s your opponent may claim the win\.$")
    )


def test_who_was_away_from_one_game_is_not_warned_in_another(open_page: OpenPage) -> None:
    x, _ = two(open_page)
    other = open_page("/#create=invite").page
    other.get_by_text("5+3").click()
    other.get_by_role("button", name="Make the link").click()
    link = other.get_by_label("Link to join").input_value()
    x.evaluate("() => { const now = Date.now; Date.now = () => now() - 30_000; }")
    x.goto(link)
    expect(room(x, plies=0)).to_be_visible()
    expect(room(other, plies=0)).to_be_visible()
    expect(x.locator(".under")).to_be_empty()


# Offers, and what the browser keeps


def test_who_resigns_and_plays_again_by_keys_is_led_to_the_board(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe")
    for plies, move in enumerate(("a1", "b2"), start=1):
        cell(page, move).click()
        expect(room(page, plies=plies)).to_be_visible()
    page.get_by_role("button", name="Resign").press("Enter")
    page.get_by_role("button", name="Yes, resign").press("Enter")
    expect(page.get_by_role("button", name="Rematch")).to_be_focused()
    page.keyboard.press("Enter")
    expect(room(page, plies=0)).to_be_visible()
    expect(cell(page, "b2, empty")).to_be_focused()


def test_whether_to_resign_is_asked_until_it_is_answered(open_page: OpenPage) -> None:
    x, o = two(open_page)
    play_two_moves(x, o)
    o.get_by_role("button", name="Resign").press("Enter")
    expect(o.get_by_role("button", name="No, play on")).to_be_focused()
    cell(x, "c3, empty").click()
    expect(room(o, ".my-turn", plies=3)).to_be_visible()
    expect(o.get_by_role("button", name="No, play on")).to_be_focused()
    o.get_by_role("button", name="Yes, resign").press("Enter")
    o.get_by_role("button", name="Rematch").click()
    x.get_by_role("button", name="Play again").click()
    expect(o.locator('.room[data-game="2"]')).to_be_visible()
    expect(o.get_by_role("button", name="No, play on")).to_have_count(0)


def test_a_rematch_can_be_declined(open_page: OpenPage) -> None:
    x, o = two(open_page, clock=False)
    play_two_moves(x, o)
    x.get_by_role("button", name="Resign").click()
    expect(x.get_by_text("Resign this game?")).to_be_visible()
    x.get_by_role("button", name="Yes, resign").click()
    x.get_by_role("button", name="Rematch").click()
    expect(x.get_by_role("status")).to_contain_text("You asked for a rematch.")
    expect(x.locator(".under")).to_contain_text("You asked for a rematch.")
    expect(x.get_by_role("button", name="Rematch")).to_be_disabled()
    expect(x.get_by_role("button", name="Rematch")).to_be_focused()  # it stays where it is
    expect(o.locator(".under")).to_contain_text("wants a rematch.")
    o.get_by_role("button", name="No", exact=True).click()
    expect(o.locator(".under")).to_be_empty()
    expect(x.locator(".under")).to_have_text("The rematch was declined.")
    o.get_by_role("button", name="Rematch").click()  # and thought better of
    x.get_by_role("button", name="Play again").click()
    for page in (x, o):
        expect(page.locator('.room[data-game="2"][data-plies="0"]')).to_be_visible()


def test_who_asks_for_a_rematch_on_a_phone_sees_its_board(open_page: OpenPage) -> None:
    x, o = two(open_page, clock=False, **PHONE)
    play_two_moves(x, o)
    x.get_by_role("button", name="Resign").tap()
    x.get_by_role("button", name="Yes, resign").tap()
    x.get_by_role("button", name="Rematch").tap()
    o.get_by_role("button", name="Rematch").tap()
    for page in (x, o):
        expect(page.locator('.room[data-game="2"][data-plies="0"]')).to_be_visible()
        assert in_sight(page, page.locator(".board"))


def test_whoever_reads_older_lines_of_the_chat_goes_on_reading(open_page: OpenPage) -> None:
    x, o = two(open_page, clock=False, **DESKTOP)
    log = x.locator(".chat-lines")

    def say(page: Page, text: str) -> None:
        page.get_by_label("Say something").fill(text)
        page.get_by_role("button", name="Send").click()
        expect(log.get_by_text(text, exact=True)).to_be_attached()

    say(o, "First")
    say(o, " ".join(["much"] * 59))
    say(o, "Last")
    expect(log.get_by_text("Last")).to_be_in_viewport(ratio=1)
    log.evaluate("log => log.scrollTo(0, 0)")
    say(o, "New")
    expect(log.get_by_text("First")).to_be_in_viewport(ratio=1)
    say(x, "My own")
    expect(log.get_by_text("My own")).to_be_in_viewport(ratio=1)


# Bots


def test_what_an_engine_did_that_lost_it_the_game_is_told_below_the_board(open_page: OpenPage) -> None:
    watched = open_page(BARE)
    page = watched.page
    fault = "The engine ended with an error: this is a test."

    def line(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def told(text: str | bytes) -> None:
            message = json.loads(text)
            socket.send(json.dumps({**message, "fault": fault}) if message.get("e") == "ended" else text)

        server.on_message(told)

    page.route_web_socket("**/ws", line)
    page.goto(watched.origin + "/#create=self")
    page.get_by_role("button", name="Play", exact=True).click()
    for ply, move in enumerate(["a1", "b1", "a2", "b2", "a3"]):
        expect(room(page, plies=ply)).to_be_visible()
        cell(page, f"{move}, empty").click()
    expect(page.locator(".under")).to_have_text(fault)
    expect(page.get_by_role("status").filter(has_text=fault)).to_be_attached()
