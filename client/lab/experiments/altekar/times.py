"""How long Altekar's searches and win detectors take."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from client.lab.experiments.altekar.bots import Bot
from client.lab.experiments.altekar.costs import games_of
from client.lab.experiments.altekar.matrix import LINE_MATRIX, look_ups, state_of, winner_by_loops, winner_by_matrix
from client.lab.experiments.estimates import average, ratio
from client.lab.experiments.findings import Estimate, Figure, Section
from client.lab.experiments.lab import Lab, Measured, Search, a_move, gain, timed
from engine.bots.match import Played
from engine.rules.position import Side
from engine.rules.registry import rules
from engine.search.fixed import Cut

_DETECTED: Final = 5
"""Games in whose positions wins are looked for."""


def section(
    lab: Lab, random: dict[Bot, list[Measured]], as_second: dict[Bot, list[Measured]], soft: list[list[Search]]
) -> Section:
    matrix, loops, positions = _detectors(lab, random[2, "sum"])
    figures = [
        _time(
            "ms of a move, minimax, 2 plies", "4,000 to 5,000 at first, under 1,000 late", as_second[2, "sum"], Cut.NONE
        ),
        _time("ms of a move, alpha-beta, 2 plies, alpha >= beta", "95", as_second[2, "sum"], Cut.LOOSE),
        _time("ms of a move, alpha-beta, 2 plies, alpha > beta", "95", as_second[2, "sum"], Cut.STRICT),
        _time("ms of a move, alpha-beta, 3 plies, alpha >= beta", "8,000", as_second[3, "sum"], Cut.LOOSE),
        _time("ms of a move, alpha-beta, 3 plies, alpha > beta", "8,000", as_second[3, "sum"], Cut.STRICT),
        _slower(as_second[2, "sum"]),
        Figure(
            "million nodes a second, compiled, minimax, 3 plies", "", _rate(games_of(as_second[3, "sum"], Cut.NONE))
        ),
        Figure("million nodes a second, plain Python, alpha-beta, 3 plies", "", _rate(soft)),
        Figure("µs to look for a win by the matrix", "", matrix),
        Figure("µs to look for a win by loops", "", loops),
    ]
    text = [
        "A move's time is that of its search alone. His are of a compiled Lisp program; ours are "
        "of compiled kernels that keep the value up to date move by move instead of multiplying matrices, so the times "
        "say nothing of his method."
    ]
    if matrix and loops:
        faster, times = (
            ("matrix", loops.value / matrix.value)
            if matrix.value < loops.value
            else ("loops", matrix.value / loops.value)
        )
        text.append(
            f"Both his win detectors, the 76 x 64 matrix of lines times the 64 x 2 state and loops over lines and "
            f"cells, were timed in Python with numpy on {positions} positions and agree on all of them; here the "
            f"{faster} {'is' if faster == 'matrix' else 'are'} {times:.1f} times as fast."
        )
        products, looked = LINE_MATRIX.size * 2, _looked(random[2, "sum"])
        text.append(
            f"Why it is the other way round with him: a product of the matrices is {products:,} multiplications "
            f"whatever the position, the loops make {looked:.0f} look-ups on average, for a line is left at its first "
            "empty cell. One language for both, as his Lisp was, makes the loops faster. Here numpy multiplies in "
            f"compiled code, {1000 * matrix.value / products:.1f} ns each, and the loops are interpreted, "
            f"{1000 * loops.value / looked:.0f} ns for each look-up."
        )
    return Section("Times", text, figures, timed=True)


def _slower(games: list[Measured]) -> Figure:
    times = gain(games, lambda search: search.us, Cut.STRICT)
    slightly = times is not None and 1 < times.value < 2
    return Figure(
        "minimax's time a move to alpha-beta's, 2 plies",
        "slightly longer",
        times,
        agrees=slightly,
        note="" if slightly else "That is more than slightly.",
    )


def _rate(games: list[list[Search]]) -> Estimate | None:
    """Nodes a microsecond."""
    return ratio(
        (sum(search.nodes for search in searches), sum(search.us for search in searches)) for searches in games
    )


def _time(what: str, author: str, games: list[Measured], cut: Cut) -> Figure:
    return Figure(what, author, a_move(games_of(games, cut), lambda search: search.us / 1000), "ms")


def _detectors(lab: Lab, games: list[Measured]) -> tuple[Estimate | None, Estimate | None, int]:
    """The times of both, in microseconds, and the number of positions. Raises AssertionError if they disagree."""
    states = [state for game in games[:_DETECTED] for state in _states_of(game)]
    times: dict[Callable[[NDArray[np.int8]], Side | None], list[float]] = {winner_by_matrix: [], winner_by_loops: []}
    with lab.step("win detectors", len(states)) as step:
        for state in states:
            found = set()
            for detector, taken in times.items():
                winner, us = timed(partial(detector, state))
                found.add(winner)
                taken.append(us)
            assert len(found) == 1, "the two win detectors disagree"
            step.advance()
    matrix, loops = times.values()
    return average(matrix), average(loops), len(states)


def _looked(games: list[Measured]) -> float:
    """The loops' look-ups in a position, on average."""
    counts = [look_ups(state) for game in games[:_DETECTED] for state in _states_of(game)]
    return sum(counts) / len(counts)


def _states_of(game: Played) -> list[NDArray[np.int8]]:
    position, states = rules("qubic").initial, []
    for cell in game.record.cells():
        position = position.play(cell)
        states.append(state_of(position))
    return states
