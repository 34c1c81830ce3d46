"""What a machine may lack that runs the tests: they are skipped by name there, and in CI they fail."""

from __future__ import annotations

import importlib
import os
from typing import Any, NoReturn

import pytest


def module(name: str) -> Any:
    """The module of an optional package."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        missing(name)


def missing(what: str) -> NoReturn:
    """End the test, or the file that is read."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is not installed, and in CI no test may be skipped for that.", pytrace=False)
    pytest.skip(f"{what} is not installed", allow_module_level=True)
