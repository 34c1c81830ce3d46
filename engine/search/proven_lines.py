"""Forced wins that this process has found under limits of time, so that they are played on without another search.

A search that found a win by luck, or with more time, might not find it again at the next move. Only the winner's moves
along the principal variation are kept: after another reply there is a new search.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.rules.position import Move, Position
from engine.search.decision import WIN, Decision

_MOST: Final = 256
"""Positions, the oldest forgotten first: some 30 games."""
_decisions: Final[dict[Position, Decision]] = {}


def keep(position: Position, decision: Decision) -> None:
    """Remember the winner's moves, if the decision is a proven win that takes more than one."""
    if not decision.proven or decision.win_in is None or decision.win_in < 3:
        return
    line, plies = decision.pv, decision.win_in
    _decisions[position] = _without_search(decision, line, plies)
    while len(line) > 2:
        position = position.play(line[0]).play(line[1])
        line, plies = line[2:], plies - 2
        _decisions[position] = _without_search(decision, line, plies)
    while len(_decisions) > _MOST:
        del _decisions[next(iter(_decisions))]


def _without_search(decision: Decision, line: tuple[Move, ...], plies: int) -> Decision:
    return replace(
        decision, move=line[0], pv=line, win_in=plies, value=float(WIN - plies), depth=plies,
        nodes=0, leaves=0, pruned=0, interior=0,
    )  # fmt: skip


def known(position: Position) -> Decision | None:
    """The winner's move, if the position lies on a line that was kept."""
    return _decisions.get(position)
