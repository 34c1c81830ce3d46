"""`noughts bench page`: what somebody who opens the page and plays feels: paint, answers, bytes, jumps, frames."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import click
from msgspec import Struct

from client.lab.bench.figures import Figure, Part, Table, figure
from client.lab.bench.output import part_as_json, print_part, repeat_option
from client.lab.bench.page import cube, slow_line
from client.lab.bench.page.browser import chromium, start
from client.lab.bench.processes import noughts
from engine.rules.registry import rules
from server.console.examples import examples

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request

MOST_PAINT_MS: Final = 500.0
MOST_ANSWER_MS: Final = 50.0
MOST_KB: Final = 200.0
"""In KB of 1,000 bytes."""
MOST_REQUESTS: Final = 12.0
LARGEST: Final = "mnk:19,19,5"
PLAYED: Final = ("tictactoe", LARGEST, "qubic", "ultimate")
"""Games on whose boards answers are measured."""
WATCHED: Final = ("tictactoe", "qubic")
"""Games against a bot that are played to the end, to see whether anything jumps."""
MOVES: Final = 8
"""Most moves of a measured game."""
TURNED_S: Final = 2.0
"""How long the cube is turned each time."""
PATHS: Final = ("/", "/#create", "/explorer", "/ladder", "/stats")
_SIZE: Final = {"width": 1280, "height": 800}

_WATCH: Final = """() => {
    window.usable_ms = 0;
    const look = () => {
        if (document.querySelector('main button.primary')) window.usable_ms = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    window.shifts = [];
    const named = ({ node }) => `${node?.nodeName} .${node?.className ?? node?.parentElement?.className}`;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) =>
        window.shifts.push([entry.value, entry.sources.map(named).join(', ')]))).observe({ type: 'layout-shift' });
    const painted = new MessageChannel();
    let touched = 0;
    window.expectAnswer = () => {
        window.answer_ms = new Promise((answered) => {
            painted.port1.onmessage = () => answered(performance.now() - touched);
        });
    };
    addEventListener('click', (event) => {
        touched = event.timeStamp;
        requestAnimationFrame(() => painted.port2.postMessage(null));
    }, true);
}"""
"""Notes when the lobby can be used, every layout shift, and how long each click took until its frame was drawn."""
_SETTLED: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
_PAINT: Final = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"""
_CONTROL: Final = """() => {
    const empty = document.createElement('button');
    empty.id = 'control';
    empty.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 9; width: 44px; height: 44px';
    document.body.append(empty);
}"""


class Loaded(Struct, frozen=True):
    """One visit with nothing in the cache, and what the next one asks for."""

    paint_ms: float
    usable_ms: float
    bytes: int
    requests: int
    again: int
    """requests of a second visit"""


class Answers(Struct, frozen=True):
    """Milliseconds from a click to the end of its frame."""

    moves: list[float]
    control: list[float]
    """a button that does nothing, on the same page, in turn with the moves"""


@click.command("page", epilog=examples("noughts bench page --line 3g"))
@repeat_option(5)
@click.option(
    "--line", type=click.Choice([*slow_line.LINES]), help="Measure only how soon a game begins on such a line."
)
@part_as_json
def page(repeat: int, line: str | None, as_json: bool) -> None:
    """Open the page in a headless Chromium, play in it, and print the times next to the targets.

    Each visit begins with an empty cache. The control of a paint is a page of one word from the same server, that of an
    answer a button that does nothing, that of a cube that is turned a small square. Needs Chromium, and
    Playwright for Python.
    """
    what = measure if line is None else partial(slow_line.measure, line=line)
    print_part(lambda folder: what(folder, repeat=repeat), as_json)


def measure(folder: Path, repeat: int) -> Part:
    with chromium() as browser, noughts(folder) as server:
        url = f"http://127.0.0.1:{server.port}"
        visits = [
            (_load(browser, url + slow_line.EMPTY), _load(browser, f"{url}/", usable=True)) for _ in range(repeat)
        ]
        empty, lobby = zip(*visits, strict=True)
        found = [
            figure("first paint, control", "ms", [visit.paint_ms for visit in empty]),
            figure("first paint", "ms", [visit.paint_ms for visit in lobby], MOST_PAINT_MS),
            figure("the lobby is there to use", "ms", [visit.usable_ms for visit in lobby]),
            figure("first load", "KB", [visit.bytes / 1000 for visit in lobby], MOST_KB),
            figure("requests of a first visit", "", [visit.requests for visit in lobby], MOST_REQUESTS),
            figure("requests of a second visit", "", [visit.again for visit in lobby]),
        ]
        for game in PLAYED:
            found += _answer_figures(game, _answers(browser, url, game, repeat))
        found += _answer_figures(f"{LARGEST} against a bot", _answers(browser, url, LARGEST, repeat, bot=True))
        jumps = {game: _shifts(browser, url, game) for game in WATCHED}
        found += [
            figure(f"layout shift, {game} against a bot", "", [sum(value for value, _ in shifts)], 0)
            for game, shifts in jumps.items()
        ]
        found += cube.figures(browser, url, "qubic", TURNED_S, repeat)
        rows = [_row(path, _load(browser, url + path)) for path in (*PATHS, "/game/1")]
    return Part(
        "page",
        "what a visitor feels, from a click or the first byte to the frame that shows it, on this machine",
        found,
        [Table("Pages, each with an empty cache", ("page", "requests", "KB"), rows)],
        [f"{game}: {what} moved, {value:.6f}" for game, shifts in jumps.items() for value, what in shifts],
    )


def _answer_figures(game: str, answers: Answers) -> list[Figure]:
    return [
        figure(f"answer, {game}: control", "ms", answers.control),
        figure(f"answer, {game}", "ms", answers.moves, MOST_ANSWER_MS),
    ]


def _row(path: str, visit: Loaded) -> tuple[str, str, str]:
    return path, str(visit.requests), f"{visit.bytes / 1000:.1f}"


def _visit(browser: Browser) -> Page:
    page = browser.new_context(viewport=_SIZE, locale="en-GB").new_page()  # type: ignore[arg-type]
    page.add_init_script(f"({_WATCH})()")
    return page


def _load(browser: Browser, url: str, *, usable: bool = False) -> Loaded:
    page = _visit(browser)
    asked: list[Request] = []
    page.on("requestfinished", lambda request: asked.append(request))
    page.goto(url)
    if usable:
        page.locator("main button.primary").first.wait_for()
    page.wait_for_load_state("networkidle")
    paint_ms, usable_ms = page.evaluate(_PAINT), page.evaluate("window.usable_ms")
    sizes = [request.sizes() for request in asked]
    again = _asked_again(page.context, url)
    page.context.close()
    total = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    return Loaded(paint_ms, usable_ms, total, len(sizes), again)


def _asked_again(context: BrowserContext, url: str) -> int:
    """How many requests reach the server when the page is opened once more; the browser has kept the rest."""
    page = context.new_page()
    asked: set[str] = set()

    def answered(event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            asked.discard(event["requestId"])

    session = context.new_cdp_session(page)
    session.on("Network.requestWillBeSent", lambda event: asked.add(event["requestId"]))
    session.on("Network.requestServedFromCache", lambda event: asked.discard(event["requestId"]))
    session.on("Network.responseReceived", answered)
    session.send("Network.enable")
    page.goto(url)
    page.wait_for_load_state("networkidle")
    return len(asked)


def _answers(browser: Browser, url: str, game: str, repeat: int, *, bot: bool = False) -> Answers:
    """Clicks on free cells, in turn with clicks on the control; `repeat` games, on one screen or against a bot."""
    answers = Answers([], [])
    for number in range(repeat):
        page = _visit(browser)
        start(page, url, game, "bot" if bot else "self")
        page.evaluate(_CONTROL)
        plies = int(page.locator(".room").get_attribute("data-plies") or 0)
        for move in _moves(game, seed=number):
            page.locator(f'.room.my-turn[data-plies="{plies}"], .room.over').wait_for()
            cell = page.locator(f'.cell.playable[data-cell="{move}"]')
            if not cell.count():
                continue  # the bot has been there, or the game is over
            answers.control.append(_click(page, page.locator("#control")))
            answers.moves.append(_click(page, cell))
            plies += 2 if bot else 1
        page.context.close()
    return answers


def _click(page: Page, target: Locator) -> float:
    page.evaluate("window.expectAnswer()")
    target.click()
    return float(page.evaluate("window.answer_ms"))


def _moves(game: str, seed: int) -> list[str]:
    """The beginning of a game at random, or all of a short one."""
    played, random = rules(game), Random(seed)
    position = played.initial
    moves: list[str] = []
    while position.outcome is None and len(moves) < MOVES:
        move = random.choice(position.legal_moves())
        moves.append(played.format_move(move))
        position = position.play(move)
    return moves


def _shifts(browser: Browser, url: str, game: str) -> list[tuple[float, str]]:
    """All layout shifts while a game against a bot is played to its end, those after a touch too; and what moved."""
    page = _visit(browser)
    page.goto(f"{url}/#create")
    page.locator("select[name=game]").select_option(game)
    page.locator(".create button[type=submit]").click()
    page.locator(".room.my-turn").wait_for()
    page.evaluate(_SETTLED)
    page.evaluate("window.shifts = []")
    while True:
        plies = int(page.locator(".room").get_attribute("data-plies") or 0)
        page.locator(".cell.playable").first.click()
        page.locator(f'.room.over, .room.my-turn[data-plies="{plies + 2}"]').wait_for()
        if page.locator(".room.over").count():
            break
    page.evaluate(_SETTLED)
    shifts: list[tuple[float, str]] = page.evaluate("window.shifts")
    page.context.close()
    return shifts
