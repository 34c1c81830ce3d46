"""The parts of the report in their order."""

from __future__ import annotations

from dataclasses import replace

from server.report.page.parts import every_part
from server.report.page.words import ReportData
from server.report.plots import walk


def test_the_games_come_between_what_is_true_of_all_and_how_it_ran(data: ReportData) -> None:
    parts = [*every_part(data)]
    names = [part.name for part in parts]
    assert names[:7] == ["overview", "ladders", "bots", "advantage", "ends", "time", "branching"]
    assert names[-1] == "running"
    assert len(names) == 7 + len(data.kinds) + 1
    ids = [part.name for part in walk(parts)]
    assert len(ids) == len(set(ids)), "links lead to one place"


def test_one_alone_where_no_game_counts(data: ReportData) -> None:
    none = ReportData(replace(data.frames, games=data.games.clear()))
    assert [part.name for part in every_part(none)] == ["overview"]
