"""A finished game in the page: its plies and its views."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from engine.rules.registry import rules
from tests.support.database.played_records import random_game
from tests.support.page.play import PHONE

VIEWS = pytest.mark.parametrize("view", [{}, PHONE], ids=["desktop", "phone"])


def nested_game() -> list[int]:
    """A long game of Ultimate."""
    return next(cells for seed in range(100) if len(cells := random_game(rules("ultimate"), Random(seed))) > 40)


def at_ply(page: Page, ply: int, of: int) -> None:
    """The board, the slider, the words and the address agree."""
    expect(page.get_by_role("slider", name="Move", exact=True)).to_have_value(str(ply))
    expect(page.locator(".steps-under")).to_contain_text(
        f"After {ply} of {of} moves" if ply else "Before the first move"
    )
    page.wait_for_url(re.compile(rf"\?ply={ply}$"))
