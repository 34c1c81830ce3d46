"""What all tests share: finding Chromium, and what happens to browser tests where there is none."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from typing import Any

import pytest
from hypothesis import settings

# The same examples on every run, a quarter of them in `make test`; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("deep", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A shell that runs tests in the background ignores Ctrl-C for them, and they for the commands that they end with it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What fails in a helper is told like what fails in a test: both sides, not just that they differ.
pytest.register_assert_rewrite("tests.support", "tests.simulation")
pytest_plugins = ["tests.support.second_try"]

# The first is Chromium without its windows: Debian's package of that name. A page costs it a third of the time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_CHROMIUM = "Chromium is not installed"
# No sandbox, since CI runs as root; the rest keeps Chromium off the network and out of the GPU.
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    return next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    path = find_chromium()
    assert path, NO_CHROMIUM  # Only a test without the marker `browser` gets here.
    return path


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], chromium_path: str) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium_path, "args": CHROMIUM_ARGS}


@pytest.fixture(scope="session")
def base_url() -> None:
    """Tests name whole URLs. (And pytest-playwright 0.10 warns about its own base_url under pytest 9.)"""


def pytest_collection_finish() -> None:
    """The modules stay to the end: looking for cycles among them again and again takes a fifth of the tests' time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") and find_chromium() is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{NO_CHROMIUM}, and in CI no browser test may be skipped.", pytrace=False)
        pytest.skip(NO_CHROMIUM)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [r for r in terminalreporter.stats.get("skipped", []) if NO_CHROMIUM in str(r.longrepr)]
    if skipped:
        terminalreporter.write_line(
            f"{NO_CHROMIUM}: {len(skipped)} browser test(s) skipped. Install chromium or Google Chrome to run them.",
            yellow=True,
        )
