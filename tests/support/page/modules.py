"""Single modules of the page, for tests that call one: the server hands out their bundle alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page, Route

from tests.support.page.node import run_node
from tests.support.page.texts import page_languages, page_texts

MODULES = "/modules/"
"""Where they are, and a page that loads nothing."""
TEXTS = "i18n/texts/"


def with_modules(page: Page) -> None:
    """From now on the page finds the modules of `client/web` below MODULES, each with a copy of what it imports."""
    page.route(f"**{MODULES}**", _fulfil)


def _fulfil(route: Route) -> None:
    path = route.request.url.partition(MODULES)[2]
    if not path:
        languages = " ".join(f"{code}={MODULES}{TEXTS}{code}.json" for code in page_languages())
        route.fulfill(body=f'<meta name="languages" content="{languages}">', content_type="text/html")
    elif path.startswith(TEXTS):
        route.fulfill(json=page_texts(Path(path).stem))
    else:
        route.fulfill(body=_script(path), content_type="text/javascript")


@cache
def _script(module: str) -> str:
    return run_node("module.js", module)
