"""Who leads a list: the best bot that still plays there, and how sure that is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.report.page.frames import read
from server.report.page.leaders import gone, lead, ranked
from server.report.page.words import ReportData
from tests.support.database.database_files import execute, new_database
from tests.support.ladder.records import BOTS, add_list


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one list, its bots those of BOTS in that order, the last one retired."""
    path = new_database(tmp_path)
    add_list(path, pairs=1)
    execute(path, "UPDATE ladder_standings SET superiority = place / 10.0")
    return path


def leave(path: Path, *bots: str) -> None:
    """They are no longer among the settings of the list."""
    [(settings,)] = execute(path, "SELECT settings FROM ladder_lists")
    told = json.loads(settings)
    told["bots"] = [one for one in told["bots"] if one["name"] not in bots]
    execute(path, "UPDATE ladder_lists SET settings = ?", (json.dumps(told),))


def leading(path: Path) -> tuple[str, str | None, float | None] | None:
    data = ReportData(read(path))
    found = lead(data, *data.frames.lists["run_id"])
    if found is None:
        return None
    return found.first["bot"], None if found.second is None else found.second["bot"], found.superiority


def test_the_best_leads_before_the_next(path: Path) -> None:
    assert leading(path) == (BOTS[0], BOTS[1], 0.1)


def test_who_is_gone_leads_nothing(path: Path) -> None:
    execute(path, "UPDATE ladder_standings SET retired = 1 WHERE place = 1")
    assert leading(path) == (BOTS[1], BOTS[2], 0.2)
    leave(path, BOTS[1])
    assert leading(path) == (BOTS[2], None, None)
    leave(path, BOTS[2])
    assert leading(path) is None


def test_how_sure_it_is_is_unknown_where_one_that_is_gone_is_between(path: Path) -> None:
    leave(path, BOTS[1])
    assert leading(path) == (BOTS[0], BOTS[2], None)


def test_another_version_of_a_bot_is_gone_from_the_list(path: Path) -> None:
    execute(path, "UPDATE ladder_lists SET settings = replace(settings, '\"version\": ', '\"version\": 9')")
    assert leading(path) is None


def test_without_a_place_nobody_is_ranked(path: Path) -> None:
    execute(path, "UPDATE games SET termination = 'aborted', winner = NULL")
    data = ReportData(read(path))
    [run] = data.frames.lists["run_id"]
    assert (len(data.frames.standings), ranked(data, run), gone(data, run)) == (len(BOTS), [], frozenset())
    assert lead(data, run) is None
