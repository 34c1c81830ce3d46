"""Osipa's games on the nine boards, with three evaluations; and all of his figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any, Final

from client.lab.experiments.estimates import average, meets, share
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Series, Table
from client.lab.experiments.lab import (
    Lab,
    Measured,
    Search,
    Searcher,
    by_side,
    gain,
    measured,
    mover,
    points,
    results,
    won,
)
from client.lab.experiments.osipa import order, pruning, tree
from client.lab.experiments.osipa.pruning import CUTS, by_number, by_number_plot
from client.lab.experiments.osipa.tree import HIS_GAIN, Grown
from engine.bots.literature import osipa
from engine.bots.match import Played, Task, Watches
from engine.rules.position import Position
from engine.search.fixed import Cut

EVALUATIONS: Final = ("zero", "control", "ways")
LONG: Final = 40
LONGEST: Final = 49
MOVE_MS: Final = 200
_BIN: Final = 4
"""Plies of a bar."""

Pair = tuple[str, str]


def run(lab: Lab) -> list[Section]:
    trees = tree.grow(lab)
    pairs = [pair for pair in combinations_with_replacement(EVALUATIONS, 2) if pair != _HIS]
    searched = lab.measure("nine-board games, searched with and without pruning", {_HIS: _tasks(lab, _HIS)}, play)
    others = lab.play("nine-board games of the other evaluations", {pair: _tasks(lab, pair) for pair in pairs})
    his = searched[_HIS]
    return [
        tree.section(trees),
        _lengths({pair: his if pair == _HIS else others[pair] for pair in sorted([_HIS, *pairs], key=_order)}),
        _evaluations({**others, _HIS: his}),
        pruning.section(his, order.figures(lab, his, {cut: CUTS[cut] for cut in pruning.PRUNING})),
        _times(trees, his),
    ]


_HIS: Final = ("control", "control")
"""The evaluation that his program keeps, against itself."""


def _tasks(lab: Lab, pair: Pair) -> list[Task]:
    return lab.swapped("nine-board", f"osipa:{pair[0]}", f"osipa:{pair[1]}")


def _order(pair: Pair) -> list[int]:
    return [EVALUATIONS.index(one) for one in pair]


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


def _lengths(games: Mapping[Pair, Sequence[Played]]) -> Section:
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


def _histogram(name: str, games: Sequence[Played], bins: range) -> Series:
    counts = Counter((len(game.record.cells()) - 1) // _BIN for game in games)
    x = [float(number) for number in range(len(bins))]
    return Series(name, x, [100 * counts[bin_] / len(games) for bin_ in bins])


def _evaluations(games: Mapping[Pair, Sequence[Played]]) -> Section:
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
        [
            _points_figure(games, "zero", "control", "kind of useless", lambda one: (one.high or 100) < 50),
            _points_figure(games, "control", "ways", "generally better", lambda one: (one.low or 0) > 50),
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


def _points_figure(
    games: Mapping[Pair, Sequence[Played]], one: str, other: str, author: str, shows: Callable[[Estimate], bool]
) -> Figure:
    """Whether what he says of two evaluations shows. If not, nothing is decided, for he gives no results."""
    made = average(points(games, one, other))
    shown = made is not None and shows(made)
    note = "" if shown else "No difference beyond chance; he gives no results."
    return Figure(f"points of `{one}` against `{other}`", author, made, "%", agrees=shown or None, note=note)


def _strongest(games: Mapping[Pair, Sequence[Played]]) -> str:
    """Which beat which beyond chance."""
    told = []
    for one in EVALUATIONS:
        for other in EVALUATIONS:
            made = average(points(games, one, other)) if one != other else None
            if made is not None and (made.low or 0) > 50:
                told.append(f"`{one}` beats `{other}`")
    return f"Beyond chance {', '.join(told)}." if told else "None beats another beyond chance in these games."


def _times(grown: Grown, games: list[Measured]) -> Section:
    with_pruning = by_number(CUTS[Cut.STRICT], games, Cut.STRICT, _ms)
    slowest = max(with_pruning.y, default=0.0)
    first, reply = average(grown.first_ms), average(grown.reply_ms)
    assert first is not None
    assert reply is not None
    return Section(
        "Times",
        [
            f"The tree is the bot's own, in Python, grown anew {len(grown.first_ms)} times, each time the shortest of "
            "three runs. A reply is that of a tree that is asked for the first time after an opening; a first move "
            f"takes {first.value / reply.value:.1f} times as long as that, his "
            f"{HIS_GAIN[0]:.0f} to {HIS_GAIN[1]:.0f} times: ours merges positions, which saves the first move most."
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
                gain(games, _ms, Cut.STRICT),
                note="His figure shows both and gives no number. A search of so few positions takes less time than "
                "handing it the position, which pruning does not save.",
            ),
        ],
        plots=[by_number_plot("time", "His Figure 1: time of a nine-board move", "ms", games, _ms)],
        timed=True,
    )


def _ms(search: Search) -> float:
    return search.us / 1000
