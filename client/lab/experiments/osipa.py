"""Osipa's figures: the tree of 3 x 3 that grows where it is asked, and the nine boards with three evaluations."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement
from random import Random
from typing import Any, Final

from client.lab.experiments.estimates import average, meets, series, share
from client.lab.experiments.experiment import Experiment
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Series, Table
from client.lab.experiments.lab import (
    Lab,
    Measured,
    Search,
    Searcher,
    a_move,
    by_side,
    gain,
    measured,
    mover,
    node_count,
    of_cut,
    points,
    results,
    won,
)
from engine.bots.literature import osipa
from engine.bots.match import Task, Watches
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.fixed import Cut

EVALUATIONS: Final = ("zero", "control", "ways")
CUTS: Final = {Cut.NONE: "without pruning", Cut.LOOSE: "with pruning"}
LONG: Final = 40
LONGEST: Final = 49
MOVE_MS: Final = 200
HIS_GAIN: Final = 26
"""0.9 to 1 s for the tree's first move to 0.036 s for a reply."""
_TREES: Final = 20
"""Most trees that are rebuilt for timing."""
_BIN: Final = 4
"""Plies of a bar."""
_LEAST_SHARE: Final = 10
"""Plots end at the last move that one game in this many reaches."""
_START: Final = rules("tictactoe").initial

Pair = tuple[str, str]


def run(lab: Lab) -> list[Section]:
    trees = _grown(lab)
    pairs = list(combinations_with_replacement(EVALUATIONS, 2))
    games = lab.measure(
        "nine-board games, searched with and without pruning",
        {(a, b): lab.swapped("nine-board", f"osipa:{a}", f"osipa:{b}") for a, b in pairs},
        play,
    )
    return [
        _tree_section(trees),
        _lengths(games),
        _evaluations(games),
        _pruning(games["control", "control"]),
        _times(trees, games["control", "control"]),
    ]


EXPERIMENT: Final = Experiment(
    "osipa",
    "a lazy tree for 3 x 3, alpha-beta for nine boards",
    "Osipa, CSC442 Project 1, September 2017",
    400,
    run,
)


# The tree.


class Grown:
    """Trees rebuilt, and the cost of each."""

    def __init__(self) -> None:
        self.first_ms: list[float] = []
        self.reply_ms: list[float] = []
        self.later_ms: list[float] = []
        self.first_positions: set[int] = set()
        self.reply_positions: list[float] = []


def _grown(lab: Lab) -> Grown:
    """Trees that play X against O, and ones first asked for the reply to each opening."""
    grown = Grown()
    openings = _START.legal_moves()
    trees = min(_TREES, lab.games)
    with lab.step("trees", trees * (1 + len(openings))) as step:
        for number in range(trees):
            tree = osipa.Tree()
            grown.first_ms.append(_asked_ms(tree, _START))
            grown.first_positions.add(len(tree))
            grown.later_ms += _rest_ms(tree)
            step.advance()
            for opening in openings:
                tree = osipa.Tree()
                grown.reply_ms.append(_asked_ms(tree, _START.play(opening)))
                if number == 0:
                    grown.reply_positions.append(float(len(tree)))
                step.advance()
    return grown


def _asked_ms(tree: osipa.Tree, position: Position) -> float:
    begun = time.perf_counter_ns()
    tree.explored(position)
    return (time.perf_counter_ns() - begun) / 1e6


def _rest_ms(tree: osipa.Tree) -> list[float]:
    """Of the moves after the first, in the tree's game against itself."""
    taken = []
    position = _START.play(tree.explored(_START).best[0])
    while position.outcome is None:
        taken.append(_asked_ms(tree, position))
        position = position.play(tree.explored(position).best[0])
    return taken


def _tree_section(grown: Grown) -> Section:
    position = _START
    while position.outcome is None:
        position = position.play(decide(bot("osipa-tree"), position).move)
    drawn = position.outcome.winner is None
    (first_positions,) = grown.first_positions
    reply = average(grown.reply_positions)
    assert reply is not None
    return Section(
        "The tree of 3 x 3",
        [
            f"To move first, the tree explores {first_positions:,} positions, of the 5,478 that can be reached at all; "
            f"first asked for the reply to an opening, {min(grown.reply_positions):,.0f} to "
            f"{max(grown.reply_positions):,.0f}, {reply.value:,.0f} on average of the nine. Later moves find their "
            "position explored. It leaves nothing to chance, so there is one game against itself."
        ],
        [Figure("draws against itself", "always", Estimate(100.0 * drawn), "%", exact=True, agrees=drawn)],
    )


# Nine boards.


def play(task: Task, watches: Watches) -> Measured:
    """A game, and its positions searched with and without pruning."""
    return measured(task, watches, tuple(CUTS), _searcher)


def _searcher(task: Task, position: Position) -> Searcher | None:
    """None for the first move, which is random."""
    if position.ply == 0:
        return None
    _, values = mover(task, position)
    shuffle = Random(f"{task.seed}/{position.ply}").getrandbits(32)
    depth = min(osipa.plies_at(position.ply), position.rules.cells - position.ply)

    def search(position: Position, cut: Cut) -> Any:
        return osipa.searched(position, depth, values[0], cut, shuffle)

    return search


def _lengths(games: dict[Pair, list[Measured]]) -> Section:
    everyone = [game for found in games.values() for game in found]
    plies = [len(game.record.cells()) for game in everyone]
    longest, drawn = max(plies), won(everyone, None)
    longer = share(sum(number > LONGEST for number in plies), len(plies))
    bins = range((min(plies) - 1) // _BIN, (longest - 1) // _BIN + 1)
    rows: list[list[Cell]] = [
        [
            f"{a} - {b}",
            len(found),
            average([float(len(game.record.cells())) for game in found]),
            share(sum(len(game.record.cells()) > LONG for game in found), len(found)),
            max(len(game.record.cells()) for game in found),
            won(found, None),
        ]
        for (a, b), found in games.items()
    ]
    return Section(
        "How long nine-board games are",
        [f"All {len(everyone):,} games below, of the three evaluations against themselves and each other."],
        [
            Figure(
                f"games of more than {LONG} moves",
                "often",
                share(sum(number > LONG for number in plies), len(plies)),
                "%",
                note="He gives no number.",
            ),
            Figure(
                "moves of the longest game",
                f"up to {LONGEST}",
                Estimate(longest),
                note=""
                if longest == LONGEST
                else f"The longest of {len(plies):,} games; the more are played, the "
                "longer the longest, and he does not say how many he saw.",
            ),
            Figure(
                f"games of more than {LONGEST} moves",
                "none",
                longer,
                "%",
                agrees=meets(longer, 0, 0),
                note=""
                if longer is None or longer.value == 0
                else "He does not say how many games he saw; "
                f"of ours about one in {100 / longer.value:.0f} is so long.",
            ),
            Figure(
                "draws",
                "none",
                share(drawn, len(plies)),
                "%",
                agrees=drawn == 0,
                note="" if drawn == 0 else f"{drawn} of {len(plies):,}; he may have played too few to see one.",
            ),
        ],
        [Table("Lengths", ["evaluations", "games", "moves", f"over {LONG}, %", "longest", "draws"], rows)],
        [
            Plot(
                "lengths",
                "Length of nine-board games, each evaluation against itself",
                "bars",
                "moves",
                "% of games",
                [_histogram(name, games[name, name], bins) for name in EVALUATIONS],
                [f"{_BIN * bin_ + 1}-{_BIN * bin_ + _BIN}" for bin_ in bins],
            )
        ],
    )


def _histogram(name: str, games: list[Measured], bins: range) -> Series:
    counts = Counter((len(game.record.cells()) - 1) // _BIN for game in games)
    x = [float(number) for number in range(len(bins))]
    return Series(name, x, [100 * counts[bin_] / len(games) for bin_ in bins])


def _evaluations(games: dict[Pair, list[Measured]]) -> Section:
    rows: list[list[Cell]] = [
        [row, *(average(points(games, row, column)) if row != column else "" for column in EVALUATIONS)]
        for row in EVALUATIONS
    ]
    others = {pair: found for pair, found in games.items() if pair[0] != pair[1]}
    return Section(
        "The three evaluations",
        [
            "Each against each, moving first in every second game; the first move is random, and moves are shuffled, "
            "so that no two games need be the same. He gives no results of them.",
            _strongest(games),
        ],
        tables=[
            Table("Points of the row against the column, in %", ["evaluation", *(f"{e} %" for e in EVALUATIONS)], rows),
            Table(
                "Each against itself",
                ["evaluation", "games", "X wins %", "O wins %", "draws %"],
                [[name, len(games[name, name]), *by_side(games[name, name])] for name in EVALUATIONS],
            ),
        ],
        plots=[
            Plot(
                "evaluations",
                "The evaluations against each other, results of the first",
                "stacked",
                "% of games",
                "",
                results(list(others.values())),
                [f"{a} - {b}" for a, b in others],
            )
        ],
    )


def _strongest(games: dict[Pair, list[Measured]]) -> str:
    """Which beat which beyond chance."""
    told = []
    for one in EVALUATIONS:
        for other in EVALUATIONS:
            made = average(points(games, one, other)) if one != other else None
            if made is not None and (made.low or 0) > 50:
                told.append(f"`{one}` beats `{other}`")
    return f"Beyond chance {', '.join(told)}." if told else "None beats another beyond chance in these games."


# Pruning.


def _pruning(games: list[Measured]) -> Section:
    nodes = {cut: a_move(of_cut(games, cut), node_count) for cut in CUTS}
    return Section(
        "What pruning saves on the nine boards",
        [
            "The positions of `control` against itself. He plots branches cut by move number and gives no numbers. The "
            f"step is where the depth goes from {osipa.plies_at(0)} plies to {osipa.plies_at(60)}, and the counts fall "
            "as the board that one is sent to has fewer free squares."
        ],
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
            _by_number_plot("nodes", "Nodes of a move on the nine boards", "nodes", games, node_count),
            Plot(
                "cut",
                "Branches cut in a move on the nine boards",
                "lines",
                "move of the game",
                "branches",
                [_by_number(CUTS[Cut.LOOSE], games, Cut.LOOSE, lambda search: search.pruned)],
            ),
        ],
    )


def _by_number_plot(name: str, title: str, y_label: str, games: list[Measured], of: Callable[[Search], float]) -> Plot:
    lines = [_by_number(said, games, cut, of) for cut, said in CUTS.items()]
    return Plot(name, title, "lines", "move of the game", y_label, lines)


def _by_number(name: str, games: list[Measured], cut: Cut, of: Callable[[Search], float]) -> Series:
    values: dict[int, list[float]] = {}
    for game in games:
        for search in game.of(cut):
            values.setdefault(search.ply + 1, []).append(of(search))
    least = max(2, len(games) // _LEAST_SHARE)
    found = {number: average(some) for number, some in sorted(values.items()) if len(some) >= least}
    return series(name, list(found.values()), list(found))


# Times.


def _times(grown: Grown, games: list[Measured]) -> Section:
    with_pruning = _by_number(CUTS[Cut.LOOSE], games, Cut.LOOSE, _ms)
    slowest = max(with_pruning.y, default=0.0)
    first, reply = average(grown.first_ms), average(grown.reply_ms)
    assert first is not None
    assert reply is not None
    return Section(
        "Times",
        [
            f"The tree is the bot's own, in Python, grown anew {len(grown.first_ms)} times. A reply is that of a tree "
            f"that is asked for the first time after an opening; a first move takes {first.value / reply.value:.1f} "
            f"times as long as that, his about {HIS_GAIN} times as long. If his two sides share a tree, then most of "
            "what a reply needs has been explored for the first move."
        ],
        [
            Figure("ms of the tree's first move", "900 to 1,000", first, "ms"),
            Figure("ms of the tree's reply to an opening", "36", reply, "ms"),
            Figure(
                "ms of the tree's later moves",
                "0.1",
                average(grown.later_ms),
                "ms",
                note="A later move is looked up, by us and by him.",
            ),
            Figure(
                "ms of a nine-board move with pruning, at the move number where it is longest",
                f"under {MOVE_MS}",
                Estimate(slowest),
                "ms",
                agrees=slowest < MOVE_MS,
            ),
            Figure(
                "time of a nine-board move without pruning to that with",
                "",
                gain(games, _ms),
                note="His figure shows both and gives no number. A search of so few positions takes less time than "
                "handing it the position, which pruning does not save.",
            ),
        ],
        plots=[_by_number_plot("time", "His figure: time of a nine-board move", "ms", games, _ms)],
        timed=True,
    )


def _ms(search: Search) -> float:
    return search.us / 1000
