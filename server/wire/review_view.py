"""What is said of moves, as it is shown: messages of the wire and answers of the endpoint. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from engine.analysis.verdict import MoveVerdict
from engine.rules.registry import rules
from server.wire.parts import JudgedMove

LINE_LENGTH = 50
"""Moves of a best line that are shown, so that a whole review stays far below what a reader may leave unread. The
longest win that is known here, Qubic's, has 47."""


def judged_moves(game: str, moves: Iterable[tuple[int, MoveVerdict]]) -> list[JudgedMove]:
    """Plies and what is said of them, in the order of play."""
    text = rules(game).format_move
    return [
        JudgedMove(
            ply=ply,
            verdict=judged.verdict,
            exact=judged.exact,
            value=judged.value,
            win_in=judged.win_in,
            at_most=judged.bound,
            best=[text(cell) for cell in judged.best[:LINE_LENGTH]],
            could=judged.best_verdict,
            could_in=judged.best_win_in,
        )
        for ply, judged in sorted(moves, key=lambda move: move[0])
    ]
