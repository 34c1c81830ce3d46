"""Wins by continuous fours in plain Python, the shortest first, by the lines of the rules alone.

Each move of the attacker but the last threatens to complete a line, so each reply is forced. It shares nothing with
the search of `engine.kernels.fours`, which it checks, and takes seconds where that takes milliseconds.
"""

from __future__ import annotations

from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import mask_of
from engine.rules.position import Move, marks_of


class ContinuousFours:
    """Searches for wins on one board; what is known of a position is kept as long as this object."""

    def __init__(self, rules: FlatRules) -> None:
        self._lines = [mask_of(line) for line in rules.lines]
        self._none_in: dict[tuple[int, int], int] = {}
        """A number of moves in which there is no win, by the marks of the side to move and of the other."""

    def shortest(self, position: FlatPosition, most_plies: int) -> int:
        """The plies in which the side to move wins by continuous fours; 0 if it does not within the bound."""
        own, others = marks_of(position, position.to_move)
        for moves in range(1, (most_plies + 1) // 2 + 1):
            if self._wins(own, others, moves):
                return 2 * moves - 1
        return 0

    def winning(self, position: FlatPosition, most_plies: int) -> tuple[Move, ...]:
        """The moves by which the side to move begins such a win, if it cannot complete a line at once."""
        own, others = marks_of(position, position.to_move)
        moves = self._moves(own, others)
        found = [move for move in moves if self._goes_on(own, others, move, (most_plies + 1) // 2)]
        return tuple(sorted(move.bit_length() - 1 for move in found))

    def _wins(self, own: int, others: int, moves: int) -> bool:
        """Whether the side with the marks `own`, to move, wins with at most `moves` moves of its own."""
        if self._completing(own, others):
            return True
        if moves == 1 or self._none_in.get((own, others), 0) >= moves:
            return False
        if any(self._goes_on(own, others, move, moves) for move in self._moves(own, others)):
            return True
        self._none_in[own, others] = moves
        return False

    def _goes_on(self, own: int, others: int, move: int, moves: int) -> bool:
        threats = self._completing(own | move, others)
        if len(threats) != 1:
            return len(threats) > 1
        return self._wins(own | move, others | threats.pop(), moves - 1)

    def _moves(self, own: int, others: int) -> set[int]:
        """The cells at which a four may be made; where the other side is about to complete a line, that one alone."""
        stops = self._completing(others, own)
        if stops:
            return stops if len(stops) == 1 else set()
        found = set()
        for line in self._lines:
            empty = line & ~own
            if not line & others and empty.bit_count() == 2:
                found |= {empty & -empty, empty & (empty - 1)}
        return found

    def _completing(self, own: int, others: int) -> set[int]:
        """The empty cells, as masks, at which the side with the marks `own` completes a line."""
        lacking = (line & ~own for line in self._lines if not line & others)
        return {empty for empty in lacking if not empty & (empty - 1)}
