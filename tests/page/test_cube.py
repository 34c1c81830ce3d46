"""Cubes on the page: turned, opened and played in space, beside or instead of their layers; lines and threats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import OpenPage, until
from tests.support.page.play import (
    PHONE,
    cell,
    new_on_one_screen,
    no_sideways_scroll,
    room,
    start_on_one_screen,
    tab_to,
)

pytestmark = pytest.mark.browser

STILL = {"reduced_motion": "reduce"}
WIDE = {"viewport": {"width": 1280, "height": 900}}
Setup = Callable[..., Page]


@pytest.fixture
def table(open_page: OpenPage) -> Setup:
    """A new game for two on one screen, by somebody who looks at boards so."""

    def open_(game: str = "qubic", looks: Any = None, **context: Any) -> Page:
        remembers = {"noughts.looks": looks} if looks else None
        return new_on_one_screen(open_page, game, remembers=remembers, **{**WIDE, **STILL, **context})

    return open_


def remember(page: Page, looks: Any) -> None:
    page.evaluate("text => localStorage.setItem('noughts.looks', text)", json.dumps(looks))


def stone(page: Page, name: str) -> Locator:
    """A cell of the cube."""
    return page.locator(f'[data-place="{name}"]')


def view(page: Page, name: str) -> Locator:
    return page.get_by_role("radio", name=name, exact=True)


def choose_view(page: Page, name: str) -> None:
    page.locator(".board-view").get_by_text(name, exact=True).click()


def stage(page: Page) -> Locator:
    return page.locator(".cube-stage")


def turned(page: Page) -> tuple[float, float]:
    """Spin and tilt, in degrees."""
    style = page.locator(".cube-layer").first.get_attribute("style") or ""
    [(tilt, spin)] = re.findall(r"rotateX\((-?[\d.]+)deg\) rotateY\((-?[\d.]+)deg\)", style)
    return float(spin), -float(tilt)


def turned_to(page: Page, spin: float, tilt: float) -> None:
    wanted = rf"rotateX\({-tilt:g}deg\) rotateY\({spin:g}deg\)"
    expect(page.locator(".cube-layer").first).to_have_attribute("style", re.compile(wanted))


def play(page: Page, *moves: str) -> None:
    """In the cube, by whatever made the click."""
    before = int(room(page).get_attribute("data-plies") or 0)
    for ply, move in enumerate(moves, before + 1):
        stone(page, move).dispatch_event("click")
        expect(room(page, plies=ply)).to_be_visible()


PLACES = """() => [...document.querySelectorAll('.cube-cell')].map((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    return [x, y, width, height].map((each) => each.toFixed(1)).join(' ');
})"""


def test_no_move_shifts_a_cell(table: Setup) -> None:
    """Though the last move and the cells that won have wider borders."""
    page = table(looks={"view": "cube"})
    places = page.evaluate(PLACES)
    for move in ("a1.1", "b2.2", "a1.2", "b2.3", "a1.3", "c3.3", "a1.4"):
        play(page, move)
        assert page.evaluate(PLACES) == places, move


HIT = """() => {
    const cells = [...document.querySelectorAll('[data-place]')];
    document.querySelector('.cube-stage').scrollIntoView(); // below the players' bars that stay in sight
    return cells.filter((cell) => {
        const box = cell.getBoundingClientRect();
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return hit !== cell;
    }).map((cell) => cell.dataset.place);
}"""
"""The cells whose middle somebody else covers."""


# Play


def test_a_move_in_the_cube_is_a_move_on_the_layers(table: Setup) -> None:
    page = table()
    stone(page, "c2.3").click()
    expect(cell(page, "c2 level 3, X, last move")).to_be_visible()
    expect(stone(page, "c2.3")).to_have_text("X")
    expect(stone(page, "c2.3")).to_have_class(re.compile(r"\blast\b"))
    # The keyboard goes where the mouse was, on the layers: the cube beside them is for the eyes.
    expect(cell(page, "c2 level 3, X")).to_be_focused()
    page.keyboard.press("PageDown")
    page.keyboard.press("Enter")
    expect(stone(page, "c2.4")).to_have_text("O")
    expect(room(page, plies=2)).to_be_visible()
    stone(page, "c2.4").click(force=True)
    expect(page.get_by_text("C2 level 4 is taken.").first).to_be_visible()


def test_a_drag_turns_and_plays_nothing(table: Setup) -> None:
    page = table(looks={"view": "cube"})
    turned_to(page, -24, 26)
    middle = stone(page, "b2.2").bounding_box()
    assert middle is not None
    x, y = middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=4)
    page.mouse.up()
    turned_to(page, 3, 32)
    expect(room(page, plies=0)).to_be_visible()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 2, y + 1)  # a hand that trembles plays all the same
    page.mouse.up()
    expect(room(page, plies=1)).to_be_visible()
    turned_to(page, 3, 32)
    # Browsers differ in whom they tell of the click that ends a drag: one that reaches a cell plays nothing.
    stone(page, "c3.3").evaluate(
        """(cell) => {
            const hand = (type, clientX) => cell.dispatchEvent(new PointerEvent(type, { clientX, isPrimary: true, bubbles: true }));
            hand('pointerdown', 100);
            hand('pointermove', 120);
            hand('pointerup', 120);
            cell.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true }));
        }"""  # noqa: E501
    )
    turned_to(page, 12, 32)
    stone(page, "c3.4").click()
    expect(room(page, plies=2)).to_be_visible()
    expect(stone(page, "c3.3")).to_have_text("")


def test_keys_and_buttons_turn_open_and_reset(table: Setup) -> None:
    page = table()
    slider = page.get_by_role("slider", name="Pull the layers apart")
    expect(slider).to_have_attribute("aria-valuetext", "70\u00a0% open")
    cell(page, "b2 level 1").focus()
    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowUp", "+", "+", "-"):
        page.keyboard.press(key)
    turned_to(page, 6, 32)
    expect(slider).to_have_attribute("aria-valuetext", "80\u00a0% open")
    expect(cell(page, "b2 level 1")).to_be_focused()
    expect(room(page, plies=0)).to_be_visible()
    page.keyboard.press("0")
    turned_to(page, -24, 26)
    expect(slider).to_have_value("70")
    for name, spin, tilt in (
        ("Turn to the left", -39, 26),
        ("Turn to the right", -24, 26),
        ("Look more from the side", -24, 20),
        ("Look more from above", -24, 26),
    ):
        page.get_by_role("button", name=name).click()
        turned_to(page, spin, tilt)
    for _ in range(10):
        page.keyboard.press("Shift+ArrowUp")
    turned_to(page, -24, 60)
    slider.fill("35")
    page.get_by_role("button", name="Turn to the left").click()
    expect(slider).to_have_value("35")
    page.reload()
    expect(slider).to_have_value("35")
    page.get_by_role("button", name="Reset the view").click()
    expect(slider).to_have_value("70")


@pytest.mark.parametrize("game", ["cube:3", "qubic", "cube:5"])
def test_names_are_seen_whole_on_a_phone_however_it_is_turned(table: Setup, game: str) -> None:
    page = table(game, {"view": "cube"}, viewport={"width": 390, "height": 844}, has_touch=True)
    expect(stage(page)).to_be_visible()
    beyond = """async (stage, left) => {
        const found = [];
        for (let turns = 0; turns < 24; turns++) {
            const edges = stage.getBoundingClientRect();
            for (const name of stage.querySelectorAll('.cube-name')) {
                const box = name.getBoundingClientRect();
                if (box.left < edges.left || box.right > edges.right) found.push([turns, name.textContent]);
            }
            left.click();
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }
        return found;
    }"""
    left = page.get_by_role("button", name="Turn to the left").element_handle()
    assert stage(page).evaluate(beyond, left) == []


def test_the_cube_glides_where_motion_is_welcome(table: Setup) -> None:
    page = table(looks={"view": "cube"}, reduced_motion="no-preference")
    turned_to(page, -24, 26)
    # A machine that is busy for as long as the cube glides would draw only the last of its poses.
    page.clock.install(time=0)
    page.clock.pause_at(1_000)

    def glide(spin: float) -> None:
        for _ in range(6):
            page.clock.run_for(50)
        turned_to(page, spin, 26)

    page.evaluate(
        """() => {
            window.poses = new Set();
            const layer = document.querySelector('.cube-layer');
            new MutationObserver(() => window.poses.add(layer.style.transform)).observe(layer, { attributes: true });
        }"""
    )
    page.get_by_role("button", name="Turn to the right").click()
    glide(-9)
    assert page.evaluate("window.poses.size") > 1
    # Two presses in a row add up, though the first has not come to its end.
    page.get_by_role("button", name="Turn to the right").evaluate("press => { press.click(); press.click(); }")
    glide(21)
    # Back as it was by the short way, however often it was spun around.
    page.get_by_role("button", name="Turn to the right").evaluate(
        "press => { for (let i = 0; i < 22; i++) press.click(); }"
    )
    glide(351)
    page.evaluate("window.poses.clear()")
    page.get_by_role("button", name="Reset the view").click()
    glide(-24)
    poses: list[str] = page.evaluate("[...window.poses]")
    spins = [re.findall(r"rotateY\((.*?)deg", pose) for pose in poses]
    assert max(float(degrees) for [degrees] in spins) < 0


def test_the_cube_alone_by_keyboard(table: Setup) -> None:
    page = table(looks={"view": "cube"})
    expect(page.get_by_role("grid")).to_have_count(4)
    expect(page.get_by_role("grid", name="Level 4")).to_be_visible()
    expect(page.locator('.cube-cell[tabindex="0"]')).to_have_count(1)
    tab_to(page, cell(page, "b2 level 1"))  # the middle of the first
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowUp")
    expect(cell(page, "b3 level 2, empty")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, "b3 level 2, X, last move")).to_be_focused()
    for _ in range(7):
        page.keyboard.press("Shift+ArrowRight")
    turned_to(page, 81, 26)
    page.keyboard.press("ArrowUp")  # away from whoever looks: to the right, on the layers
    expect(cell(page, "c3 level 2, empty")).to_be_focused()
    page.keyboard.press("Space")
    expect(cell(page, "c3 level 2, O")).to_be_visible()
    # What stands where is the same when the layers come back, the keyboard's place too.
    choose_view(page, "Layers")
    expect(page.locator('.cell[tabindex="0"]')).to_have_attribute("data-cell", "c3.2")
    expect(cell(page, "b3 level 2, X")).to_be_visible()
    expect(page.get_by_role("gridcell")).to_have_count(64)


def test_beside_the_layers_the_cube_is_not_read_out_twice(table: Setup) -> None:
    page = table()
    expect(view(page, "Both")).to_be_checked()
    expect(stone(page, "a1.1")).to_be_visible()
    expect(page.get_by_role("gridcell")).to_have_count(64)
    expect(page.get_by_role("grid")).to_have_count(4)
    expect(stage(page)).to_have_attribute("aria-hidden", "true")
    expect(page.locator('.cube-cell:not([tabindex="-1"])')).to_have_count(0)
    stone(page, "a1.1").hover()
    page.mouse.down()
    assert page.evaluate("!document.querySelector('.cube').contains(document.activeElement)")


@pytest.mark.parametrize(
    ("game", "cells", "context"),
    [
        ("qubic", 64, {}),
        ("qubic", 64, PHONE),
        pytest.param("cube:3", 27, {}, marks=pytest.mark.slow),
        pytest.param("cube:5", 125, {}, marks=pytest.mark.slow),
    ],
    ids=["qubic", "qubic on a phone", "cube:3", "cube:5"],
)
def test_every_cell_of_an_open_cube_can_be_hit(game: str, cells: int, context: Any, table: Setup) -> None:
    page = table(game, looks={"view": "cube", "open": 1}, **context)
    expect(page.locator("[data-place]")).to_have_count(cells)
    turned_to(page, -24, 26)
    assert page.evaluate(HIT) == []
    for _ in range(3):
        page.get_by_role("button", name="Turn to the right").click()
        page.get_by_role("button", name="Look more from above").click()
    turned_to(page, 21, 44)
    assert page.evaluate(HIT) == []
    assert no_sideways_scroll(page)
    page.get_by_role("button", name="Reset the view").click()
    turned_to(page, -24, 26)
    assert page.evaluate(HIT) == []  # as it is opened at first, too
    page.get_by_role("slider", name="Pull the layers apart").fill("0")
    until(page, f"() => ({HIT})().length > 0")  # so the measure means something


def test_the_cube_by_touch_on_a_phone(table: Setup) -> None:
    page = table(**PHONE)
    expect(view(page, "Layers")).to_be_checked()  # no room for both
    expect(view(page, "Both")).to_be_hidden()
    page.locator(".board-view").get_by_text("Cube", exact=True).tap()
    expect(stage(page)).to_be_visible()
    expect(page.locator('[data-cell="b2.2"]')).to_be_hidden()
    assert no_sideways_scroll(page)
    target = stone(page, "c2.2")
    small = min(
        target.evaluate("cell => { const box = cell.getBoundingClientRect(); return [box.width, box.height]; }")
    )
    target.tap()
    if small < 30:
        expect(room(page, plies=0)).to_be_visible()  # too small for one touch to be sure
        expect(target).to_have_class(re.compile(r"\bchosen\b"))
        page.get_by_role("button", name="Play c2.2").tap()
    expect(cell(page, "c2 level 2, X, last move")).to_be_visible()
    # A finger that moves sideways turns; the browser keeps up and down for scrolling.
    assert stage(page).evaluate("stage => getComputedStyle(stage).touchAction") == "pan-y pinch-zoom"
    before = turned(page)
    finger = page.context.new_cdp_session(page)
    stage(page).scroll_into_view_if_needed()
    box = stage(page).bounding_box()
    assert box is not None
    for kind, x in (("touchStart", 100), ("touchMove", 130), ("touchMove", 180), ("touchEnd", None)):
        points = [] if x is None else [{"x": x, "y": box["y"] + 120}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator(".cube-layer").first).not_to_have_attribute(
        "style", re.compile(rf"rotateY\({before[0]:g}deg\)")
    )
    expect(room(page, plies=1)).to_be_visible()


# What is remembered


def test_the_view_is_remembered(table: Setup) -> None:
    page = table()
    for name, layers, cube in (("Cube", False, True), ("Layers", True, False), ("Both", True, True)):
        choose_view(page, name)
        page.reload()
        expect(view(page, name)).to_be_checked()
        expect(page.locator('[data-cell="a1.1"]')).to_be_visible(visible=layers)
        expect(stone(page, "a1.1")).to_be_visible(visible=cube)
    page.set_viewport_size({"width": 800, "height": 900})
    expect(view(page, "Layers")).to_be_checked()
    expect(stone(page, "a1.1")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(view(page, "Both")).to_be_checked()


def test_nonsense_that_is_remembered_is_forgotten(table: Setup) -> None:
    page = table(looks={"view": "sphere", "open": "wide", "threats": "yes"})
    for nonsense in ({"open": 1e9}, 7, None):
        expect(view(page, "Both")).to_be_checked()
        expect(page.get_by_role("slider", name="Pull the layers apart")).to_have_value("70")
        expect(page.get_by_role("checkbox", name="Show threats")).not_to_be_checked()
        remember(page, nonsense)
        page.reload()
    expect(page.get_by_role("slider", name="Pull the layers apart")).to_have_value("70")


# Lines and threats

MARKS = ["a1.1", "d1.1", "a2.1", "d1.2", "a3.1", "d1.3"]
"""Each side has three of a line: X of a file of level 1, O of an upright."""


def lined(page: Page, kind: str) -> dict[str, int]:
    """How many cells are on lines, by who can complete them."""
    states: list[str] = page.locator(f"{kind}[data-line]").evaluate_all("cells => cells.map(cell => cell.dataset.line)")
    return {state: states.count(state) for state in sorted(set(states))}


def test_lines_through_a_cell_are_shown(table: Setup) -> None:
    page = table()
    play(page, *MARKS)
    told = page.locator(".board-caption")
    cell(page, "a1 level 1").hover()
    # The row of level 1 ends at a mark of O.
    expect(told).to_have_text("A1 level 1: 7 lines (6 for X, 1 blocked).")
    assert lined(page, ".cell") == lined(page, ".cube-cell") == {"dead": 3, "x": 18}
    expect(page.locator(".rod")).to_have_count(21)
    expect(page.locator(".rod-dead")).to_have_count(3)
    dotted = page.locator('.cell[data-line="dead"]').first
    assert dotted.evaluate("cell => getComputedStyle(cell).outlineStyle") == "dotted"
    # The same from the cube, and by the keyboard where no mouse is.
    stone(page, "c2.2").hover()
    expect(told).to_have_text("C2 level 2: 7 lines (5 open, 2 for O).")
    assert lined(page, ".cell") == lined(page, ".cube-cell") == {"o": 6, "open": 15}
    page.mouse.move(5, 5)
    expect(told).to_have_text("")
    assert lined(page, ".cell") == {}
    expect(page.locator(".rod")).to_have_count(0)
    tab_to(page, page.locator('.cell[tabindex="0"]'))
    page.keyboard.press("Home")
    page.keyboard.press("Control+End")
    expect(told).to_have_text(re.compile(r"^D1 level 4: 7 lines \(.* for O"))
    assert page.locator(".cell[data-looked]").get_attribute("data-cell") == "d1.4"
    page.get_by_role("button", name="Take back").focus()
    expect(told).to_have_text("")


def test_threats_are_shown_to_whoever_asks(table: Setup) -> None:
    page = table()
    play(page, *MARKS)
    switch = page.get_by_role("checkbox", name="Show threats")
    expect(switch).not_to_be_checked()
    assert page.locator("[data-threat]:not(.threat-sign)").count() == 0
    switch.check()
    expect(cell(page, "a4 level 1, empty, completes a line for X")).to_be_visible()
    expect(cell(page, "d1 level 4, empty, completes a line for O")).to_be_visible()
    for kind in (".cell", ".cube-cell"):
        found = page.locator(f"{kind}[data-threat]").evaluate_all(
            "cells => cells.map(cell => [cell.dataset.cell ?? cell.dataset.place, cell.dataset.threat]).sort()"
        )
        assert found == [["a4.1", "x"], ["d1.4", "o"]]
    # A shape for each side, not a colour alone.
    round_ = "cell => getComputedStyle(cell, '::before').borderRadius"
    shapes = [page.locator(f'[data-cell="{name}"]').evaluate(round_) for name in ("a4.1", "d1.4")]
    assert shapes == ["0px", "50%"]
    page.reload()
    expect(switch).to_be_checked()
    expect(stone(page, "a4.1")).to_have_attribute("data-threat", "x")
    play(page, "a4.1")
    expect(page.locator(".status")).to_have_text("X wins with four in a row.")
    assert page.locator("[data-threat]:not(.threat-sign)").count() == 0


def test_threats_on_a_flat_board_but_not_on_small_boards(table: Setup) -> None:
    page = table("tictactoe")
    for ply, move in enumerate(["a1", "b2", "a2"], 1):
        cell(page, f"{move}, empty").click()
        expect(room(page, plies=ply)).to_be_visible()
    page.get_by_role("checkbox", name="Show threats").check()
    expect(cell(page, "a3, empty, completes a line for X")).to_be_visible()
    expect(page.locator(".cell[data-threat]")).to_have_count(1)
    page.goto(page.url.split("/room")[0] + "/#create")
    page.reload()
    start_on_one_screen(page, "ultimate")
    expect(page.get_by_role("checkbox", name="Show threats")).to_have_count(0)


# Wherever boards are


def test_a_won_game_and_its_replay(table: Setup) -> None:
    page = table(looks={"view": "cube"})
    play(page, "a1.1", "b2.2", "b2.1", "b3.2", "c3.1", "c1.1", "d4.1")
    expect(page.locator(".status")).to_have_text("X wins with four in a row.")
    expect(page.locator(".cube-cell.win")).to_have_count(4)
    expect(page.locator(".rod-won")).to_have_count(3)
    expect(cell(page, "d4 level 1, X, last move, in the winning line")).to_be_visible()
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_text("After 7 of 7 moves")).to_be_visible()
    expect(page.locator(".rod-won")).to_have_count(3)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".rod-won")).to_have_count(0)
    expect(stone(page, "d4.1")).to_have_text("")
    expect(stone(page, "c1.1")).to_have_class(re.compile(r"\blast\b"))
    # Arrows walk the cube where the keyboard is on it, and the game elsewhere.
    cell(page, "b2 level 1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    turned_to(page, -9, 26)
    expect(cell(page, "c2 level 1")).to_be_focused()
    expect(page.get_by_text("After 6 of 7 moves")).to_be_visible()
    # Moves of the list and the explorer's hints are in the cube too.
    page.goto(page.url.split("/game")[0] + "/explorer?game=qubic")
    expect(stone(page, "a1.1")).to_be_visible()
    stone(page, "b2.2").click()
    expect(page.locator(".status")).to_have_text("After 1 move, O to move.")
    expect(stone(page, "b2.2")).to_have_text("X")


def test_a_game_moves_nothing_on_the_page(table: Setup) -> None:
    page = table()
    play(page, "b2.2")
    page.evaluate(
        """() => {
            window.shifts = [];
            const name = ({ node }) => node?.closest?.('.table') && node.outerHTML.slice(0, 80);
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(...entry.sources.map(name).filter(Boolean))))
                .observe({ type: 'layout-shift' });
        }"""  # noqa: E501
    )
    for name in ("c3.3", "a1.1"):
        stone(page, name).hover()
        play(page, name)
    page.get_by_role("checkbox", name="Show threats").check()
    page.get_by_role("button", name="Turn to the left").click()
    play(page, "d4.4", "a1.4")
    assert page.evaluate("window.shifts") == []
