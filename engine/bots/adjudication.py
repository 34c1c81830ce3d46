"""Rules that end a game between bots before its own rules do. Pure.

Bots have scales of their own, so the rules look only at what means the same in all of them: a forced end that a bot has
found, and the value 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.record.model import RecordedMove
from engine.rules.position import Position, Side, other


class Verdict(NamedTuple):
    """The result of an adjudicated game: None for a draw."""

    winner: Side | None


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The rules that end games early; None for a rule that is off. Moves of both bots count."""

    win: int | None = None
    """The bots agree for this many moves in a row on who has a forced win."""
    draw: int | None = None
    """They value this many moves in a row at 0."""
    plies: int | None = None
    """A game of this length, its opening counted, is drawn."""

    def verdict(self, moves: Sequence[RecordedMove], position: Position) -> Verdict | None:
        """What is ruled after the last of the moves, which led to the position; None for playing on."""
        if self.win is not None and len(moves) >= self.win:
            claims = {_winner(move, side) for move, side in _backwards(moves[-self.win :], position)}
            if len(claims) == 1 and None not in claims:
                return Verdict(claims.pop())
        if self.draw is not None and len(moves) >= self.draw and all(move.value == 0 for move in moves[-self.draw :]):
            return Verdict(None)
        return Verdict(None) if self.plies is not None and position.ply >= self.plies else None


NO_ADJUDICATION: Final = Adjudication()


def _backwards(moves: Sequence[RecordedMove], position: Position) -> list[tuple[RecordedMove, Side]]:
    """The last moves before a position with who made them, the newest first."""
    mover = other(position.to_move)
    return [(move, mover if n % 2 == 0 else position.to_move) for n, move in enumerate(reversed(moves))]


def _winner(move: RecordedMove, side: Side) -> Side | None:
    """Who wins by force, as the mover found it."""
    if not move.win_in:
        return None
    return side if move.win_in > 0 else other(side)
