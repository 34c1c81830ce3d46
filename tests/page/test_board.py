"""How a game is played on the page: settings, moves that are confirmed, planned or typed, and what tells of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import BARE, OpenPage, until
from tests.support.page.axe import Inspector
from tests.support.page.play import (
    PHONE,
    cell,
    choose_game,
    new_on_one_screen,
    no_sideways_scroll,
    room,
    start_on_one_screen,
    tab_to,
)

pytestmark = pytest.mark.browser

STORAGE_DENIED = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
"""As in a browser that keeps nothing of this site."""
Table = Callable[..., Page]


@pytest.fixture
def table(open_page: OpenPage) -> Table:
    """A new game for two on one screen, by somebody who likes to play so."""

    def open_(game: str = "tictactoe", preferences: Any = None, **context: Any) -> Page:
        remembers = {"noughts.preferences": preferences} if preferences else None
        return new_on_one_screen(open_page, game, remembers=remembers, **context)

    return open_


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Settings")


def place(page: Page, name: str) -> Locator:
    return page.locator(f'[data-cell="{name}"]')


# What a move would be


def preview(page: Page, name: str, part: str = "data-cell") -> tuple[str, str]:
    """What is faintly drawn on a cell, and what the mouse looks like there."""
    shown = page.locator(f'[{part}="{name}"]').evaluate("""(cell) => {
        const face = cell.querySelector('.stone') ?? cell;
        const ghost = face.querySelector('.ghost');
        const drawn = ghost && { 1: 'O', 2: 'X' }[ghost.children.length];
        const faint = ghost && Number(getComputedStyle(ghost).opacity) < 1;
        return [faint ? drawn : getComputedStyle(face, '::after').content, getComputedStyle(cell).cursor];
    }""")
    return shown[0].strip('"'), shown[1]


def test_a_move_is_previewed_under_the_mouse_and_at_the_keyboard(table: Table) -> None:
    page = table()
    assert preview(page, "b2") == ("none", "default")
    place(page, "b2").hover()
    assert preview(page, "b2") == ("X", "pointer")
    place(page, "b2").click()
    expect(room(page, plies=1)).to_be_visible()
    assert preview(page, "b2") == ("none", "default")
    page.keyboard.press("ArrowLeft")
    place(page, "c3").hover()
    assert [preview(page, "a2"), preview(page, "c3")] == [("O", "default"), ("O", "pointer")]
    page.get_by_role("heading", level=1).hover()
    assert preview(page, "c3") == ("none", "default")


def test_a_key_brings_out_the_preview_where_the_mouse_has_been(table: Table) -> None:
    page = table("tictactoe", {"confirm": True})
    place(page, "b2").click()
    expect(cell(page, "b2, empty, chosen")).to_be_visible()
    page.get_by_role("heading", level=1).hover()
    page.keyboard.press("Escape")
    expect(cell(page, "b2, empty, chosen")).to_have_count(0)
    assert preview(page, "b2")[0] == "X"


def test_a_move_is_previewed_on_the_layers_and_the_cube_at_once(table: Table) -> None:
    page = table("qubic", viewport={"width": 1280, "height": 900})
    page.locator('[data-place="b2.1"]').hover()
    assert preview(page, "b2.1", "data-place")[0] == preview(page, "b2.1")[0] == "X"
    page.get_by_role("heading", level=1).hover()
    assert preview(page, "b2.1", "data-place")[0] == preview(page, "b2.1")[0] == "none"


def test_a_finger_previews_only_what_it_has_chosen(table: Table) -> None:
    page = table("mnk:19,19,5", **PHONE)
    place(page, "k10").tap()
    expect(cell(page, "k10, empty, chosen")).to_be_visible()
    assert preview(page, "k10")[0] == "X"
    place(page, "m12").tap()
    expect(cell(page, "m12, empty, chosen")).to_be_visible()
    assert [preview(page, "k10")[0], preview(page, "m12")[0]] == ["none", "X"]


# Settings


def test_settings_hold_at_once_and_are_remembered(table: Table) -> None:
    page = table("mnk:7,7,4")
    expect(page.locator(".ranks")).to_be_visible()
    page.get_by_role("button", name="Settings", exact=True).click()
    dialog(page).get_by_label("Coordinates").uncheck()
    dialog(page).get_by_label("Confirm moves").check()
    dialog(page).get_by_label("Less motion").check()
    dialog(page).get_by_label("Violet and ochre").check()
    expect(page.locator(".ranks")).to_be_hidden()
    dialog(page).get_by_role("button", name="Done").click()
    expect(dialog(page)).to_have_count(0)
    page.reload()
    expect(room(page, plies=0)).to_be_visible()
    expect(page.locator(".ranks")).to_be_hidden()
    assert place(page, "a1").evaluate("cell => getComputedStyle(cell).transitionProperty") == "none"
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("button", name="Board settings").click()
    expect(dialog(page).get_by_label("Confirm moves")).to_be_checked()
    expect(dialog(page).get_by_label("Violet and ochre")).to_be_checked()
    dialog(page).get_by_role("button", name="Your name and marks").click()
    expect(page.get_by_label("Your name")).to_be_visible()


def test_settings_work_where_nothing_may_be_stored(open_page: OpenPage) -> None:
    watched = open_page(BARE)
    watched.context.add_init_script(STORAGE_DENIED)
    page = watched.page
    page.goto(page.url.removesuffix(BARE) + "/#create")
    start_on_one_screen(page, "super")
    expect(page.locator(".small-number").first).to_be_visible()
    page.get_by_role("button", name="Settings", exact=True).click()
    dialog(page).get_by_label("Coordinates").uncheck()
    dialog(page).get_by_label("Confirm moves").check()
    dialog(page).get_by_role("button", name="Done").click()
    expect(page.locator(".small-number").first).to_be_hidden()
    place(page, "5/5").click()
    expect(cell(page, "board 5 square 5, empty, chosen")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cell(page, "board 5 square 5, empty, chosen")).to_have_count(0)


def test_settings_by_keyboard_and_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(**PHONE).page
    gear = page.get_by_role("button", name="Settings", exact=True)
    expect(gear).to_be_visible()
    assert no_sideways_scroll(page)
    tab_to(page, gear)
    page.keyboard.press("Enter")
    expect(dialog(page)).to_be_visible()
    tab_to(page, dialog(page).get_by_label("Sound"))
    page.keyboard.press("Space")
    expect(dialog(page).get_by_label("Sound")).to_be_checked()
    assert dialog(page).evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(gear).to_be_focused()


# Confirming


def test_a_confirmed_move_takes_two_clicks(table: Table) -> None:
    page = table("tictactoe", {"confirm": True})
    place(page, "a1").click()
    expect(cell(page, "a1, empty, chosen")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("A1 chosen: choose it again to play it; Escape cancels.")
    expect(page.locator(".under")).to_contain_text("A1 chosen: touch it again, or")
    place(page, "b2").click()  # another cell changes it
    expect(cell(page, "b2, empty, chosen")).to_be_visible()
    expect(page.locator(".cell.chosen")).to_have_count(1)
    expect(room(page, plies=0)).to_be_visible()
    place(page, "b2").click()
    expect(room(page, plies=1)).to_be_visible()
    expect(cell(page, "b2, X, last move")).to_be_visible()
    place(page, "c3").click()
    page.get_by_role("button", name="Play c3").click()
    expect(room(page, plies=2)).to_be_visible()
    place(page, "a1").click()
    place(page, "c3").click(force=True)  # a cell that is taken gives the choice up
    expect(page.locator(".cell.chosen")).to_have_count(0)
    expect(room(page, plies=2)).to_be_visible()


def test_a_confirmed_move_by_keyboard_and_by_touch(table: Table) -> None:
    page = table("qubic", {"confirm": True})
    place(page, "b2.1").focus()
    page.keyboard.press("Enter")
    expect(cell(page, "b2 level 1, empty, chosen")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".cell.chosen")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(room(page, plies=1)).to_be_visible()

    phone = table("super", {"confirm": True}, **PHONE)
    place(phone, "5/5").tap()
    expect(cell(phone, "board 5 square 5, empty, chosen")).to_be_visible()
    assert no_sideways_scroll(phone)
    place(phone, "5/5").tap()
    expect(room(phone, plies=1)).to_be_visible()


# Planning


@pytest.fixture
def friends(open_page: OpenPage) -> Callable[..., tuple[Page, Page]]:
    """X and O, each with a page of their own, at a game by invitation."""

    def meet(
        game: str = "tictactoe", prepare: Callable[[Page], None] | None = None, **context: Any
    ) -> tuple[Page, Page]:
        host = open_page("/#create", **context)
        guest = open_page(**context)
        for each in (host, guest):
            if prepare:
                prepare(each.page)
        if prepare:
            host.page.reload()
        choose_game(host.page, game)
        host.page.get_by_text("A friend, by link").click()
        host.page.get_by_role("button", name="Make the link").click()
        guest.page.goto(host.page.get_by_label("Link to join").input_value())
        for each in (host, guest):
            expect(room(each.page, plies=0)).to_be_visible()
        x_is_host = host.page.locator(".bar").last.locator(".mark-x").count() == 1
        return (host.page, guest.page) if x_is_host else (guest.page, host.page)

    return meet


def test_a_planned_move_is_played_at_once(friends: Callable[..., tuple[Page, Page]]) -> None:
    x, o = friends()
    place(o, "b2").click()
    expect(cell(o, "b2, empty, O’s premove")).to_be_visible()
    expect(o.locator(".ask")).to_contain_text("Premove b2: played as soon as it is your turn.")
    expect(room(x, plies=0)).to_be_visible()  # nobody else knows
    expect(cell(x, "b2, empty")).to_be_visible()
    place(x, "a1").click()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    expect(cell(x, "b2, O, last move")).to_be_visible()

    # Given up: by the same cell, by Escape, by the button; another cell changes it.
    ways: tuple[Callable[[], None], ...] = (
        lambda: place(o, "c3").click(),
        lambda: o.keyboard.press("Escape"),
        lambda: o.get_by_role("button", name="Cancel", exact=True).click(),
    )
    for give_up in ways:
        place(o, "a2").click()
        place(o, "c3").click()
        expect(o.locator(".cell.planned")).to_have_count(1)
        expect(cell(o, "c3, empty, O’s premove")).to_be_visible()
        give_up()
        expect(o.locator(".cell.planned")).to_have_count(0)
    place(x, "b1").click()
    expect(room(o, ".my-turn", plies=3)).to_be_visible()
    place(o, "c1").click()
    expect(room(x, ".my-turn", plies=4)).to_be_visible()

    # By keyboard; the cell is taken before its turn comes.
    place(o, "a3").focus()
    o.keyboard.press("Enter")
    expect(cell(o, "a3, empty, O’s premove")).to_be_visible()
    place(x, "a3").click()
    expect(o.get_by_text("Your premove a3 is no longer legal.").first).to_be_visible()
    expect(room(o, ".my-turn", plies=5)).to_be_visible()


def test_a_plan_ends_with_the_position_it_was_made_for(friends: Callable[..., tuple[Page, Page]]) -> None:
    lines: list[Any] = []
    broken: list[bool] = []

    def prepare(page: Page) -> None:
        def line(socket: Any) -> None:
            if broken and page is lines[0][0]:
                socket.close(code=4000)
                return
            socket.connect_to_server()
            lines.append((page, socket))

        page.route_web_socket(re.compile("/ws$"), line)

    x, o = friends("super", prepare)
    place(x, "1/1").click()
    expect(room(o, ".my-turn", plies=1)).to_be_visible()
    place(o, "1/5").click()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    place(o, "5/5").click()
    expect(o.locator(".cell.planned")).to_have_count(1)
    o.get_by_role("button", name="Take back").click()
    x.get_by_role("button", name="Allow it").click()
    expect(room(o, ".my-turn", plies=1)).to_be_visible()
    expect(o.locator(".cell.planned")).to_have_count(0)
    expect(o.get_by_text("The game went another way: premove board 5 square 5 cancelled.").first).to_be_visible()
    place(o, "1/5").click()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()

    # A move that was made while the line was broken is seen first; the plan is not played upon it.
    place(o, "5/1").click()
    expect(o.locator(".cell.planned")).to_have_count(1)
    lines[:] = [pair for pair in lines if pair[0] is o]
    broken.append(True)
    lines[-1][1].close(code=4000)
    expect(o.get_by_text("Connection lost. Reconnecting")).to_be_visible()
    place(x, "5/5").click()
    expect(room(x, plies=3)).to_be_visible()
    broken.clear()
    expect(o.get_by_text("The game went another way: premove board 5 square 1 cancelled.").first).to_be_visible()
    expect(room(o, ".my-turn", plies=3)).to_be_visible()
    expect(o.locator(".cell.planned")).to_have_count(0)
    expect(room(x, plies=3)).to_be_visible()


def test_a_plan_by_touch_or_not_at_all(friends: Callable[..., tuple[Page, Page]]) -> None:
    x, o = friends("qubic", **PHONE)
    place(o, "b2.2").tap()
    expect(cell(o, "b2 level 2, empty, O’s premove")).to_be_visible()
    assert no_sideways_scroll(o)
    place(x, "a1.1").tap()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    o.get_by_role("button", name="Settings", exact=True).tap()
    dialog(o).get_by_label("Premoves").uncheck()
    dialog(o).get_by_role("button", name="Done").tap()
    place(o, "c3.3").tap(force=True)
    expect(o.get_by_text("It is not your turn yet.").first).to_be_visible()
    expect(o.locator(".cell.planned")).to_have_count(0)


# Nested boards


def test_the_board_where_a_move_leads_is_shown(table: Table) -> None:
    page = table("ultimate")
    place(page, "5/3").hover()
    expect(page.locator(".small[data-target] .small-number")).to_have_text("3")
    expect(page.locator(".board-caption")).to_have_text("Board 5 square 3 sends O to board 3.")
    page.locator(".status").hover()
    expect(page.locator(".small[data-target]")).to_have_count(0)
    for ply, move in enumerate(["5/1", "1/5", "5/2", "2/5", "5/3", "3/1"]):
        expect(room(page, plies=ply)).to_be_visible()
        place(page, move).click()
    expect(room(page, plies=6)).to_be_visible()
    expect(page.locator(".small.forced .small-number")).to_have_text("1")
    page.locator(".status").hover()
    place(page, "1/4").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(place(page, "1/5")).to_be_focused()
    expect(page.locator(".board-caption")).to_have_text("")  # taken
    page.keyboard.press("ArrowDown")
    expect(page.locator(".board-caption")).to_have_text("Board 1 square 8 sends O to board 8.")
    expect(page.locator(".small[data-target] .small-number")).to_have_text("8")
    page.keyboard.press("Enter")
    expect(room(page, plies=7)).to_be_visible()
    place(page, "8/5").hover()
    expect(page.locator(".board-caption")).to_have_text("Board 8 square 5 sends X to any open board.")
    expect(page.locator(".small[data-target]")).to_have_count(0)


# Around the board


COUNTED_TONES = """
    window.tones = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
        window.tones.push(this.frequency.value);
        start.call(this, when);
    };
"""


def test_a_game_against_a_bot_taken_back_given_up_and_made_again(open_page: OpenPage) -> None:
    watched = open_page(BARE, remembers={"noughts.preferences": {"sound": True}})
    watched.context.add_init_script(COUNTED_TONES)
    page = watched.page
    page.goto(page.url.removesuffix(BARE) + "/#create")
    choose_game(page, "qubic")
    page.get_by_text("X, first").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    place(page, "b2.2").click()
    expect(room(page, ".my-turn", plies=2)).to_be_visible()
    assert page.evaluate("window.tones.slice(-2)") == [660, 880]
    expect(page).to_have_title("Your turn · Qubic · noughts")
    page.get_by_role("button", name="Take back").click()  # one click: a bot allows it
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    expect(cell(page, "b2 level 2, empty")).to_be_visible()
    place(page, "c3.3").click()
    expect(room(page, ".my-turn", plies=2)).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(room(page, ".over")).to_be_visible()
    assert page.evaluate("window.tones.slice(-2)") == [520, 390]
    first = page.url
    page.get_by_role("button", name="New game, same settings").click()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    expect(page.get_by_role("heading", name="Qubic")).to_be_visible()
    expect(page.locator(".bar").last.locator(".mark-x")).to_be_visible()
    assert page.url != first


# Typing


def test_a_game_by_typed_moves(table: Table) -> None:
    page = table("mnk:7,7,4")
    field = page.get_by_label("Type a move")
    field.fill("C3")
    field.press("Enter")
    expect(cell(page, "c3, X, last move")).to_be_focused()
    page.keyboard.press("d")  # on the board, a letter leads to the field
    expect(field).to_be_focused()
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(cell(page, "d4, O, last move")).to_be_focused()
    for typed, sentence in (
        ("hello <b>world</b>", "“hello <b>wor” is not a move here: type one such as g7."),
        ("j9", "j9 is not on this board: its cells go from a1 to g7."),
        ("c3", "C3 is taken."),
    ):
        field.fill(typed)
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(".typed [role=alert]")).to_have_text(sentence)
    expect(room(page, plies=2)).to_be_visible()


def test_typed_moves_on_small_boards_and_planned_ones(friends: Callable[..., tuple[Page, Page]]) -> None:
    x, o = friends("ultimate")
    o.get_by_label("Type a move").fill("55")
    o.keyboard.press("Enter")
    expect(cell(o, "board 5 square 5, empty, O’s premove")).to_be_focused()
    x.get_by_label("Type a move").fill("4/5")
    x.keyboard.press("Enter")
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    expect(x.get_by_label("Type a move")).to_have_attribute("placeholder", "5/9")
    x.get_by_label("Type a move").fill("1/1")
    x.keyboard.press("Enter")
    expect(x.locator(".typed [role=alert]")).to_have_text("Board 1 square 1 is not a legal move: play in board 5.")


def test_a_large_board_is_pinched_and_panned(table: Table) -> None:
    page = table("mnk:19,19,6", **PHONE)
    finger = page.context.new_cdp_session(page)

    def middle() -> tuple[float, float]:
        place(page, "j10").scroll_into_view_if_needed()
        box = place(page, "j10").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(type_: str, *points: tuple[float, float]) -> None:
        places = [{"x": across, "y": down, "id": number} for number, (across, down) in enumerate(points)]
        finger.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": places})

    def pinch(first: int, last: int) -> None:
        x, y = middle()
        touch("touchStart", (x - first, y), (x + first, y))
        for step in range(1, 6):
            apart = first + (last - first) * step / 5
            touch("touchMove", (x - apart, y), (x + apart, y))
        touch("touchEnd")

    def size() -> float:
        box = place(page, "j10").bounding_box()
        assert box is not None
        return box["width"]

    small = size()
    x, y = middle()
    pinch(20, 80)
    expect(page.get_by_label("Enlarge the board")).to_be_checked()
    assert 3.5 * small < size() <= 88
    # What lay between the fingers lies there still; nothing was played, and the page itself is not zoomed.
    at = "([x, y]) => document.elementFromPoint(x, y).dataset.cell"
    assert page.evaluate(at, [x, y]) == "j10"
    assert page.evaluate("visualViewport.scale") == 1
    assert no_sideways_scroll(page)
    expect(room(page, plies=0)).to_be_visible()
    # One finger pans, and plays nothing.
    pane = page.locator(".board-pane")
    before = pane.evaluate("pane => pane.scrollLeft")
    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x - 15 * step, y))
    touch("touchEnd")
    until(page, "before => document.querySelector('.board-pane').scrollLeft > before + 40", before)
    expect(room(page, plies=0)).to_be_visible()
    # A double tap plays once.
    page.get_by_label("Enlarge the board").uncheck()
    assert size() == small
    page.get_by_label("Enlarge the board").check()
    assert size() >= 44  # so that one touch is sure enough
    assert pane.evaluate("pane => pane.scrollWidth > 2 * pane.clientWidth && pane.scrollLeft > 100")  # its middle
    for _ in range(2):
        place(page, "j10").tap(force=True)
    expect(cell(page, "j10, X, last move")).to_be_visible()
    place(page, "j10").tap(force=True)
    expect(page.locator(".under")).to_contain_text("J10 is taken.")  # it says why nothing is played
    expect(room(page, plies=1)).to_be_visible()
    # And small again, after a reload too.
    page.reload()
    expect(page.get_by_label("Enlarge the board")).to_be_checked()
    pinch(120, 10)
    expect(page.get_by_label("Enlarge the board")).not_to_be_checked()
    assert size() == small


# How large it is


@pytest.mark.slow
@pytest.mark.parametrize("game", ["mnk:19,19,5", "qubic", "cube:3", "ultimate"])
def test_ones_own_clock_is_on_the_first_screen(game: str, table: Table) -> None:
    page = table(game, viewport={"width": 1280, "height": 800})
    assert page.locator(".bar").last.evaluate("(bar) => bar.getBoundingClientRect().bottom") <= 800
    assert page.locator(".cell").first.evaluate("(cell) => cell.offsetWidth") >= 24


def test_a_small_cube_uses_a_phone_s_screen(table: Table) -> None:
    page = table("cube:3", viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.locator(".cell").first.evaluate("(cell) => cell.offsetWidth") >= 44
    assert page.locator(".bar").last.evaluate("(bar) => bar.getBoundingClientRect().bottom") <= 844
    assert no_sideways_scroll(page)


@pytest.mark.slow
def test_axe_finds_nothing_wrong_with_any_of_it(table: Table, friends: Callable[..., tuple[Page, Page]]) -> None:
    inspector = Inspector()
    page = table("mnk:12,12,5", {"confirm": True, "colours": "ink-red"})
    page.get_by_role("button", name="Settings", exact=True).click()
    inspector.look(page, "settings")
    page.keyboard.press("Escape")
    place(page, "c3").click()
    page.get_by_label("Type a move").fill("nonsense")
    page.keyboard.press("Enter")
    inspector.look(page, "a chosen cell, and nonsense that was typed")
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    page.get_by_label("Enlarge the board").check()
    inspector.look(page, "enlarged")
    x, o = friends("super")
    place(o, "5/5").click()
    place(x, "5/3").hover()
    inspector.look(o, "a planned move")
    inspector.look(x, "a board that a move leads to")
    inspector.verdict()
