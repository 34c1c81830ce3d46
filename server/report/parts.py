"""The parts of the report in their order. Pure."""

from __future__ import annotations

from server.report.ladder_parts import how_it_ran, ladders
from server.report.move_parts import choice_of_moves, each_game, time_use
from server.report.plots import Part
from server.report.records import Records
from server.report.result_parts import advantage, ends, overview
from server.report.words import Told


def statistics(records: Records) -> list[Part]:
    """What the page of statistics shows, in its order."""
    return every_part(Told(records))


def every_part(told: Told) -> list[Part]:
    """One alone where no game counts."""
    if told.games.is_empty():
        return [overview(told)]
    return [
        overview(told),
        ladders(told),
        advantage(told),
        ends(told),
        time_use(told),
        choice_of_moves(told),
        *each_game(told),
        how_it_ran(told),
    ]
