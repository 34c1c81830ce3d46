"""Who can force an end within some plies, by trying everything: it shares only the rules with the searches."""

from __future__ import annotations

from engine.rules.position import Position


def forced(position: Position, plies: int, known: dict[tuple[Position, int], int] | None = None) -> int:
    """1 where the side to move can force its win within `plies`, -1 where it loses within them whatever it plays, else
    0; `known` remembers positions."""
    known = {} if known is None else known
    if plies == 0:
        return 0
    key = position, plies
    if key not in known:
        known[key] = _tried(position, plies, known)
    return known[key]


def _tried(position: Position, plies: int, known: dict[tuple[Position, int], int]) -> int:
    holds = False
    ends_first = sorted(map(position.play, position.legal_moves()), key=lambda after: after.outcome is None)
    for after in ends_first:
        value = _after(position, after, plies, known)
        if value == 1:
            return 1
        holds = holds or value == 0
    return 0 if holds else -1


def _after(before: Position, after: Position, plies: int, known: dict[tuple[Position, int], int]) -> int:
    """For the side that moved."""
    if after.outcome is None:
        return -forced(after, plies - 1, known)
    winner = after.outcome.winner
    return 0 if winner is None else 1 if winner == before.to_move else -1
