"""The parts of the report in their order. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from server.report.page.bot_parts import bots
from server.report.page.ladder_parts import how_it_ran, ladders
from server.report.page.move_parts import choice_of_moves, each_game, time_use
from server.report.page.result_parts import advantage, ends, overview
from server.report.page.words import ReportData
from server.report.plots import Part


def every_part(data: ReportData) -> Iterator[Part]:
    """One after another, so that the first can be drawn while others are counted; one alone where no game counts."""
    yield overview(data)
    if data.games.is_empty():
        return
    for part in (ladders, bots, advantage, ends, time_use, choice_of_moves):
        yield part(data)
    yield from each_game(data)
    yield how_it_ran(data)
