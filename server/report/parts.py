"""The parts of the report in their order. Pure."""

from __future__ import annotations

from server.report.ladder_parts import how_it_ran, ladders
from server.report.move_parts import choice_of_moves, each_game, time_use
from server.report.plots import Part
from server.report.result_parts import advantage, ends, overview
from server.report.words import ReportData


def every_part(data: ReportData) -> list[Part]:
    """One alone where no game counts."""
    if data.games.is_empty():
        return [overview(data)]
    return [
        overview(data),
        ladders(data),
        advantage(data),
        ends(data),
        time_use(data),
        choice_of_moves(data),
        *each_game(data),
        how_it_ran(data),
    ]
