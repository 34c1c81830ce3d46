"""The ground that browser tests stand on: a page served over HTTP, opened in Chromium.

Browser tests are plain functions with Playwright's sync API, marked `browser`. The server under test runs in a
process (or thread) of its own, never in an event loop of the test's thread. See tests/conftest.py.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import Page, expect

PAGE = b"""<!doctype html><title>tiny</title><link rel="icon" href="data:,">
<button onclick="this.textContent = 'x'">empty</button>"""


class TinyPage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def tiny_url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), TinyPage) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.browser
def test_a_page_opens_and_answers_a_click(page: Page, tiny_url: str) -> None:
    page.goto(tiny_url)
    page.get_by_role("button", name="empty").click()
    expect(page.get_by_role("button", name="x")).to_be_visible()


# Written after the browser test and run before it: see pytest_collection_modifyitems.
async def test_an_async_test_runs_in_the_same_process() -> None:
    await asyncio.sleep(0)
