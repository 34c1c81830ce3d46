"""`noughts bench page --line`: how long a visitor on a slow line waits until a game can be begun."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from client.lab.bench.figures import Part, Table, figure
from client.lab.bench.page.browser import chromium
from client.lab.bench.processes import noughts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


class Line(Struct, frozen=True):
    """The network that a browser is made to believe in. A kbit is 1,000 bits."""

    latency_ms: int
    """from a request to the head of its answer"""
    kbit_s: int
    """both ways"""

    def conditions(self) -> dict[str, float]:
        """The arguments of `Network.emulateNetworkConditions`."""
        bytes_s = self.kbit_s * 1000 / 8
        return {
            "offline": False,
            "latency": self.latency_ms,
            "downloadThroughput": bytes_s,
            "uploadThroughput": bytes_s,
        }


LINES: Final = {"3g": Line(latency_ms=400, kbit_s=400)}
MOST_NEW_MS: Final = 4000.0
MOST_RETURNING_MS: Final = 1500.0
EMPTY: Final = "/healthz"
"""A page of one word from the same server."""
_PHONE: Final = {"width": 390, "height": 844}
_START: Final = "main button.primary"
"""*Play a bot now*, in any language."""
_WATCH: Final = f"""() => {{
    const look = () => {{
        const button = document.querySelector('{_START}');
        if (button && !button.disabled && button.checkVisibility({{ visibilityProperty: true }}))
            window.pressable_ms = performance.now();
        else requestAnimationFrame(look);
    }};
    requestAnimationFrame(look);
}}"""
_PAINT: Final = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"""

_PAINTED: Final = f"""() => new Promise((done) => {{
    const look = () => (({_PAINT})() ? done(({_PAINT})()) : requestAnimationFrame(look));
    look();
}})"""


class Visit(Struct, frozen=True):
    paint_ms: float
    pressable_ms: float
    """until *Play a bot now* can be pressed"""
    begun_ms: float
    """from the press until a move can be made"""
    asked: list[tuple[str, int, float]]
    """what was asked for before it could be pressed: path, bytes, and when its last byte came, in ms"""


def measure(folder: Path, repeat: int, line: str) -> Part:
    over = LINES[line]
    with chromium() as browser, noughts(folder) as server:
        url = f"http://127.0.0.1:{server.port}"
        visits = [(*_visits(browser, f"{url}/", over), _empty_ms(browser, url + EMPTY, over)) for _ in range(repeat)]
    new, returning, empty = zip(*visits, strict=True)
    return Part(
        "page",
        f"a visit over a line of {over.latency_ms} ms and {over.kbit_s} kbit/s, on a phone's screen",
        [
            figure("a page of one word: first paint, control", "ms", empty),
            figure("new visitor: first paint", "ms", [visit.paint_ms for visit in new]),
            figure("new visitor: Play a bot now", "ms", [visit.pressable_ms for visit in new], MOST_NEW_MS),
            figure("new visitor: bytes until then", "KB", [_kilobytes(visit) for visit in new]),
            figure("new visitor: from the press to the board", "ms", [visit.begun_ms for visit in new]),
            figure("returning: first paint", "ms", [visit.paint_ms for visit in returning]),
            figure("returning: Play a bot now", "ms", [visit.pressable_ms for visit in returning], MOST_RETURNING_MS),
            figure("returning: from the press to the board", "ms", [visit.begun_ms for visit in returning]),
        ],
        [
            Table(
                "What a new visitor loads before that",
                ("path", "bytes", "here after ms"),
                [(path, f"{size:,}", f"{end_ms:,.0f}") for path, size, end_ms in new[-1].asked],
            )
        ],
    )


def _kilobytes(visit: Visit) -> float:
    return sum(size for _, size, _ in visit.asked) / 1000


def _visits(browser: Browser, url: str, line: Line) -> tuple[Visit, Visit]:
    """One visit with nothing in the cache, and one with what the first visit left there."""
    context = browser.new_context(viewport=_PHONE, locale="en-GB")  # type: ignore[arg-type]
    try:
        return _visit(context, url, line), _visit(context, url, line)
    finally:
        context.close()


def _empty_ms(browser: Browser, url: str, line: Line) -> float:
    context = browser.new_context(viewport=_PHONE)  # type: ignore[arg-type]
    try:
        page = _slow_page(context, line)
        page.goto(url)
        return float(page.evaluate(_PAINTED))
    finally:
        context.close()


def _slow_page(context: BrowserContext, line: Line) -> Page:
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", line.conditions())
    return page


def _visit(context: BrowserContext, url: str, line: Line) -> Visit:
    page = _slow_page(context, line)
    page.add_init_script(f"({_WATCH})()")
    page.goto(url, wait_until="commit")
    page.locator(_START).wait_for()
    pressable_ms = _pressable(page)
    asked = [(path, size, end) for path, size, end in page.evaluate(_ASKED) if end <= pressable_ms]
    paint_ms = page.evaluate(_PAINT)
    pressed_ms = page.evaluate("performance.now()")
    page.locator(_START).click()
    page.locator(".room.my-turn").wait_for()
    begun_ms = page.evaluate("performance.now()") - pressed_ms
    page.close()
    return Visit(paint_ms, pressable_ms, begun_ms, asked)


_ASKED: Final = """() => performance.getEntries()
    .filter((one) => one.entryType === 'navigation' || one.entryType === 'resource')
    .filter((one) => one.transferSize > 0)
    .map((one) => [new URL(one.name).pathname, one.transferSize, one.responseEnd])"""


def _pressable(page: Page) -> float:
    found: Any = page.evaluate("""() => new Promise((done) => {
        const look = () => (window.pressable_ms ? done(window.pressable_ms) : requestAnimationFrame(look));
        look();
    })""")
    return float(found)
