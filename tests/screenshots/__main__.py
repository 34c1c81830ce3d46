"""`make screenshots`: every page and game, in every theme, on a desktop and on a phone, as pictures to be looked at.

Nothing is compared: people look. The pictures and a page that shows them side by side go to build/screenshots.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from tests.conftest import CHROMIUM_ARGS, NO_CHROMIUM, find_chromium
from tests.screenshots.readme import write_pictures
from tests.screenshots.scenes import SCENES, SETTLED, Stage
from tests.screenshots.sheet import write_sheet
from tests.screenshots.shelf import serving

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
THEMES = ("light", "dark", "chalk")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make screenshots ARGS=", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/screenshots"), help="a folder (%(default)s)")
    parser.add_argument("--language", default="en-GB", help="what the browser speaks, as de-DE (%(default)s)")
    parser.add_argument(
        "--only", action="append", choices=[*SCENES], help="this scene; may be given again", metavar="SCENE"
    )
    parser.add_argument("--size", action="append", choices=[*SIZES], help="only this size")
    parser.add_argument("--first-screen", action="store_true", help="what is seen before one scrolls, not whole pages")
    parser.add_argument("--readme", action="store_true", help="make docs/pictures anew of them")
    chosen = parser.parse_args()
    path = find_chromium()
    if path is None:
        sys.exit(f"{NO_CHROMIUM}: install chromium or Google Chrome.")
    chosen.out.mkdir(parents=True, exist_ok=True)
    failed = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGS)
        for size in chosen.size or SIZES:
            with tempfile.TemporaryDirectory() as made, serving(Path(made)) as server:
                stage = Stage(browser, server.url, {**SIZES[size], "locale": chosen.language})
                for scene in chosen.only or SCENES:
                    try:
                        for name, page in SCENES[scene](stage):
                            take(page, chosen.out, f"{name}.{size}", full=not chosen.first_screen)
                    except (Error, AssertionError) as error:
                        failed.append(f"{scene}, {size}: {str(error).splitlines()[0]}")
                    stage.clear()
        browser.close()
    write_sheet(chosen.out)
    if chosen.readme:
        write_pictures(chosen.out)
    print(f"{len([*chosen.out.glob('*.png')])} pictures: {chosen.out / 'index.html'}")
    sys.exit("\n".join(failed) or None)


def take(page: Page, folder: Path, name: str, *, full: bool) -> None:
    page.mouse.move(0, 0)  # nothing is shown as pointed at
    for theme in THEMES:
        page.emulate_media(reduced_motion="reduce")
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        page.evaluate("window.scrollTo(0, 0)")
        page.evaluate(SETTLED)
        # A dialog lies over what is seen.
        page.screenshot(
            path=folder / f"{name}.{theme}.png", full_page=full and not page.locator("dialog[open]").count()
        )


main()
