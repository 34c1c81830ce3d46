"""What the report wishes for to prune more: a better order of the moves, and leaving out those that look worst."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from client.lab.experiments.estimates import ratio, share
from client.lab.experiments.findings import Cell, Estimate, Figure, Section, Table
from client.lab.experiments.lab import Lab
from engine.bots.literature import depth3
from engine.bots.match import Played
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.fixed import Cut, search

PLIES: Final = 3
GAMES: Final = 8
"""Games whose positions are searched, those where no rule makes the move."""
KEPT: Final = (32, 16, 8)
"""How many of the moves that look best heuristic pruning keeps at the root."""
TRUE: Final = "true values passed up"
_SCORING: Final = depth3.STYLES["balanced"]


class Found(NamedTuple):
    nodes: int
    true_nodes: int
    """With true values passed up, `Cut.STRICT_SOFT`."""
    move: int
    value: int


Of: TypeAlias = Callable[[Found], int]


def section(lab: Lab, games: Sequence[Played]) -> Section:
    chosen = games[: min(GAMES, lab.games)]
    found: dict[str, list[list[Found]]] = {}
    with lab.step("orders and heuristic pruning", len(chosen)) as step:
        for game in chosen:
            for how, searches in _searched(game).items():
                found.setdefault(how, []).append(searches)
            step.advance()
    whole = found["in the order of the cells"]
    return Section(
        "Ordering and heuristic pruning, which the report wishes for",
        [
            f"The searched positions of {len(chosen)} games against defensive, {PLIES} plies deep, cut at alpha > beta "
            "as in the report. At the root the moves come in the order of the cells, as its program tries them, or the "
            "ones that look best after one ply first; heuristic pruning then leaves out all but a number of these. An "
            "order changes no value, but of equal moves another comes first. Pruning can miss the best move, and does.",
            "What an order saves hangs on what a node without a move above alpha answers. In our bot it is alpha "
            "itself, by which only parents of leaves are cut; in Wikipedia's article, the report's only source on "
            "pruning, it is the best value found. Both choose the same moves.",
        ],
        _figures(found),
        tables=[
            Table(
                "At the root",
                ["moves", "nodes a move", f"nodes a move, {TRUE}", "same value %", "same move %"],
                [_row(how, searches, whole) for how, searches in found.items()],
            )
        ],
    )


def _figures(found: dict[str, list[list[Found]]]) -> list[Figure]:
    whole, narrow = found["in the order of the cells"], found[f"the best {KEPT[-1]} alone"]
    return [
        Figure(
            "nodes a move with the best moves at the root first, of those in the order of the cells",
            "",
            _nodes_of(found["best first"], whole),
            "%",
        ),
        Figure(
            f"nodes a move with the best moves at the root first, {TRUE}",
            "",
            _nodes_of(found["best first"], whole, _true_nodes),
            "%",
        ),
        Figure(f"nodes a move with the best {KEPT[-1]} alone, of all", "", _nodes_of(narrow, whole), "%"),
        Figure(f"positions in which the best {KEPT[-1]} have the best value", "", _same_value(narrow, whole), "%"),
    ]


def _nodes(found: Found) -> int:
    return found.nodes


def _true_nodes(found: Found) -> int:
    return found.true_nodes


def _nodes_of(games: list[list[Found]], whole: list[list[Found]], of: Of = _nodes) -> Estimate | None:
    return ratio((100 * sum(map(of, game)), sum(map(of, other))) for game, other in zip(games, whole, strict=True))


def _same_value(games: list[list[Found]], whole: list[list[Found]]) -> Estimate | None:
    pairs = _pairs(games, whole)
    return share(sum(one.value == other.value for one, other in pairs), len(pairs))


def _pairs(games: list[list[Found]], whole: list[list[Found]]) -> list[tuple[Found, Found]]:
    return [pair for one, other in zip(games, whole, strict=True) for pair in zip(one, other, strict=True)]


def _searched(game: Played) -> dict[str, list[Found]]:
    found: dict[str, list[Found]] = {}
    position: Position = rules("qubic").initial
    for cell in game.record.cells():
        if position.ply and depth3.by_rule(position, PLIES) is None:
            for how, one in ways(position).items():
                found.setdefault(how, []).append(one)
        position = position.play(cell)
    return found


def ways(position: Position) -> dict[str, Found]:
    """The search with each order and each number of moves kept."""
    cells = position.legal_moves()
    worth = search(position, 1, _SCORING).values
    best_first = [cells[index] for index in sorted(range(len(cells)), key=lambda index: -worth[index])]
    orders = {"in the order of the cells": list(cells), "best first": best_first}
    orders |= {f"the best {kept} alone": best_first[:kept] for kept in KEPT}
    return {how: _found(position, moves) for how, moves in orders.items()}


def _found(position: Position, moves: list[int]) -> Found:
    depth = min(PLIES, position.rules.cells - position.ply)
    found, true = (
        search(position, depth, _SCORING, cut=cut, first_only=True, moves=moves)
        for cut in (Cut.STRICT, Cut.STRICT_SOFT)
    )
    best = max(found.values)
    return Found(found.nodes, true.nodes, found.moves[found.values.index(best)], best)


def _row(how: str, games: list[list[Found]], whole: list[list[Found]]) -> list[Cell]:
    pairs = _pairs(games, whole)
    return [
        how,
        *(ratio((sum(map(of, game)), len(game)) for game in games) for of in (_nodes, _true_nodes)),
        _same_value(games, whole),
        share(sum(one.move == other.move for one, other in pairs), len(pairs)),
    ]
