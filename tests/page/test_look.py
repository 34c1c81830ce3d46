"""The look: themes, sizes, drawn marks, the largest thing on the screen. Colours by number are in test_design.py."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import BARE, OpenPage, until
from tests.support.page.play import cell, choose_game, invite, new_on_one_screen, no_sideways_scroll, room
from tests.support.page.texts import page_texts

pytestmark = pytest.mark.browser

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
A5: dict[str, Any] = {"viewport": {"width": 484, "height": 718}}
"""Paper without the printer's margins."""
TALL_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
BOX = (
    "(element) => { const { x, y, width, height } = element.getBoundingClientRect(); return { x, y, width, height }; }"
)

RIGHT = "(elements) => elements.map((element) => element.getBoundingClientRect().right)"

HEIGHT_OF_TEXT = "(element, text) => { element.textContent = text; return element.offsetHeight; }"


def box(page: Page, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).first.evaluate(BOX)
    return found


def colour(page: Page, name: str) -> str:
    """What a token looks like now."""
    shown: str = page.evaluate(
        """(name) => {
            const probe = document.body.appendChild(document.createElement('i'));
            probe.style.color = `var(${name})`;
            const seen = getComputedStyle(probe).color;
            probe.remove();
            return seen;
        }""",
        name,
    )
    return shown


# Themes


def choose_theme(page: Page, name: str) -> None:
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_role("radio", name=name, exact=True).check()
    page.get_by_role("button", name="Done").click()


def test_a_theme_holds_at_once_and_from_the_first_paint_on(open_page: OpenPage) -> None:
    page = open_page(color_scheme="light").page
    grounds = {"system": colour(page, "--paper")}
    for name in ("Dark", "Chalk on slate", "Light"):
        choose_theme(page, name)
        grounds[name] = colour(page, "--paper")
    assert grounds["system"] == grounds["Light"]
    assert len(set(grounds.values())) == 3
    choose_theme(page, "Chalk on slate")
    page.emulate_media(color_scheme="dark")
    assert colour(page, "--paper") == grounds["Chalk on slate"]
    page.reload()
    assert colour(page, "--paper") == grounds["Chalk on slate"]
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"  # its own controls, too
    # Paper is white whatever the screen is.
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert colour(page, "--paper") == grounds["Light"]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert colour(page, "--paper") == grounds["Chalk on slate"]


def test_what_is_printed_has_no_bars_and_does_not_scroll(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe", viewport={"width": 480, "height": 720})
    page.emulate_media(media="print")
    for bar in (".places", ".foot", ".gear"):
        expect(page.locator(bar)).to_be_hidden()
    expect(page.locator(".moves")).to_have_css("overflow-y", "visible")


def test_the_lobby_is_printed_whole(open_page: OpenPage) -> None:
    page = open_page(**A5).page
    expect(page.locator(".bots li").first).to_be_visible()
    page.emulate_media(media="print")
    for list_ in page.locator(".cards, .lobby .panel ul").all():
        expect(list_).to_have_css("overflow", "visible")
        expect(list_).to_have_css("max-height", "none")
    paper = box(page, "html")["width"]
    assert max(page.locator(".card").evaluate_all(RIGHT)) <= paper


def test_the_system_decides_until_somebody_chooses(open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark").page
    dark = colour(page, "--paper")
    page.emulate_media(color_scheme="light")
    light = colour(page, "--paper")
    assert light != dark
    choose_theme(page, "Dark")
    assert colour(page, "--paper") == dark
    choose_theme(page, "Same as system")
    assert colour(page, "--paper") == light


def test_whoever_wants_contrast_gets_it(open_page: OpenPage) -> None:
    page = open_page(contrast="more").page
    assert colour(page, "--ink-soft") == colour(page, "--ink") == colour(page, "--rule-strong")


# The shell


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_has_one_row_above_and_the_places_below(width: int, open_page: OpenPage) -> None:
    page = open_page("/ladder", viewport={"width": width, "height": 844}, has_touch=True).page
    expect(page.locator(".you .name")).to_have_text(re.compile(r"\d"))
    top, bar = box(page, ".top"), box(page, ".places")
    assert top["height"] <= 60
    assert bar["y"] + bar["height"] == 844
    assert bar["width"] == width
    assert bar["height"] <= 64
    links = page.locator(".places a")
    expect(links).to_have_text(["Play", "Learn", "Ladder", "Stats", "Explore"])
    assert all(each["width"] >= 44 and each["height"] >= 44 for each in links.evaluate_all(f"(all) => all.map({BOX})"))
    expect(page.locator(".places [aria-current=page]")).to_have_text("Ladder")
    assert no_sideways_scroll(page)
    links.first.tap()
    expect(page.locator(".places [aria-current=page]")).to_have_text("Play")
    # The end of the page is not below the bar.
    until(
        page,
        """() => {
            window.scrollTo(0, document.body.scrollHeight);
            const [foot, bar] = ['.foot', '.places'].map((one) => document.querySelector(one).getBoundingClientRect());
            return foot.bottom < bar.top + 1;
        }""",
    )


def test_a_desktop_has_the_places_in_its_one_row(open_page: OpenPage) -> None:
    page = open_page(**DESKTOP).page
    expect(page.locator(".top .wordmark")).to_have_count(1)
    top, places = box(page, ".top"), box(page, ".places")
    assert top["height"] <= 60
    assert top["y"] <= places["y"] <= places["y"] + places["height"] <= top["y"] + top["height"]


@pytest.mark.parametrize("width", [768, 1280])
def test_the_ways_to_play_have_their_names_on_one_line(width: int, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": width, "height": 1024}).page
    names = page.locator(".way-button > span")
    expect(names).to_have_count(3)
    tops = "spans => spans.map((span) => span.getBoundingClientRect().top)"
    assert len(set(names.evaluate_all(tops))) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bot_is_told_in_one_line_on_a_phone(language: str, open_page: OpenPage) -> None:
    page = open_page(**TALL_PHONE, locale=language).page
    bot = page.locator(".way-button.primary small > span").first
    expect(bot).not_to_be_empty()
    texts = page_texts(language)
    levels = [texts["levels.at"].format(level=n, highest=8, strength=texts[f"levels.{n}"]) for n in range(1, 9)]
    known = {"name": "Stufe 4", "rating": 1512, "mine": 1490}
    proposed = [text for key, text in texts.items() if key.startswith("lobby.pick.")]
    whys = [text.format_map(known | {"level": level}) for text in proposed for level in levels]
    assert {bot.evaluate(HEIGHT_OF_TEXT, why) for why in whys} == {bot.evaluate(HEIGHT_OF_TEXT, "X")}


# The board


@pytest.mark.parametrize("game", ["tictactoe", "gomoku", "ultimate"])
def test_a_board_is_as_wide_as_a_phone(game: str, open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, game, **TALL_PHONE)
    board = box(page, ".board-nested, .board .layer")
    assert 350 <= board["width"] <= 390
    assert no_sideways_scroll(page)


@pytest.mark.parametrize("game", ["tictactoe", "gomoku"])
def test_a_phone_on_its_side_shows_the_whole_board_with_the_rest_beside_it(game: str, open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, game, viewport={"width": 844, "height": 390}, has_touch=True)
    board = box(page, ".board")
    assert board["y"] + board["height"] <= 390
    for beside in (".room-head", ".seat-theirs", ".seat-mine", ".side-panel"):
        assert box(page, beside)["x"] >= board["x"] + board["width"]
    assert no_sideways_scroll(page)


def test_a_small_phone_on_its_side_has_nothing_lie_over_the_board(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "ultimate", viewport={"width": 568, "height": 320}, has_touch=True)
    board = box(page, ".board")
    assert board["height"] <= 320 - box(page, ".places")["height"]
    for beside in (".seat-theirs", ".seat-mine"):
        assert box(page, beside)["x"] >= board["x"] + board["width"]
    assert no_sideways_scroll(page)


def test_a_desktop_at_400_percent_has_the_players_scroll_away(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe", viewport={"width": 320, "height": 256})
    expect(page.locator(".seat")).to_have_count(2)
    for seat in page.locator(".seat").all():
        expect(seat).to_have_css("position", "static")


def test_a_small_phone_on_its_side_shows_the_whole_of_a_small_board(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe", viewport={"width": 568, "height": 320}, has_touch=True)
    last = box(page, "[data-cell=a1]")
    assert last["y"] + last["height"] <= box(page, ".places")["y"]
    assert last["height"] >= 44


# Marks


def test_chosen_marks_of_two_characters_fit_the_list_of_moves(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "nine-board", remembers={"noughts.marks": {"x": "WW", "o": "MM"}})
    for plies, square in enumerate(("board 2 square 2", "board 2 square 8"), 1):
        cell(page, f"{square}, empty").click()
        expect(room(page, plies=plies)).to_be_visible()
    x, o = page.locator(".moves .move").evaluate_all("all => all.map((move) => [move.offsetLeft, move.scrollWidth])")
    assert x[0] + x[1] <= o[0]


def test_a_mark_is_drawn_when_it_is_played_and_stays_as_it_is(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe")
    drawn = page.evaluate(
        """async () => {
            const place = document.querySelector('[data-cell="b2"]');
            place.click();
            await new Promise((done) => requestAnimationFrame(done));
            const strokes = place.getAnimations({ subtree: true }).filter((each) => each.animationName === 'draw');
            return strokes.map((each) => each.effect.getComputedTiming().endTime);
        }"""
    )
    assert len(drawn) == 2  # in the frame after the click, long before the server has answered
    assert 0 < max(drawn) < 200
    expect(room(page, plies=1)).to_be_visible()
    expect(page.locator('[data-cell="b2"] .mark path')).to_have_count(2)
    mark = page.locator('[data-cell="b2"] .mark').element_handle()
    cell(page, "a1, empty").click()
    expect(room(page, plies=2)).to_be_visible()
    expect(page.locator('[data-cell="a1"] .mark path')).to_have_count(1)
    assert page.evaluate("(mark) => mark.isConnected", mark)  # not drawn anew
    for name, token in (("b2", "--x"), ("a1", "--o")):
        expect(page.locator(f'[data-cell="{name}"]')).to_have_css("color", colour(page, token))


@pytest.mark.parametrize("how", ["system", "settings"])
def test_no_stroke_moves_where_motion_is_unwelcome(how: str, open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe", reduced_motion="reduce" if how == "system" else "no-preference")
    if how == "settings":
        page.evaluate("document.documentElement.dataset.animation = 'off'")
    for move in ("a1", "a2", "b1", "b2", "c1"):
        running = page.evaluate(
            """async (move) => {
                document.querySelector(`[data-cell="${move}"]`).click();
                await new Promise((done) => requestAnimationFrame(done));
                return document.getAnimations().length;
            }""",
            move,
        )
        assert running == 0
        expect(page.locator(f'[data-cell="{move}"] .mark')).to_be_visible()
        expect(page.locator(".cell.pending")).to_have_count(0)
    expect(page.locator(".strike")).to_have_count(1)


def test_marks_of_both_sit_alike(open_page: OpenPage) -> None:
    """Also in the list: a bot's move, which leads to what the bot found, sat 2 px lower than one's own."""
    page = open_page("/#create", **DESKTOP).page
    choose_game(page, "tictactoe")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, ".my-turn")).to_be_visible()
    page.locator(".cell.playable").first.click()
    expect(room(page, ".my-turn")).to_be_visible()
    expect(page.locator(".moves button.move").first).to_be_attached()
    middles = (
        page.locator(".moves li")
        .first.locator(".move")
        .evaluate_all(
            "(all) => all.map((each) => { const { y, height } = each.getBoundingClientRect(); return y + height / 2; })"
        )
    )
    assert len(set(middles)) == 1
    offsets = page.locator(".cell .mark").evaluate_all("""(all) => all.map((mark) => {
        const [own, place] = [mark, mark.parentElement].map((each) => each.getBoundingClientRect());
        return [own.x + own.width / 2 - place.x - place.width / 2, own.y + own.height / 2 - place.y - place.height / 2];
    })""")
    assert len(offsets) >= 2
    assert all(abs(way) < 0.5 for each in offsets for way in each)


def test_a_line_is_drawn_through_what_has_won(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "mnk:6,6,4")
    moves = ["a1", "a2", "b2", "b1", "c3", "c2", "d4"]
    for ply, move in enumerate(moves):
        expect(page.locator(".strike")).to_have_count(0)
        page.locator(f'[data-cell="{move}"]').click()
        expect(room(page, plies=ply + 1)).to_be_visible()
    strike = page.locator(".strike path")
    expect(strike).to_have_attribute("d", "M3.82 2.18l-3.64 3.64")
    # From the first of its cells to the last.
    first, last = (box(page, f'[data-cell="{moves[i]}"]') for i in (0, -1))
    line = strike.evaluate(BOX)
    assert first["x"] <= line["x"] <= first["x"] + first["width"] / 2
    assert last["x"] + last["width"] / 2 <= line["x"] + line["width"] <= last["x"] + last["width"]


def test_a_board_is_never_seen_without_its_position(open_page: OpenPage) -> None:
    page = new_on_one_screen(open_page, "tictactoe", **DESKTOP)
    cell(page, "a1, empty").click()
    expect(room(page, plies=1)).to_be_visible()
    page.add_init_script(
        """
        window.seen = [];
        new MutationObserver(() => {
            const cell = document.querySelector('[data-cell="a1"]');
            if (cell) window.seen.push(cell.textContent);
        }).observe(document, { childList: true, subtree: true });
        """
    )
    page.reload()
    expect(cell(page, "a1, X")).to_be_visible()
    assert set(page.evaluate("window.seen")) == {"X"}


def test_players_stand_as_wide_as_the_board_also_while_an_invitation_lies_on_it(open_page: OpenPage) -> None:
    page = open_page(**DESKTOP).page
    link = invite(page)
    waiting = box(page, ".stage .bar")["width"]
    open_page(BARE).page.goto(link)
    expect(page.locator(".invitation")).to_have_count(0)
    assert box(page, ".stage .bar")["width"] == waiting
