"""Wins by threats in plain Python, by the rules' lines alone: it shares no code with the searches that it checks."""

from __future__ import annotations

from collections.abc import Callable

from engine.rules.flat import FlatPosition
from engine.rules.position import marks_of


def completing(position: FlatPosition, own: int, others: int) -> set[int]:
    """The empty cells that complete a line of one's own."""
    found = set()
    for line in position.rules.lines:
        empty = [cell for cell in line if not own >> cell & 1]
        if len(empty) == 1 and not others >> empty[0] & 1:
            found.add(empty[0])
    return found


def wins_by_fours(position: FlatPosition, most: int = 400) -> bool:
    """Whether the side to move wins, in at most so many moves of its own, with a threat to complete a line in every
    move, by trying all of them."""
    if most < 1:
        return False
    own, others = sides(position)
    at_once = completing(position, own, others)
    if at_once:
        return True
    stops = completing(position, others, own)
    if len(stops) > 1:
        return False
    for move in stops or threatening(position, own, others):
        cells = completing(position, own | 1 << move, others)
        if len(cells) > 1 and most > 1:
            return True
        if len(cells) == 1:
            after = position.play(move).play(cells.pop())
            assert isinstance(after, FlatPosition)
            if after.outcome is None and wins_by_fours(after, most - 1):
                return True
    return False


def threatening(position: FlatPosition, own: int, others: int) -> set[int]:
    """The empty cells after which a line lacks one mark."""
    found: set[int] = set()
    for line in position.rules.lines:
        empty = [cell for cell in line if not own >> cell & 1]
        if len(empty) == 2 and not any(others >> cell & 1 for cell in empty):
            found.update(empty)
    return found


def sides(position: FlatPosition) -> tuple[int, int]:
    """The marks of the side to move and of the other."""
    return marks_of(position, position.to_move)


def holds(position: FlatPosition, plies: int, move: Callable[[FlatPosition], int]) -> bool:
    """Whether the side to move wins within these plies by the moves that `move` names, whatever the other replies.

    Replies that leave a line to be completed, or a move that makes two such lines, are answered here.
    """
    own, others = sides(position)
    if completing(position, own, others):
        return plies >= 1
    stops = completing(position, others, own)
    if plies >= 3 and not stops and _two_at_once(position, own, others):
        return True
    if plies < 5 and not stops:
        return False
    chosen = move(position)
    after = position.play(chosen)
    assert isinstance(after, FlatPosition)
    if after.outcome is not None:
        return after.outcome.winner == position.to_move and plies >= 1
    own |= 1 << chosen
    if completing(after, others, own):
        return False
    only = completing(after, own, others)
    replies = only if only else set(after.legal_moves())
    if len(only) > 1:
        return plies >= 3
    for reply in replies:
        following = after.play(reply)
        assert isinstance(following, FlatPosition)
        if following.outcome is not None or not holds(following, plies - 2, move):
            return False
    return True


def _two_at_once(position: FlatPosition, own: int, others: int) -> bool:
    """Whether a move makes two cells that complete a line."""
    return any(len(completing(position, own | 1 << cell, others)) > 1 for cell in threatening(position, own, others))
