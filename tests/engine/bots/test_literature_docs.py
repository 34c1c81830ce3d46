"""docs/literature.md says what the roster says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.bots.roster import BotEntry
from engine.bots.roster.literature import LITERATURE

PAGE = (Path(__file__).parents[3] / "docs" / "literature.md").read_text("utf-8")
ROWS = PAGE.splitlines()


@pytest.mark.parametrize("entry", LITERATURE, ids=lambda entry: entry.family)
def test_every_bot_has_its_row_and_its_parameters(entry: BotEntry) -> None:
    games = ", ".join(f"`{game}`" for game in entry.games)
    assert f"| `{entry.name}` | {games} | {entry.character} | {entry.source} |" in ROWS
    for parameter in entry.parameters:
        words = parameter.range.replace("|", "` `")
        assert f"| `{entry.form}` | {parameter.name.upper()}: {parameter.meaning} | `{words}` |" in ROWS


def test_every_choice_is_listed_and_no_other() -> None:
    section = PAGE.partition("and what we chose\n")[2].partition("\n## ")[0]
    listed = {" ".join(item.split()) for item in re.findall(r"^- ((?:.|\n  )+)", section, flags=re.MULTILINE)}
    assert listed == {choice for entry in LITERATURE for choice in entry.chosen}


def test_rows_are_in_the_order_of_the_roster_and_no_others() -> None:
    assert re.findall(r"^\| `([^`]+)` \| `[^|]+\| [A-Z]", PAGE, flags=re.MULTILINE)[: len(LITERATURE)] == [
        entry.name for entry in LITERATURE
    ]
