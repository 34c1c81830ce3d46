"""Every page and state that is looked at, found by what has no language: addresses, names of fields, classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from engine.rules.position import Rules
from engine.rules.registry import games, rules
from tests.screenshots.shelf import FIRST_LEARNED, played, records_of_games
from tests.support.page.ladder import PERSON

Shown = Iterator[tuple[str, Page]]
"""Pictures to be taken now: a name and a page in that state."""

SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
SAME_GUEST = "Math.random = () => 0.4"
"""So that guests have the same names in every run."""
PATIENT_MS = 60_000
expect.set_options(timeout=PATIENT_MS)


@dataclass
class Stage:
    """One size and language; opens pages, each as a player of its own."""

    browser: Browser
    url: str
    options: dict[str, Any]
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(self, path: str = "/", name: str | None = None) -> Page:
        context = self.browser.new_context(reduced_motion="reduce", **self.options)
        self.contexts.append(context)
        context.add_init_script(SAME_GUEST)
        page = context.new_page()
        page.set_default_timeout(PATIENT_MS)
        page.goto(self.url + path)
        if name:
            rename(page, name)
        return page

    def clear(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()


def rename(page: Page, name: str) -> None:
    expect(page.locator(".you .name")).to_have_text(re.compile(r"\d"))  # a guest's, once the server has greeted
    page.locator(".you").click()
    page.locator("dialog input[autocomplete=nickname]").fill(name)
    page.locator("dialog button[type=submit]").click()
    expect(page.locator(".you .name")).to_have_text(name)


def create(page: Page, game: str, who: str, **fields: str) -> None:
    """By the form, from wherever the page is."""
    page.evaluate("location.assign('/#create')")
    page.locator("select[name=game]").select_option(game)
    for name, value in {"who": who, **fields}.items():
        choose(page, name, value)
    page.locator(".create button[type=submit]").click()
    expect(page.locator(".room[data-plies]")).to_be_visible()


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f'label:has(input[name={name}][value="{value}"])').click()


def play(page: Page, moves: list[str]) -> None:
    for move in moves:
        plies = int(page.locator(".room").get_attribute("data-plies") or 0)
        page.locator(f'[data-cell="{move}"], [data-place="{move}"]').first.dispatch_event("click")
        expect(page.locator(f'.room[data-plies="{plies + 1}"]')).to_be_visible()


def texts(kind: Rules) -> list[str]:
    return [kind.format_move(move) for move in played(kind)]


def middle(moves: list[str]) -> int:
    return min(len(moves) * 6 // 10, len(moves) - 2)


# The lobby and the form


def lobby(stage: Stage) -> Shown:
    page = stage.open("/", "Ann")
    expect(page.locator(".card").first).to_be_visible()
    yield "lobby-empty", page


def busy_lobby(stage: Stage) -> Shown:
    for name, game in (("Bob", "qubic"), ("Chiara Vandenberghe", "ultimate"), ("Ðavíð", "gomoku")):
        create(stage.open("/", name), game, "open", clock="5+3")
    for x, o, game in (("Emil", "Fatima", "qubic"), ("Grażyna", "Håkon", "ultimate"), ("Ines", "José", "gomoku")):
        table(stage, x, o, game, listed=True)
    page = stage.open("/", "Ann")
    expect(page.locator(".lobby .lists li").nth(6)).to_be_attached()
    yield "lobby-busy", page


def table(stage: Stage, x: str, o: str, game: str, plies: int = 14, *, listed: bool = False) -> tuple[Page, Page]:
    """Two people in the middle of a game with a clock, which the lobby lists or not."""
    first, second = stage.open("/", x), stage.open("/", o)
    create(first, game, "open" if listed else "invite", seat="x", clock="5+3")
    if listed:
        second.locator(f'.lobby button[data-key="{first.url.rpartition("/")[2]}"]').click()
    else:
        second.goto(first.locator(".invitation input").first.input_value())
    expect(second.locator('.room[data-plies="0"]')).to_be_visible()
    for ply, move in enumerate(texts(rules(game))[:plies]):
        mover = (first, second)[ply % 2]
        expect(mover.locator(f'.room.my-turn[data-plies="{ply}"]')).to_be_visible()
        play(mover, [move])
    return first, second


def form(stage: Stage) -> Shown:
    page = stage.open("/#create", "Ann")
    yield "create-bot", page
    for who in ("bots", "invite", "player"):
        choose(page, "who", who)
        yield f"create-{who}", page
    page.locator("select[name=game]").select_option("mnk")
    page.locator("input[name=m]").fill("2")
    expect(page.locator(".rules-box.bad")).to_be_visible()
    yield "create-impossible", page


# Rooms


def room(kind: Rules, stage: Stage) -> Shown:
    """In the middle of a game, at its end, and all the ways to see a cube."""
    page = stage.open("/", "Ann")
    create(page, kind.id, "self")
    moves = texts(kind)
    play(page, moves[: middle(moves)])
    yield f"room-{short(kind)}", page
    for view in ("layers", "cube", "both"):
        choice = page.locator(f".board-view label:has(input[value={view}])")
        if choice.count() and choice.is_visible():
            choice.click()
            page.locator(".board-threats input").check()
            yield f"room-{short(kind)}-{view}-threats", page
    play(page, moves[middle(moves) :])
    expect(page.locator(".room.over")).to_be_visible()
    yield f"room-{short(kind)}-over", page


def short(kind: Rules) -> str:
    """A name for a file."""
    return re.sub(r"\W", "-", kind.id)


def waiting(stage: Stage) -> Shown:
    page = stage.open("/", "Ann")
    create(page, "qubic", "invite", seat="x", clock="5+3")
    yield "room-waiting-for-a-friend", page
    page.locator(".qr-fold summary").click()
    expect(page.locator(".qr svg")).to_be_visible()
    yield "room-waiting-qr", page


def two_people(stage: Stage) -> Shown:
    x, o = table(stage, "Ann", "Chiara Vandenberghe", "ultimate", 20, listed=True)
    say(x, "Hello, a good game to you!")
    expect(o.locator(".chat-lines li")).to_have_count(1)
    yield "people-my-turn", x
    yield "people-their-turn", o
    watcher = stage.open(x.url[len(stage.url) :], "Bob")
    expect(watcher.locator('.room[data-plies="20"]')).to_be_visible()
    yield "people-watched", watcher
    actions = x.locator(".actions button")
    actions.nth(0).click()
    expect(o.locator(".ask button").first).to_be_visible()
    yield "people-offer", o
    yield "people-offered", x


def say(page: Page, line: str) -> None:
    """In the chat, which on a phone is a tab beside the moves."""
    tabs = page.locator(".side-panel [role=tab]")
    folded = not page.locator(".chat-form").is_visible()
    if folded:
        tabs.nth(1).click()
    page.locator(".chat-form input[type=text]").fill(line)
    page.locator(".chat-form button").click()
    expect(page.locator(".chat-lines li")).to_have_count(1)
    if folded:
        tabs.nth(0).click()


def against_a_bot(stage: Stage) -> Shown:
    page = stage.open("/", "Ann")
    create(page, "qubic", "bot", clock="5+3")
    for move in ("b2.2", "c3.3", "b3.2"):
        plies = int(page.locator(".room").get_attribute("data-plies") or 0)
        expect(page.locator(".room.my-turn")).to_be_visible()
        free = page.locator(f'.cell.playable[data-cell="{move}"]')
        (free if free.count() else page.locator(".cell.playable").first).dispatch_event("click")
        expect(page.locator(f'.room.my-turn[data-plies="{plies + 2}"]')).to_be_visible()
    yield "bot-qubic", page


def planned(stage: Stage) -> Shown:
    """A planned move in each pair of colours."""
    for colours in ("blue-orange", "ink-red", "violet-ochre"):
        x, _ = table(stage, "Ann", "Bob", "gomoku", 13)
        x.evaluate("(name) => { document.documentElement.dataset.colours = name; }", colours)
        x.locator(".cell.plannable").nth(96).click()
        expect(x.locator(".cell.planned")).to_be_visible()
        yield f"planned-{colours}", x
        stage.clear()


# Records


def replays(stage: Stage) -> Shown:
    for game, number in records_of_games().items():
        if game not in ("tictactoe", "qubic", "ultimate", "gomoku"):
            continue
        page = stage.open(f"/game/{number}")
        expect(page.locator(".replay .cell").first).to_be_attached()
        yield f"replay-{game}", page
    page = stage.open(f"/game/{FIRST_LEARNED}?review&ply=5")
    expect(page.locator(".review-sentence strong").first).to_be_visible()
    page.locator("progress.review-bar").wait_for(state="hidden")
    yield "replay-tictactoe-review", page


def records(stage: Stage) -> Shown:
    for name, path, ready in (
        ("ladder", "/ladder", "table.standings tbody tr"),
        ("ladder-qubic", "/ladder?list=night/qubic/000000000001", "table.standings tbody tr"),
        ("stats", "/stats", ".chart-plot canvas"),
        ("explorer", "/explorer?game=tictactoe&moves=b2", ".explored tbody tr"),
        ("explorer-qubic", "/explorer?game=qubic", ".board"),
        ("player-person", f"/player/{PERSON}", "table tbody tr"),
        ("nothing-here", "/game/99999", ".lost"),
    ):
        page = stage.open(path)
        expect(page.locator(ready).first).to_be_attached()
        page.wait_for_load_state("networkidle")
        yield name, page
    page = stage.open("/ladder")
    page.locator("table.standings a.player").first.click()
    expect(page.locator(".records table tbody tr").first).to_be_attached()
    yield "player-bot", page


# Dialogs


def dialogs(stage: Stage) -> Shown:
    page = stage.open("/", "Ann")
    page.locator(".gear").click()
    yield "dialog-settings", page
    page.keyboard.press("Escape")
    page.locator(".you").click()
    expect(page.locator(".identity button").first).to_be_visible()
    yield "dialog-you", page
    page.keyboard.press("Escape")
    create(page, "qubic", "self")
    page.locator(".foot button").first.click()
    yield "dialog-keys", page


# Learning


def learning(stage: Stage) -> Shown:
    for name, path in [("learn", "/learn"), *((f"learn-{short(kind)}", f"/learn/{kind.id}") for kind in games())]:
        page = stage.open(path)
        page.wait_for_load_state("networkidle")
        yield name, page
        stage.clear()


SCENES: dict[str, Callable[[Stage], Shown]] = {
    "lobby": lobby,
    "busy-lobby": busy_lobby,
    "form": form,
    "waiting": waiting,
    **{f"room-{short(kind)}": partial(room, kind) for kind in games()},
    "people": two_people,
    "bot": against_a_bot,
    "planned": planned,
    "replays": replays,
    "records": records,
    "dialogs": dialogs,
    "learning": learning,
}
"""By the name that `--only` takes."""
