"""Checking what a search says is proven, by the rules alone: every reply is tried, and ends are judged by the rules.

A witness names the winner's moves, which keeps the check small. It cannot make a false claim pass, since a win counts
only if the game ends in time after every reply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.rules.position import Move, Position

Witness = Callable[[Position, int], Move | None]
"""A move that wins within this many plies; None if there is none. Raises TooLarge."""
_WIN: Final = 1


class TooLarge(Exception):
    """More positions than may be looked at."""


class Checker:
    """Checks the claims of one game, whose positions it remembers."""

    def __init__(self, witness: Witness, most_positions: int) -> None:
        self._witness = witness
        self._most = most_positions
        self._left = most_positions
        self._wins: dict[tuple[Position, int], bool] = {}
        self._values: dict[Position, int] = {}

    def holds(self, position: Position, win_in: int | None) -> bool:
        """Whether the game ends within `win_in` plies, won by the side to move, or lost if it is negative, or neither
        side can force a win if it is None. Raises TooLarge."""
        self._left = self._most
        if win_in is None:
            return self._value(position) == 0
        return self._is_won(position, win_in) if win_in > 0 else self._is_lost(position, -win_in)

    def keeps(self, position: Position, win_in: int | None, move: Move) -> bool:
        """Whether this move leads to a result that holds; of a lost position, any does. Raises TooLarge."""
        self._left = self._most
        after = position.play(move)
        result = _result(position, after)
        if win_in is None:
            return (self._value(after) if result is None else result) == 0
        if win_in < 0:
            return True
        return result == _WIN or (result is None and self._is_lost(after, win_in - 1))

    def _is_won(self, position: Position, plies: int) -> bool:
        key = position, plies
        if key not in self._wins:
            self._look()
            self._wins[key] = plies > 0 and (
                self._wins_at_once(position) or (plies > 1 and self._wins_later(position, plies))
            )
        return self._wins[key]

    def _wins_at_once(self, position: Position) -> bool:
        return any(_result(position, position.play(move)) == _WIN for move in position.legal_moves())

    def _wins_later(self, position: Position, plies: int) -> bool:
        move = self._witness(position, plies)
        if move is None:
            return False
        after = position.play(move)
        return after.outcome is None and self._is_lost(after, plies - 1)

    def _is_lost(self, position: Position, plies: int) -> bool:
        for move in position.legal_moves():
            after = position.play(move)
            result = _result(position, after)
            if result is None:
                if not self._is_won(after, plies - 1):
                    return False
            elif result != -_WIN:
                return False
        return plies > 0

    def _value(self, position: Position) -> int:
        """1, 0 or -1 for the side to move, by trying everything."""
        if position not in self._values:
            self._look()
            best = -_WIN
            for move in position.legal_moves():
                after = position.play(move)
                result = _result(position, after)
                best = max(best, -self._value(after) if result is None else result)
                if best == _WIN:
                    break
            self._values[position] = best
        return self._values[position]

    def _look(self) -> None:
        if self._left == 0:
            raise TooLarge
        self._left -= 1


def _result(before: Position, after: Position) -> int | None:
    """The result for the side that moved: 1, 0 or -1; None while the game goes on."""
    if after.outcome is None:
        return None
    winner = after.outcome.winner
    return 0 if winner is None else _WIN if winner == before.to_move else -_WIN
