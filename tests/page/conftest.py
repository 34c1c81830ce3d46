"""A real server in a process of its own, and pages that complain about whatever went wrong in them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.page.modules import MODULES, with_modules

STOP_S = 60
PATIENT_MS = 30_000
"""How long a page may take before a test gives up; nothing waits that long when all is well."""
expect.set_options(timeout=PATIENT_MS)
IMPOSSIBLE = ("/api/rules", "/api/explorer", "/api/players/me/bots")
"""What a test may ask for although it cannot be."""


class ServerProcess:
    """`noughts serve` with a database of its own. Stopped or killed, it can be started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.port = 0
        """The system's choice at the first start, and kept."""
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "client.cli", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--db", str(self.folder / "noughts.db"), "--workers", "1", "--address-players", "0"]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
        assert self._process.stdout is not None
        # Its only line on stdout, written once it serves; nothing comes if it ends before.
        first_line = self._process.stdout.readline().decode()
        announced = re.match(r"noughts serves at http://127\.0\.0\.1:(\d+)", first_line)
        assert announced, f"the server ended:\n{self.log()}"
        self.port = int(announced[1])

    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def kill(self) -> None:
        """As a power cut would: nothing is finished, nobody is told."""
        assert self._process is not None
        self._process.kill()
        self._process.communicate()

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.communicate(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One for all tests that leave it running."""
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    process.start()
    yield process
    process.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """One to be killed."""
    process = ServerProcess(tmp_path)
    process.start()
    yield process
    process.stop()


class Watched:
    """A page in a browser context of its own (so: a player of its own) and what went wrong in it."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENT_MS)
        self.origin = origin
        self.complaints: list[str] = []
        self.requests: list[Any] = []
        # A broken line is an error to the console: a test that breaks it says so.
        self.line_may_break = False
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))
        self.page.on("request", self._request)

    def _console(self, message: Any) -> None:
        if message.type not in ("error", "warning"):
            return
        if self.line_may_break and ("WebSocket" in message.text or "ERR_CONNECTION" in message.text):
            return
        if "404" in message.text and "/api/" in message.location.get("url", ""):
            return  # a game that does not exist, asked for by a test
        if "401" in message.text and message.location.get("url", "").endswith("/api/players/me"):
            return  # a token that nobody has
        if "400" in message.text and any(path in message.location.get("url", "") for path in IMPOSSIBLE):
            return  # an impossible size, move or name
        self.complaints.append(f"{message.type}: {message.text}")

    def _request(self, request: Any) -> None:
        self.requests.append(request)
        if not request.url.startswith((self.origin, "data:")):
            self.complaints.append(f"another origin: {request.url}")


UNTIL = """([arg, ms]) => new Promise((done, failed) => {
    const holds = %s;
    const end = performance.now() + ms;
    const look = async () => {
        if (await holds(arg)) done();
        else if (performance.now() > end) failed(new Error(`not within ${ms} ms: ${holds}`));
        else setTimeout(look, 50);
    };
    void look();
})"""


def until(page: Page, holds: str, arg: Any = None) -> None:
    """Waits until a function of JavaScript holds.

    Playwright's `wait_for_function` evaluates text in the page whenever it looks again, which the page's CSP forbids:
    it works only where the first look finds what it seeks.
    """
    page.evaluate(UNTIL % holds, [arg, PATIENT_MS])


OpenPage = Callable[..., Watched]
BARE = "/healthz"
"""A path whose page loads nothing."""
REMEMBER = """(kept) => {
    if (!location.protocol.startsWith('http')) return;
    for (const [key, value] of Object.entries(kept)) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
}"""  # noqa: E501
"""What the browser knows before the first page is loaded; what the page changes in it stays changed."""


@pytest.fixture
def open_page(browser: Browser, server: ServerProcess) -> Iterator[OpenPage]:
    """Opens a path as a new player; at the end no page may have complained, broken the CSP or left the origin.

    What the browser `remembers` of earlier visits is in its storage, as JSON. Below MODULES are the page's modules.
    """
    opened: list[Watched] = []

    def open_(
        path: str = "/", *, at: ServerProcess = server, remembers: dict[str, Any] | None = None, **context: Any
    ) -> Watched:
        watched = Watched(browser.new_context(**context), at.url)
        opened.append(watched)
        if remembers:
            kept = {key: json.dumps(value) for key, value in remembers.items()}
            watched.context.add_init_script(f"({REMEMBER})({json.dumps(kept)})")
        if path == MODULES:
            with_modules(watched.page)
        watched.page.goto(at.url + path)
        return watched

    yield open_
    complaints = [complaint for watched in opened for complaint in watched.complaints]
    for watched in opened:
        watched.context.close()
    assert not complaints
