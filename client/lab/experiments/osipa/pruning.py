"""What pruning saves Osipa on the nine boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from client.lab.experiments.estimates import average, series, share
from client.lab.experiments.findings import Estimate, Figure, Plot, Section, Series, Table
from client.lab.experiments.lab import Measured, Search, a_move, gain, node_count, of_cut
from client.lab.experiments.osipa.order import GAMES as ORDERED_GAMES
from engine.bots.literature import osipa
from engine.search.fixed import Cut

CUTS: Final = {
    Cut.NONE: "without pruning",
    Cut.STRICT: "alpha > beta",
    Cut.STRICT_SOFT: "alpha > beta, true values passed up",
    Cut.LOOSE: "alpha >= beta",
}
PRUNING: Final = tuple(cut for cut in CUTS if cut != Cut.NONE)
SHALLOW: Final = range(1, 31)
"""His steps of 3 plies."""
_LEAST_SHARE: Final = 10
"""Plots end at the last move that one game in this many reaches."""


def section(games: list[Measured], order: list[Figure]) -> Section:
    nodes = {cut: a_move(of_cut(games, cut), node_count) for cut in CUTS}
    return Section(
        "What pruning saves on the nine boards",
        [
            "The positions of `control` against itself. His Figure 1 shows the move times of two games, one with "
            "pruning and one without; we count nodes as well. He says of it that the first two moves are the slowest, "
            "that times fall from there, not steadily, that pruning makes little difference up to the 30th step and "
            f"much after it, where the depth goes from {osipa.plies_at(1)} plies to {osipa.plies_at(60)}.",
            "That tells how he cut. Before any board is controlled all moves are equal: alpha >= beta then cuts after "
            "every first reply, so that the opening is the cheapest part of the game and the 32nd move the dearest; "
            "alpha > beta cuts nothing there, and the first two moves are the dearest. All choose the same moves, "
            "which was checked at each.",
            "With alpha > beta it matters what a node without a move above alpha answers. In our bot it is alpha "
            "itself, which is never beyond its parent's bound, so that only parents of leaves are cut. Since its "
            "second edition the textbook that he names, Russell and Norvig's, has it answer its best value, by which "
            "more is cut. What he says of Figure 1 is true of both.",
            "He shuffles the moves since a random order, as his textbook says, prunes better on average. The positions "
            f"of {ORDERED_GAMES} games at most were searched in the order of the cells too.",
        ],
        [*_shape(games), *order],
        tables=[
            Table(
                "A move",
                ["search", "nodes", "branches cut", "branching factor"],
                [
                    [
                        name,
                        nodes[cut],
                        a_move(of_cut(games, cut), lambda search: search.pruned),
                        a_move(of_cut(games, cut), lambda search: search.nodes / (search.interior + 1)),
                    ]
                    for cut, name in CUTS.items()
                ],
            )
        ],
        plots=[
            by_number_plot("nodes", "Nodes of a move on the nine boards", "nodes", games, node_count),
            Plot(
                "cut",
                "Branches cut in a move on the nine boards",
                "lines",
                "move of the game",
                "branches",
                [by_number(CUTS[cut], games, cut, lambda search: search.pruned) for cut in PRUNING],
            ),
        ],
    )


def _shape(games: list[Measured]) -> list[Figure]:
    """What he says of Figure 1, in nodes, for each cut."""
    figures = []
    for cut in PRUNING:
        said = CUTS[cut]
        most = sorted(_means(games, cut), key=lambda one: -one[1])[:2]
        dearest = {int(number) for number, _ in most} == {2, 3}
        figures.append(
            Figure(
                f"games whose dearest searched move is one of the first two, {said}",
                "his game",
                share(sum(_first_two(game.of(cut)) for game in games), len(games)),
                "%",
                agrees=dearest,
                note=f"On average the dearest are the moves {most[0][0]:.0f} and {most[-1][0]:.0f} of the game.",
            )
        )
        figures.append(Figure(f"the dearest move of the game on average, {said}", "", Estimate(most[0][0])))
        before, after = (gain(_part(games, early), node_count, cut) for early in (True, False))
        less = before is not None and after is not None and before.value >= after.value
        figures += [
            Figure(f"nodes without pruning to those with, up to step 30, {said}", "not that big", before),
            Figure(
                f"nodes without pruning to those with, after step 30, {said}",
                "much bigger",
                after,
                agrees=not less,
                note="With this cut pruning gains no more after step 30 than before it." if less else "",
            ),
        ]
    return figures


def _first_two(searches: Sequence[Search]) -> bool:
    return max(searches, key=node_count).ply <= 2


def _means(games: list[Measured], cut: Cut) -> list[tuple[float, float]]:
    line = by_number(CUTS[cut], games, cut, node_count)
    return list(zip(line.x, line.y, strict=True))


def _part(games: list[Measured], early: bool) -> list[Measured]:
    """The games with their searches up to his step 30, or after it; those that have any."""
    parts = [
        replace(game, searches=tuple(one for one in game.searches if (one.ply in SHALLOW) == early)) for game in games
    ]
    return [part for part in parts if part.searches]


def by_number_plot(name: str, title: str, y_label: str, games: list[Measured], of: Callable[[Search], float]) -> Plot:
    lines = [by_number(said, games, cut, of) for cut, said in CUTS.items()]
    return Plot(name, title, "lines", "move of the game", y_label, lines)


def by_number(name: str, games: list[Measured], cut: Cut, of: Callable[[Search], float]) -> Series:
    values: dict[int, list[float]] = {}
    for game in games:
        for search in game.of(cut):
            values.setdefault(search.ply + 1, []).append(of(search))
    least = max(2, len(games) // _LEAST_SHARE)
    found = {number: average(some) for number, some in sorted(values.items()) if len(some) >= least}
    return series(name, list(found.values()), list(found))
