"""What Osipa's shuffled moves do for his pruning: he takes from a textbook that they improve it on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.lab.experiments.estimates import ratio
from client.lab.experiments.findings import Estimate, Figure
from client.lab.experiments.lab import Lab, Measured
from engine.bots.literature import osipa
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.fixed import Cut

GAMES: Final = 100
"""Most games whose positions are searched again."""
_EVALUATION: Final = "control"


def figures(lab: Lab, games: Sequence[Measured], cuts: dict[Cut, str]) -> list[Figure]:
    """Ratios of the nodes in the order of the cells to those of the same positions shuffled, which the games have."""
    chosen = games[: min(GAMES, lab.games)]
    found: dict[Cut, list[tuple[int, int]]] = {cut: [] for cut in cuts}
    with lab.step("the order of the cells", len(chosen)) as step:
        for game in chosen:
            for cut in cuts:
                found[cut].append((_in_order(game, cut), sum(search.nodes for search in game.of(cut))))
            step.advance()
    return [_figure(said, ratio(found[cut])) for cut, said in cuts.items()]


def _figure(said: str, ours: Estimate | None) -> Figure:
    better = ours is not None and (ours.value if ours.low is None else ours.low) > 1
    return Figure(
        f"nodes in the order of the cells to those shuffled, {said}",
        "more",
        ours,
        agrees=better,
        note="" if better else "In the order of the cells this search takes no more.",
    )


def _in_order(game: Measured, cut: Cut) -> int:
    """The nodes of all searches of a game, every node's moves in the order of their cells."""
    nodes = 0
    position: Position = rules("nine-board").initial
    for cell in game.record.cells():
        if position.ply:
            depth = min(osipa.plies_at(position.ply), position.rules.cells - position.ply)
            nodes += osipa.searched(position, depth, _EVALUATION, cut, None).nodes
        position = position.play(cell)
    return nodes
