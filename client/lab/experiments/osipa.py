"""Osipa's figures: the tree of 3 x 3 that grows where it is asked, and the nine boards with three evaluations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations_with_replacement, pairwise
from random import Random
from typing import Any, Final

from client.lab.experiments import osipa_order
from client.lab.experiments.estimates import average, meets, series, share
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
    timed,
    won,
)
from engine.bots.literature import osipa
from engine.bots.match import Played, Task, Watches
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.fixed import Cut

EVALUATIONS: Final = ("zero", "control", "ways")
CUTS: Final = {Cut.NONE: "without pruning", Cut.STRICT: "alpha > beta", Cut.LOOSE: "alpha >= beta"}
LONG: Final = 40
LONGEST: Final = 49
MOVE_MS: Final = 200
HIS_GAIN: Final = (900 / 36, 1_000 / 36)
"""0.9 to 1 s for the tree's first move to 0.036 s for a reply."""
SHALLOW: Final = range(1, 31)
"""His steps of 3 plies."""
_UNLIKE: Final = (0, 1, 4)
"""A corner, an edge and the centre: all openings of 3 x 3 but for symmetry."""
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
    pairs = [pair for pair in combinations_with_replacement(EVALUATIONS, 2) if pair != _HIS]
    searched = lab.measure("nine-board games, searched with and without pruning", {_HIS: _tasks(lab, _HIS)}, play)
    others = lab.play("nine-board games of the other evaluations", {pair: _tasks(lab, pair) for pair in pairs})
    his = searched[_HIS]
    return [
        _tree_section(trees),
        _lengths({pair: his if pair == _HIS else others[pair] for pair in sorted([_HIS, *pairs], key=_order)}),
        _evaluations({**others, _HIS: his}),
        _pruning(his, osipa_order.figures(lab, his, {cut: CUTS[cut] for cut in (Cut.STRICT, Cut.LOOSE)})),
        _times(trees, his),
    ]


_HIS: Final = ("control", "control")
"""The evaluation that his program keeps, against itself."""


def _tasks(lab: Lab, pair: Pair) -> list[Task]:
    return lab.swapped("nine-board", f"osipa:{pair[0]}", f"osipa:{pair[1]}")


def _order(pair: Pair) -> list[int]:
    return [EVALUATIONS.index(one) for one in pair]


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
            tree, first_ms = _grown_for(_START)
            grown.first_ms.append(first_ms)
            grown.first_positions.add(len(tree))
            grown.later_ms += _rest_ms(tree)
            step.advance()
            for opening in openings:
                tree, reply_ms = _grown_for(_START.play(opening))
                grown.reply_ms.append(reply_ms)
                if number == 0:
                    grown.reply_positions.append(float(len(tree)))
                step.advance()
    return grown


def _grown_for(position: Position) -> tuple[osipa.Tree, float]:
    """A tree first asked for a position, and the milliseconds of that."""

    def grow() -> osipa.Tree:
        tree = osipa.Tree()
        tree.explored(position)
        return tree

    tree, us = timed(grow)
    return tree, us / 1000


def _rest_ms(tree: osipa.Tree) -> list[float]:
    """Of the moves after the first, in the tree's game against itself."""
    taken = []
    position = _START.play(tree.explored(_START).best[0])
    while position.outcome is None:
        explored, us = timed(partial(tree.explored, position))
        taken.append(us / 1000)
        position = position.play(explored.best[0])
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
        [
            Figure("draws against itself", "always", Estimate(100.0 * drawn), "%", exact=True, agrees=drawn),
            _searched_once(),
            *_savings(),
        ],
    )


def _searched_once() -> Figure:
    """How many moves of its game against itself need positions that no move before has explored."""
    tree, position, sizes = osipa.Tree(), _START, [0]
    while position.outcome is None:
        position = position.play(tree.explored(position).best[0])
        sizes.append(len(tree))
    grew = sum(after > before for before, after in pairwise(sizes))
    return Figure(
        "moves of its game against itself for which the tree is searched",
        "a chance of only one",
        Estimate(float(grew)),
        exact=True,
        agrees=grew == 1,
        note="" if grew == 1 else "Later moves need positions that the first search left out.",
    )


def _savings() -> list[Figure]:
    """What a first move costs to a reply, and what the symmetry that he wishes for would gain; exact."""
    plain = [_plain_size(_START.play(opening)) for opening in _START.legal_moves()]
    whole, unlike = 1 + sum(plain), 1 + sum(plain[opening] for opening in _UNLIKE)
    merged, merged_unlike = _merged_size(_START.legal_moves()), _merged_size(_UNLIKE)
    to_reply = whole / plain[0]
    return [
        Figure(
            "positions for the first move to those for the reply to the first square, none merged",
            "25 to 28 (in time)",
            Estimate(to_reply),
            exact=True,
            agrees=HIS_GAIN[0] <= to_reply <= HIS_GAIN[1],
            note=f"{whole:,} to {plain[0]:,}, a position reached twice counted twice, as in his tree without links "
            f"back; for the other openings {whole / max(plain):.1f} to {whole / min(plain[1:]):.1f}.",
        ),
        Figure(
            "positions for the first move to those from three openings that no rotation makes alike, none merged",
            "3",
            Estimate(whole / unlike),
            exact=True,
            agrees=whole / unlike >= 3,
            note=f"{whole:,} to {unlike:,}: more than the factor of three that he expects. Ours merges positions, so "
            f"the three openings would save it less, {merged:,} to {merged_unlike:,} or {merged / merged_unlike:.1f} "
            "times; it does not use them.",
        ),
    ]


def _plain_size(position: Position) -> int:
    """The positions of his tree from here, this one counted: each as often as it is reached."""
    return _plain(position)[1]


def _plain(position: Position) -> tuple[int, int]:
    """The value for the side to move, and the size."""
    if position.outcome is not None:
        return (0 if position.outcome.winner is None else -1), 1
    value, size = -1, 1
    for move in position.legal_moves():
        after, below = _plain(position.play(move))
        value, size = max(value, -after), size + below
        if value == 1:
            break
    return value, size


def _merged_size(openings: Sequence[int]) -> int:
    tree = osipa.Tree()
    for opening in openings:
        tree.explored(_START.play(opening))
    return 1 + len(tree)


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
    """What he says of two evaluations shows, or it does not: then nothing is decided, for he gives no results."""
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


# Pruning.


def _pruning(games: list[Measured], order: list[Figure]) -> Section:
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
            "He shuffles the moves since a random order, as his textbook says, prunes better on average. The positions "
            f"of {osipa_order.GAMES} games at most were searched in the order of the cells too.",
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
            _by_number_plot("nodes", "Nodes of a move on the nine boards", "nodes", games, node_count),
            Plot(
                "cut",
                "Branches cut in a move on the nine boards",
                "lines",
                "move of the game",
                "branches",
                [_by_number(CUTS[cut], games, cut, lambda search: search.pruned) for cut in (Cut.STRICT, Cut.LOOSE)],
            ),
        ],
    )


def _shape(games: list[Measured]) -> list[Figure]:
    """What he says of Figure 1, in nodes, for either cut."""
    figures = []
    for cut in (Cut.STRICT, Cut.LOOSE):
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
    line = _by_number(CUTS[cut], games, cut, node_count)
    return list(zip(line.x, line.y, strict=True))


def _part(games: list[Measured], early: bool) -> list[Measured]:
    """The games with their searches up to his step 30, or after it; those that have any."""
    parts = [
        replace(game, searches=tuple(one for one in game.searches if (one.ply in SHALLOW) == early)) for game in games
    ]
    return [part for part in parts if part.searches]


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
    with_pruning = _by_number(CUTS[Cut.STRICT], games, Cut.STRICT, _ms)
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
        plots=[_by_number_plot("time", "His Figure 1: time of a nine-board move", "ms", games, _ms)],
        timed=True,
    )


def _ms(search: Search) -> float:
    return search.us / 1000
