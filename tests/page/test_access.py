"""Everybody can use the page: axe-core in every state, keys alone, large letters, few colours, nothing that moves."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.analysis.verdict import MoveVerdict
from engine.rules.registry import rules
from server.db import migrate
from server.db.review import store_verdicts
from tests.page.conftest import OpenPage, ServerProcess, until
from tests.support.database.played_records import Records, random_game
from tests.support.ladder.records import add_list, add_live
from tests.support.page.axe import SETTLED, Inspector
from tests.support.page.ladder import PERSON, add_person
from tests.support.page.play import PHONE, advanced, cell, choose_game, new_on_one_screen, room, start_on_one_screen
from tests.support.page.replay import nested_game

pytestmark = pytest.mark.browser

FLAT, CUBE, NESTED, LARGE = range(1, 5)
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
PATIENT_MS = 60_000
"""Pictures come late on a busy machine."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with records of all kinds."""
    folder: Path = tmp_path_factory.mktemp("access")
    path = folder / "noughts.db"
    migrate.prepare(path)
    records = Records(path)
    drawn = [0, 1, 8, 2, 3, 6, 4, 5]
    records.add(FLAT, drawn, times=[1_500, 20, 300, 12_345, 90])
    records.add(CUBE, random_game(rules("qubic"), Random(4)), game="qubic", search=(19_500, 6, 12.5), set_up=2)
    records.add(NESTED, nested_game(), game="ultimate")
    records.add(LARGE, random_game(rules("mnk:19,19,5"), Random(1), 90), game="mnk:19,19,5", termination="agreement")
    records.index()
    now_ms = int(time.time() * 1000)
    with records.opened() as connection:
        for ply, move in enumerate(drawn):
            store_verdicts(connection, [(FLAT, ply, judged(ply, move))])
        connection.execute("UPDATE ids SET next = 20000")
    run = add_list(path, pairs=4, begun_ms=now_ms - 600_000)
    add_live(path, run, moves=["b2", "a1"], updated_ms=now_ms + 3_600_000)
    with closing(sqlite3.connect(path)) as connection, connection:
        add_person(connection, now_ms)
    process = ServerProcess(folder)
    process.start()
    yield process
    process.stop()


def judged(ply: int, move: int) -> MoveVerdict:
    """One of each kind, whatever the move is worth: a mistake, a slower win, the only move, estimates."""
    common: dict[str, Any] = {"bound": False, "nodes": 100}
    match ply:
        case 0:
            return MoveVerdict("drawn", True, 0.0, None, best=(move,), best_verdict="drawn", best_win_in=None, **common)
        case 1:
            return MoveVerdict(
                "lost", True, -1.0, -4, best=(move + 3,), best_verdict="drawn", best_win_in=None, **common
            )
        case 2:
            return MoveVerdict("won", True, 1.0, 5, best=(4, 7, 5), best_verdict="won", best_win_in=3, **common)
        case _:
            return MoveVerdict("even", False, 0.1, None, best=(move,), best_verdict="even", best_win_in=None, **common)


@pytest.fixture
def inspector() -> Iterator[Inspector]:
    inspector = Inspector()
    yield inspector
    inspector.verdict()


def play(page: Page, *moves: str) -> None:
    before = int(room(page).get_attribute("data-plies") or 0)
    for ply, move in enumerate(moves, before + 1):
        page.locator(f'[data-cell="{move}"]').dispatch_event("click")
        expect(room(page, plies=ply)).to_be_visible()


def show_board(page: Page, view: str) -> None:
    page.locator(".board-view").get_by_text(view, exact=True).click()


# axe-core


@pytest.mark.slow
def test_the_lobby_and_the_form(open_page: OpenPage, shelf: ServerProcess, inspector: Inspector) -> None:
    page = open_page(at=shelf, **STILL).page
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    expect(page.get_by_text("You are the first.")).to_be_visible()
    inspector.look(page, "empty lobby")
    page.locator(".you").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    inspector.look(page, "profile")
    page.get_by_label("Your name").fill("")
    page.get_by_role("button", name="Save").click()
    inspector.look(page, "profile refused")
    page.keyboard.press("Escape")
    page.locator(".you").click()
    page.get_by_role("button", name="Your bots").click()
    page.get_by_role("textbox", name="Name of the new bot").fill("coin")
    page.get_by_role("button", name="Make a bot").click()
    expect(page.get_by_role("textbox", name="Token of")).to_be_visible()
    inspector.look(page, "own bots")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings", exact=True).click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    inspector.look(page, "settings")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Advanced").click()
    expect(page.locator(".rules-box h2")).to_be_visible()
    for way in ("Two bots", "Somebody who is here"):
        page.get_by_text(way, exact=True).click()
        inspector.look(page, f"new game: {way}")
    page.get_by_text("A bot", exact=True).click()
    inspector.look(page, "new game: a level")
    page.locator('[data-family="bot"]').select_option("alphabeta")
    advanced(page)
    page.get_by_text("For the whole game").click()
    inspector.look(page, "new game: a bot with parameters, a clock")
    choose_game(page, "mnk:2,3,3")
    expect(page.get_by_text("3 to 20 columns and rows")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="3 to 20 columns and rows")).to_be_visible()
    inspector.look(page, "new game refused")


@pytest.mark.slow
def test_a_game_of_two(open_page: OpenPage, shelf: ServerProcess, inspector: Inspector) -> None:
    host = open_page(at=shelf, **STILL).page
    host.get_by_role("button", name="Play a person").click()
    expect(room(host)).to_be_visible()
    inspector.look(host, "waiting for anybody")
    lobby = open_page(at=shelf, **STILL).page
    expect(lobby.get_by_role("button", name="Play", exact=True)).to_be_visible()
    host.get_by_role("link", name="noughts, to the lobby").click()
    expect(host.get_by_role("heading", name="Your games")).to_be_visible()
    inspector.look(host, "lobby with a game of one's own")
    host.get_by_role("button", name="Play a friend").click()
    link = host.get_by_label("Link to join").input_value()
    inspector.look(host, "waiting for a friend")
    guest = open_page(link[link.index("/room/") :], at=shelf, **STILL).page
    expect(room(guest, plies=0)).to_be_visible()
    expect(lobby.get_by_role("link", name="Challenge").first).to_be_visible()
    inspector.look(lobby, "lobby with an open game and people")
    expect(host.get_by_label("Link to join")).to_be_hidden()  # the start has seated both
    x, o = (host, guest) if host.locator(".bar").last.locator(".mark-x").count() else (guest, host)
    inspector.look(x, "my turn")
    cell(o, "a1, empty").dispatch_event("click")
    inspector.look(o, "their turn, a move planned")
    for ply, move in [(0, "b1"), (2, "c3")]:  # the planned one comes between
        expect(room(x, ".my-turn", plies=ply)).to_be_visible()
        cell(x, f"{move}, empty").click()
    expect(room(o, ".my-turn", plies=3)).to_be_visible()
    x.get_by_role("button", name="Take back").click()
    expect(o.get_by_role("button", name="Allow it")).to_be_visible()
    inspector.look(o, "asked for a takeback")
    inspector.look(x, "asking for a takeback")
    o.get_by_role("button", name="Allow it").click()
    x.get_by_label("Say something").fill("Hello")
    x.keyboard.press("Enter")
    expect(o.get_by_role("log").get_by_text("Hello")).to_be_visible()
    x.get_by_role("button", name="Resign").click()
    inspector.look(x, "asked whether to resign, chat")
    x.get_by_role("button", name="Yes, resign").click()
    expect(room(o, ".over")).to_be_visible()
    o.get_by_role("button", name="Rematch").click()
    expect(x.get_by_role("button", name="Play again")).to_be_visible()
    inspector.look(o, "won, asking for a rematch")
    inspector.look(x, "lost, asked for a rematch")


GAMES: dict[str, tuple[list[str], list[str]]] = {
    "tictactoe": (["a1", "a2", "b1", "b2"], ["c1"]),
    "qubic": (["a1.1", "b2.2", "a1.2", "b2.3", "a1.3", "c3.3"], ["a1.4"]),
    "ultimate": (["5/5", "5/1", "1/5", "5/2", "2/5", "5/3"], []),
    "super": (["1/1", "1/2", "2/1", "1/3", "3/1", "1/4", "4/1", "1/5", "5/1", "1/6"], []),
    "mnk:19,19,5": (["k10", "a1", "k11", "a2", "k12", "a3", "k13", "a4"], ["k14"]),
}
"""Moves of a running game, and those that end it."""


def begin(open_page: OpenPage, at: ServerProcess, game: str, **context: Any) -> Page:
    return new_on_one_screen(open_page, game, at=at, **{**STILL, **context})


# Of the boards and pages one of each kind is looked at each time, all of them by the slow tests.
@pytest.mark.parametrize(
    "game", ["tictactoe", *(pytest.param(game, marks=pytest.mark.slow) for game in list(GAMES)[1:])]
)
def test_boards(game: str, open_page: OpenPage, shelf: ServerProcess, inspector: Inspector) -> None:
    page = begin(open_page, shelf, game)
    moves, end = GAMES[game]
    play(page, *moves)
    threats = page.get_by_label("Show threats")
    if threats.count():
        threats.check()
    for view in ("Cube", "Both") if game == "qubic" else ("",):
        if view:
            show_board(page, view)
        page.locator('.cell[tabindex="0"]:visible, .cube-cell[tabindex="0"]:visible').first.focus()
        inspector.look(page, f"{game}: running {view}")
    if end:
        play(page, *end)
        expect(room(page, ".over")).to_be_visible()
        inspector.look(page, f"{game}: over")


@pytest.mark.parametrize(
    ("path", "ready"),
    [
        (f"/game/{FLAT}?ply=3", ".review-sentence strong"),
        pytest.param(f"/game/{CUBE}", ".figures", marks=pytest.mark.slow),
        pytest.param(f"/game/{NESTED}?ply=20", ".small", marks=pytest.mark.slow),
        pytest.param(f"/game/{LARGE}", ".cell.last", marks=pytest.mark.slow),
        pytest.param("/explorer?game=tictactoe", ".explored tbody tr", marks=pytest.mark.slow),
        ("/explorer?game=chess", ".lost"),
        ("/ladder", "table.standings tbody tr"),
        ("/stats", ".chart-plot canvas"),
        (f"/player/{PERSON}", "table tbody tr"),
        ("/room/nowhere", ".lost"),
    ],
)
def test_pages(path: str, ready: str, open_page: OpenPage, shelf: ServerProcess, inspector: Inspector) -> None:
    page = open_page(path, at=shelf, **STILL).page
    expect(page.locator(ready).first).to_be_attached(timeout=PATIENT_MS)
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    inspector.look(page, path)


def test_the_list_of_keys_itself(open_page: OpenPage, shelf: ServerProcess, inspector: Inspector) -> None:
    page = begin(open_page, shelf, "qubic")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    inspector.look(page, "keys")


def test_a_broken_line(open_page: OpenPage, own_server: ServerProcess, inspector: Inspector) -> None:
    watched = open_page("/#create", at=own_server, **STILL)
    watched.line_may_break = True
    page = watched.page
    start_on_one_screen(page, "tictactoe")
    expect(page.locator(".you.away")).not_to_be_attached()
    own_server.kill()
    expect(page.get_by_text("Connection lost. Reconnecting")).to_be_visible()
    expect(page.locator(".you.away")).to_be_attached()
    page.locator('[data-cell="a1"]').click()
    expect(cell(page, "a1, X, being sent")).to_be_visible()
    inspector.look(page, "reconnecting")


# The keyboard

WALK = """() => {
    const active = document.activeElement;
    if (active === document.body) return { shows: true };
    window.reached ??= new Set();
    if (window.reached.has(active)) return null;
    window.reached.add(active);
    const shows = [active, active.closest('label'), active.querySelector('.time-area')].filter(Boolean).some((node) => {
        const { outlineStyle, outlineWidth, stroke, strokeWidth } = getComputedStyle(node);
        const stroked = stroke !== 'none' && parseFloat(strokeWidth) >= 2;
        return stroked || outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
    return { what: active.outerHTML.slice(0, 100), shows };
}"""
MISSED = """() => {
    const all = 'a[href], button, input, select, textarea, summary, [tabindex]';
    return [...document.querySelectorAll(all)].filter((each) =>
        each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true })
        && !(each.type === 'radio' && !each.checked)
        && !window.reached.has(each)).map((each) => each.outerHTML.slice(0, 100));
}"""


@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/", ".bots li"),
        ("/#create", ".rules-box h2"),
        (f"/game/{FLAT}?ply=3", ".review-sentence strong"),
        ("/explorer?game=tictactoe", ".explored tbody tr"),
        ("/ladder", "table.games tbody tr"),
        (f"/player/{PERSON}", "table.games tbody tr"),
        ("room", ".room.my-turn"),
    ],
)
def test_all_is_reached_by_tab_and_shows_the_focus(
    path: str, ready: str, open_page: OpenPage, shelf: ServerProcess
) -> None:
    page = begin(open_page, shelf, "qubic") if path == "room" else open_page(path, at=shelf, **STILL).page
    expect(page.locator(ready).first).to_be_visible(timeout=PATIENT_MS)
    if path == "/":
        expect(page.get_by_text("Nobody is waiting just now.")).to_be_visible()
    page.wait_for_load_state("networkidle")
    hidden = []
    for _ in range(200):
        page.keyboard.press("Tab")
        step = page.evaluate(WALK)
        if step is None:
            break
        if not step["shows"]:
            hidden.append(step["what"])
    assert not hidden
    assert not page.evaluate(MISSED)


COVERED = """() => {
    const active = document.activeElement;
    const bar = document.querySelector('.places');
    const covered = active.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
    return covered && !bar.contains(active) ? active.outerHTML : null;
}"""


def test_the_bar_of_a_phone_covers_no_focus(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/", at=shelf, viewport={"width": 320, "height": 480}, **STILL).page
    expect(page.locator(".bots li").first).to_be_visible(timeout=PATIENT_MS)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        assert page.evaluate(COVERED) is None


TARGETS = """() => {
    const all = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=slider], [role=button]';
    // The size of cells is the game's, and a column of a chart is as wide as there is room for; both have other ways.
    const free = '.cell, .cube-cell, .times-drawing *, .skip, .noscript *';
    const wants = 43.5;
    const small = [];
    const inSentence = (node) => node.matches('a') && getComputedStyle(node).display === 'inline'
        && [...(node.closest('p, li, dd, td, small') ?? node).childNodes].some(
            (each) => each.nodeType === Node.TEXT_NODE && /[\\p{L}\\d]/u.test(each.data));
    for (const node of document.querySelectorAll(all)) {
        if (node.closest(free) || node.disabled) continue;
        if (!node.checkVisibility({ visibilityProperty: true })) continue;
        const target = node.closest('label') ?? node;
        const dialog = document.querySelector('dialog[open]');
        if (dialog && !dialog.contains(node) || inSentence(node)) continue;
        target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const box = target.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        // What a finger meets, edges that stand out included.
        const meets = (right, down) => {
            const met = document.elementFromPoint(x + right, y + down);
            return met !== null && (target.contains(met) || met.closest('label')?.control === node);
        };
        const wide = box.width >= wants || (meets(-21, 0) && meets(21, 0));
        const high = box.height >= wants || (meets(0, -21) && meets(0, 21));
        const size = `${Math.round(box.width)} x ${Math.round(box.height)}`;
        if (!wide || !high) small.push(`${size}: ${node.outerHTML.slice(0, 120)}`);
    }
    return small;
}"""


@pytest.mark.slow
def test_every_target_has_room_for_a_finger(open_page: OpenPage, shelf: ServerProcess) -> None:
    found: dict[str, list[str]] = {}
    page = open_page(at=shelf, **PHONE, **STILL).page

    def measure(state: str) -> None:
        page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
        if small := page.evaluate(TARGETS):
            found[state] = small

    for path, ready in (
        ("/", "main .button, main button"),
        ("/#create", ".rules-box h2"),
        (f"/game/{FLAT}?ply=3", ".review-sentence strong"),
        (f"/game/{LARGE}?ply=30", ".cell.last"),
        ("/explorer?game=tictactoe", ".explored tbody tr"),
        ("/ladder", "table.standings tbody tr"),
        (f"/player/{PERSON}", "table tbody tr"),
        ("/stats", ".chart-plot canvas"),
        ("/room/nowhere", ".lost"),
    ):
        page.goto(shelf.url + path)
        if "#" in path:
            page.reload()
        expect(page.locator(ready).first).to_be_attached(timeout=PATIENT_MS)
        measure(path)
    page.goto(shelf.url + f"/game/{FLAT}?ply=3")
    for name in ("Play on from here", "Keys", "Settings"):
        page.get_by_role("button", name=name, exact=True).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        measure(name)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".you").click()
    expect(page.get_by_role("button", name="Delete my data")).to_be_visible()
    measure("You")
    page.keyboard.press("Escape")
    page.goto(shelf.url + "/#create")
    page.reload()
    start_on_one_screen(page, "mnk:19,19,6")
    play(page, "j10", "k10", "l10")
    measure("a game")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".room.over")).to_be_visible()
    measure("a game that is over")
    assert not found, "\n".join(f"{state}\n    " + "\n    ".join(small) for state, small in found.items())


def test_the_list_of_keys(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = begin(open_page, shelf, "qubic")
    keys = page.get_by_role("dialog", name="Keys")
    page.locator('[data-cell="b2.1"]').focus()
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    for part in ("On the board", "In a cube", "Everywhere"):
        expect(keys.get_by_role("heading", name=part)).to_be_visible()
    expect(keys.get_by_role("heading", name="In a recorded game")).to_have_count(0)
    expect(keys).to_contain_text("Page Up Page Down")
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    expect(page.locator('[data-cell="b2.1"]')).to_be_focused()
    # In a field it is a character.
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Say something").press("?")
    expect(keys).to_have_count(0)
    expect(page.get_by_label("Say something")).to_have_value("?")
    # Whoever speaks to the computer may do without the key; the button stays.
    opener = page.get_by_role("button", name="Keys", exact=True)
    opener.click()
    keys.get_by_label("The key ? opens this list").uncheck()
    keys.get_by_role("button", name="Close").click()
    expect(opener).to_be_focused()
    page.keyboard.press("?")
    expect(keys).to_have_count(0)
    page.goto(f"{shelf.url}/game/{FLAT}")
    expect(page.get_by_role("slider", name="Move", exact=True)).to_be_visible()
    page.get_by_role("button", name="Keys", exact=True).press("Enter")
    expect(keys.get_by_role("heading", name="In a recorded game")).to_be_visible()


def test_dialogs_give_the_focus_back(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(at=shelf, **STILL).page
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    for opener in (page.locator(".you"), page.locator(".gear"), page.get_by_role("button", name="Keys", exact=True)):
        opener.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        until(page, "() => document.querySelector('dialog').contains(document.activeElement)")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(opener).to_be_focused()


# Large letters and small windows

SPILL = """() => {
    const wide = document.documentElement.clientWidth;
    const spills = [];
    if (document.documentElement.scrollWidth > wide) spills.push('the page scrolls sideways');
    const scrolls = (each) => /auto|scroll/.test(getComputedStyle(each).overflowX);
    const scrolled = (each) => each && (scrolls(each) || scrolled(each.parentElement));
    for (const each of document.querySelectorAll('#page *, dialog *')) {
        const style = getComputedStyle(each);
        const box = each.getBoundingClientRect();
        if (box.width <= 1 || !box.height || each.closest('.spoken, .spoken-only, .skip, [aria-hidden=true]')) continue;
        const what = each.outerHTML.slice(0, 80);
        if (box.right > wide + 1 && !scrolled(each.parentElement)) spills.push(`beyond the edge: ${what}`);
        const says = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const cuts = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2;
        if (says && cuts && /hidden|clip/.test(style.overflowX + style.overflowY)) spills.push(`cut: ${what}`);
    }
    return spills;
}"""
"""What does not fit. Whatever scrolls by itself may be wider: boards and tables, as WCAG allows."""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["letters twice as large", "the same on a phone", "320 px"])
def test_everything_fits(way: str, open_page: OpenPage, shelf: ServerProcess) -> None:
    wide = {"letters twice as large": 1280, "the same on a phone": 390, "320 px": 320}[way]
    size = {"width": wide, "height": 900}
    watched = open_page("/healthz", at=shelf, viewport=size, **STILL)
    page = watched.page
    if way != "320 px":
        # As in the browser's own settings.
        sizes = {"standard": 32, "fixed": 26}
        watched.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})
    ready = {
        "/": ".lists .empty",
        f"/game/{FLAT}?ply=3": ".review-sentence strong",
        f"/game/{CUBE}": ".figures",
        f"/game/{NESTED}": ".small",
        f"/game/{LARGE}": ".cell.last",
        "/explorer?game=tictactoe": ".explored tbody tr",
        "/ladder": "table.standings tbody tr",
        f"/player/{PERSON}": "table tbody tr",
        "/room/nowhere": ".lost",
    }
    found = {}
    for path, selector in ready.items():
        page.goto(shelf.url + path)
        expect(page.locator(selector).first).to_be_visible()
        page.evaluate(SETTLED)
        found[path] = page.evaluate(SPILL)
    if way != "320 px":
        assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 32
    for game, (moves, _) in GAMES.items():
        page.goto(shelf.url + "/#create")
        page.reload()
        expect(page.locator(".rules-box h2")).to_be_visible()
        found[f"form before {game}"] = page.evaluate(SPILL)
        start_on_one_screen(page, game)
        play(page, *moves[:2])
        page.evaluate(SETTLED)
        found[game] = page.evaluate(SPILL)
    for opener in (".you", ".gear", ".foot button"):
        page.locator(opener).click()
        found[opener] = page.evaluate(SPILL)
        page.keyboard.press("Escape")
    assert not {place: spills for place, spills in found.items() if spills}


# Few colours, no motion

LOOKS = """(selectors) => Object.fromEntries(selectors.map((selector) => {
    const all = [...document.querySelectorAll(selector)];
    const looks = all.map((each) => {
        const s = getComputedStyle(each);
        const border = [s.borderTopStyle, s.borderTopWidth, s.borderTopColor, s.borderBottomColor];
        return [...border, s.outlineStyle, s.outlineWidth, s.backgroundColor].join(' ');
    });
    return [selector, [...new Set(looks)]];
}))"""

COLOURFUL = """() => {
    const canvas = document.querySelector('.chart-plot canvas');
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return data.some((red, i) => i % 4 === 0 && Math.abs(red - data[i + 2]) > 60);
}"""


def looks(page: Page, *selectors: str) -> list[str]:
    """How each looks, without colours of ours; each in one way, and no two alike."""
    for selector in selectors:
        expect(page.locator(selector).first).to_be_attached()
    told: dict[str, list[str]] = page.evaluate(LOOKS, list(selectors))
    assert all(len(each) == 1 for each in told.values()), told
    one = [each[0] for each in told.values()]
    assert len(set(one)) == len(one), told
    return one


def test_without_colours_of_ours(open_page: OpenPage, shelf: ServerProcess) -> None:
    forced = {"forced_colors": "active"}
    page = begin(open_page, shelf, "tictactoe", **forced)
    play(page, "a1", "a2", "b1", "b2")
    page.locator('[data-cell="c3"]').focus()
    page.keyboard.press("ArrowUp")  # by keys, so that the focus shows
    plain = ".cell:not(.last, .win, :focus-visible)"
    looks(page, plain, ".cell.last", ".cell:focus-visible")
    looks(page, ".bar.to-move", ".bar:not(.to-move)")
    page.locator('[data-cell="b2"]').focus()
    looks(page, plain, ".cell.last:focus-visible")
    play(page, "c1")
    page.locator("h1").focus()
    looks(page, plain, ".cell.win:not(.last)", ".cell.win.last")
    expect(page.locator(".cell.win")).to_have_text(["X", "X", "X"])
    page = begin(open_page, shelf, "ultimate", **forced)
    play(page, *GAMES["ultimate"][0])
    looks(page, ".small.forced", ".small:not(.forced)")
    page.goto(f"{shelf.url}/game/{NESTED}")
    expect(page.locator(".small.win-board").first).to_be_visible()
    looks(page, ".small.win-board", ".small:not(.win-board)")
    page.goto(shelf.url)
    expect(page.locator(".card").first).to_be_visible()
    looks(page, ".card:has(:checked)", ".card:not(:has(:checked))")
    page.goto(shelf.url + "/#create")
    looks(page, ".segment:has(:checked)", ".segment:not(:has(:checked))")
    page.goto(shelf.url + "/learn/tictactoe#puzzles")
    looks(page, ".learn-parts [aria-current]", ".learn-parts a:not([aria-current])")
    looks(page, ".learn-list [aria-current]", ".learn-list button:not([aria-current])")
    page.goto(shelf.url + "/stats")
    expect(page.locator(".chart-plot canvas").first).to_be_visible()
    until(page, COLOURFUL)  # as the key below it is


MOVING = """() => [
    ...document.getAnimations().map((each) => `${each.constructor.name} of ${each.effect?.target?.className}`),
    ...[...document.querySelectorAll('*')].flatMap((each) => ['', '::before', '::after'].map((part) => [each, part]))
        .filter(([each, part]) => {
            const { transitionProperty, transitionDuration, animationName } = getComputedStyle(each, part);
            return animationName !== 'none' || transitionProperty !== 'none' && parseFloat(transitionDuration) > 0;
        }).map(([each, part]) => each.className + part),
]"""


def test_nothing_moves_for_whoever_wants_that(open_page: OpenPage, own_server: ServerProcess) -> None:
    watched = open_page("/#create", at=own_server, **STILL)
    watched.line_may_break = True
    page = watched.page
    start_on_one_screen(page, "qubic")
    show_board(page, "Both")
    play(page, "a1.1", "b2.2")
    assert page.evaluate(MOVING) == []
    own_server.kill()
    expect(page.locator(".spinner")).to_be_visible()
    assert page.evaluate(MOVING) == []
    page.emulate_media(reduced_motion="no-preference")
    assert any("spinner" in each for each in page.evaluate(MOVING))  # the test sees what moves


# Nothing jumps

SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(
        `${entry.value.toFixed(4)}: ` + entry.sources.map((source) => {
            const { previousRect: from, currentRect: to } = source;
            const node = source.node?.nodeType === 1 ? source.node : source.node?.parentElement;
            return `${node?.tagName}.${node?.getAttribute('class')} (${from.x},${from.y}) -> (${to.x},${to.y})`;
        }).join(', ')))).observe({ type: 'layout-shift' });
}"""


@pytest.mark.parametrize("game", GAMES)
def test_nothing_jumps_while_playing(game: str, open_page: OpenPage, shelf: ServerProcess) -> None:
    """Not even just after a touch, which the web's own figure leaves out."""
    page = begin(open_page, shelf, game)
    page.evaluate(SETTLED)
    page.evaluate(SHIFTS)
    moves, end = GAMES[game]
    for move in [*moves, *end]:
        play(page, move)
        page.evaluate(SETTLED)
    assert page.evaluate("window.shifts") == []


def test_nothing_jumps_while_a_bot_plays(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/#create", at=shelf, **STILL).page
    choose_game(page, "qubic")
    page.locator('[data-family="bot"]').select_option("alphabeta")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    page.evaluate(SETTLED)
    page.evaluate(SHIFTS)
    for plies in range(2, 9, 2):
        page.locator(".cell.playable").first.click()
        expect(room(page, ".my-turn", plies=plies)).to_be_visible()
        page.evaluate(SETTLED)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".status")).to_have_text(re.compile("wins"))
    page.evaluate(SETTLED)
    assert page.evaluate("window.shifts") == []
