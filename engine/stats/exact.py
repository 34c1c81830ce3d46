"""How a game between two players of known habits ends, computed over the whole tree instead of sampled.

A *policy* gives the chance of each move in a position that is not over. Chances are fractions, so a
result that is certain is exactly 1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import TypeAlias

from engine.rules.position import Move, O, Position, Side, X

Policy: TypeAlias = Callable[[Position], Mapping[Move, Fraction]]
Ends: TypeAlias = Mapping[tuple[Side | None, int], Fraction]
"""The chance of each end: who wins (None for a draw), and after how many plies of the whole game."""


def uniform(position: Position) -> Mapping[Move, Fraction]:
    """The policy of a player to whom all legal moves are equal."""
    moves = position.legal_moves()
    return dict.fromkeys(moves, Fraction(1, len(moves)))


def always(choose: Callable[[Position], Move]) -> Policy:
    """The policy of a player who has one move for each position."""
    return lambda position: {choose(position): Fraction(1)}


def mixed(policies: tuple[Policy, ...]) -> Policy:
    """The policy of a player who draws one of these for each move, all equally likely."""

    def policy(position: Position) -> Mapping[Move, Fraction]:
        chances: dict[Move, Fraction] = {}
        for one in policies:
            for move, chance in one(position).items():
                chances[move] = chances.get(move, Fraction(0)) + chance / len(policies)
        return chances

    return policy


def ends(position: Position, x: Policy, o: Policy) -> Ends:
    """The chance of every end of the game from here on. A position reached by several orders is computed once.

    For games whose positions number some ten thousand; each policy is asked once for each of its positions. Ply by ply
    from the start, since a position then has one chance, that of being reached, and not one for each of its ends.
    """
    found: dict[tuple[Side | None, int], Fraction] = {}
    reached = {position: Fraction(1)}
    while reached:
        following: dict[Position, Fraction] = {}
        for before, share in reached.items():
            if before.outcome is not None:
                end = (before.outcome.winner, before.ply)
                found[end] = found.get(end, Fraction(0)) + share
                continue
            for move, chance in (x if before.to_move == X else o)(before).items():
                if chance:
                    after = before.play(move)
                    following[after] = following.get(after, Fraction(0)) + share * chance
        reached = following
    return found


def winners(chances: Ends) -> dict[Side | None, Fraction]:
    """The chance that X wins, that O wins, and that nobody does."""
    result: dict[Side | None, Fraction] = {X: Fraction(0), O: Fraction(0), None: Fraction(0)}
    for (winner, _), chance in chances.items():
        result[winner] += chance
    return result


def average_plies(chances: Ends, of: Collection[Side | None] = (X, O, None)) -> Fraction | None:
    """The average length, in plies, of the games with one of these winners (None: draws); None if there are none."""
    chosen = [(plies, chance) for (winner, plies), chance in chances.items() if winner in of]
    total = sum((chance for _, chance in chosen), Fraction(0))
    return sum((plies * chance for plies, chance in chosen), Fraction(0)) / total if total else None
