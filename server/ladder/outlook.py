"""What the coming hours will settle: which neighbours in the standings will be told apart, at the present pace. Pure.

Two neighbours are told apart when the one ahead is the stronger with a likelihood of 95 %. A lead of `d` with the
standard error `e` says `z = d / e`; errors fall with the root of the number of games, so that `(1.645 / z) ** 2` times
as many are needed if the lead is as large as it seems. It is an estimate: the lead is the least certain part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import Final, NamedTuple

from server.ladder.run import LadderRun, RunningList

TOLD_APART: Final = 0.95
HOURS: Final = 8.0
"""Length of "the coming hours" if no end was given."""
LEAST_GAMES: Final = 10
"""Games that either neighbour must have; with fewer, the lead says nothing."""
LONGEST_H: Final = 1000.0
_Z: Final = NormalDist().inv_cdf(TOLD_APART)


class Open(NamedTuple):
    """Two neighbours that are not told apart yet, and the estimate of how long that takes."""

    ahead: str
    behind: str
    hours: float


def outlook(run: LadderRun, ended: bool = False) -> str:
    """One line without an end; empty while nothing can be said, as before the first standings.

    Of a run that has ended it says what going on would settle.
    """
    if not run.hours or not run.games:
        return ""
    found = sorted((one for each in run.lists for one in still_open(each, run.hours)), key=lambda one: one.hours)
    if not found:
        return ""
    hours = HOURS if ended or run.left_s is None else run.left_s / 3600
    soon = [one for one in found if one.hours <= hours]
    told = f"the next {span(hours)} should settle {len(soon)} of {len(found)} open neighbours"
    if soon:
        told += f" ({soon[0].ahead} over {soon[0].behind} in {span(soon[0].hours)})"
    later = [one for one in found if one.hours > hours]
    if later:
        told += f"; {later[0].ahead} over {later[0].behind} needs {span(later[0].hours)}"
    return told


def still_open(one: RunningList, hours: float) -> Sequence[Open]:
    """The open neighbours of a list that has run for `hours`. Bots that left, or have no more to play, do not count."""
    found, line_up = one.standings, one.config.line_up()
    if found is None or one.complete or not one.games or line_up.test is not None:
        return ()
    gone = found.left | found.retired | found.unplayed
    ranked = [bot for bot in found.order if bot not in gone]
    played = [0] * len(found.bots)
    for result, times in one.schedule.results.items():
        played[result.a] += 2 * times
        played[result.b] += 2 * times
    open_now = []
    for a, b in pairwise(ranked):
        error = found.fitted.errors[a][b]
        z = (found.fitted.ratings[a] - found.fitted.ratings[b]) / error if error else 0.0
        if z < _Z and line_up.meets(a, b) and min(played[a], played[b]) >= LEAST_GAMES:
            more = (played[a] + played[b]) / 2 * ((_Z / z) ** 2 - 1) if z > 0 else float("inf")
            open_now.append((a, b, more))
    a_game_h = hours / one.games * len(open_now)  # these neighbours share the games to come
    return [Open(one.config.label(a), one.config.label(b), more * a_game_h) for a, b, more in open_now]


def span(hours: float) -> str:
    """`20 min`, `3 h`, `over 1,000 h`."""
    if hours > LONGEST_H:
        return f"over {LONGEST_H:,.0f} h"
    return f"{max(1, round(60 * hours))} min" if hours < 1.5 else f"{hours:.0f} h"
