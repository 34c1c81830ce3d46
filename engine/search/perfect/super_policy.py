"""X's forced win in Super, as a rule that names a move for every position it leads to, and the check that it wins.

Found by G. Bertholon et al. 2020 (arXiv 2006.02353). Boards and squares are numbered 0-8, 4 is the centre, and (b, s)
is square s of board b.

1. X begins at (4, 4). O must answer in board 4, at (4, j), which sends X to board j: X plays (j, 4) and sends O back,
   until board 4 is full after 16 plies. Let f be the last j, and g = 8 - f the board opposite.
2. X plays (f, f).
3. Sent to a board, X plays square f or g: the one that wins the game if there is one, else f if it is free, else g.
4. With a free choice X wins the game if square f or g of a board does. Else, while board g is not X's, it plays (g, f),
   or (g, g) if that is taken. Else it plays any square f or g, a win of a board first; we take the first cell.

So O is sent to boards f and g nearly all the time, where it cannot undo what X gained while O filled board 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from engine.rules.nested import ALL_BOARDS, NestedPosition
from engine.rules.position import Move, X
from engine.rules.registry import rules

MOST_PLIES: Final = 43
"""Most plies from the first move to X's win, whatever O plays, as the check finds for either kind of f."""
FILLING_PLIES: Final = 16
"""Plies after which board 4 is full and f is known."""
LAST_BOARDS: Final = (0, 1, 2, 3, 5, 6, 7, 8)
"""The possible values of f."""
_CENTRE: Final = 4
_STOPS_EVERY: Final = 64


class Stopped(Exception):
    """The check is no longer wanted."""


class Unsound(Exception):
    """The policy names no legal move somewhere, or does not lead to X's win. The message says where."""


class Way(NamedTuple):
    """How a position goes on when X keeps to the policy and O holds out as long as it can."""

    plies: int
    """Moves of both sides until X has won."""
    move: Move
    """The next one."""


def policy_move(position: NestedPosition) -> Move | None:
    """The policy's move where X is to move; None where it names none, as it does not lead there."""
    if position.ply == 0:
        return _cell(_CENTRE, _CENTRE)
    if position.ply <= FILLING_PLIES:
        last = position.forced
        if last is None or not is_filling(position):
            return None
        return _cell(last, _CENTRE if position.ply < FILLING_PLIES else last)
    first = last_board(position)
    if first is None:
        return None
    if position.forced is not None:
        return _sent(position, position.forced, first)
    return _free(position, first)


def _cell(board: int, square: int) -> Move:
    return 9 * board + square


def is_filling(position: NestedPosition) -> bool:
    """Whether board 4 is not yet full and every move of X so far is the policy's."""
    if position.ply > FILLING_PLIES:
        return False
    if position.ply == 0:
        return True
    awaited = position.forced if position.to_move == X else None
    of_x = 1 << _cell(_CENTRE, _CENTRE)
    for square in LAST_BOARDS:
        if position.o >> _cell(_CENTRE, square) & 1 and square != awaited:
            of_x |= 1 << _cell(square, _CENTRE)
    return position.x == of_x and not position.o & ~(ALL_BOARDS << 9 * _CENTRE)


def last_board(position: NestedPosition) -> int | None:
    """f: the only board apart from 4 whose centre X never took, as all later moves are on squares f and g."""
    without = [board for board in LAST_BOARDS if not position.x >> _cell(board, _CENTRE) & 1]
    return without[0] if len(without) == 1 else None


def _sent(position: NestedPosition, board: int, first: int) -> Move | None:
    moves = [move for square in (first, 8 - first) if position.is_legal(move := _cell(board, square))]
    return next((move for move in moves if _wins(position, move)), moves[0] if moves else None)


def _free(position: NestedPosition, first: int) -> Move | None:
    opposite = 8 - first
    moves = [move for move in position.legal_moves() if move % 9 in (first, opposite)]
    winning = next((move for move in moves if _wins(position, move)), None)
    if winning is not None:
        return winning
    if position.board_owner(opposite) != X:
        for square in (first, opposite):
            if position.is_legal(move := _cell(opposite, square)):
                return move
    owning = (move for move in moves if position.play(move).won_x != position.won_x)
    return next(owning, moves[0] if moves else None)


def _wins(position: NestedPosition, move: Move) -> bool:
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == X


def after_filling(last: int) -> NestedPosition:
    """The position in which the policy has filled board 4 and X is sent to board f. O's order makes no difference."""
    position = rules("super").initial
    assert isinstance(position, NestedPosition)
    position = position.play(_cell(_CENTRE, _CENTRE))
    for square in LAST_BOARDS:
        if square != last:
            position = position.play(_cell(_CENTRE, square)).play(_cell(square, _CENTRE))
    return position.play(_cell(_CENTRE, last))


class Check:
    """Follows the policy against every reply, and remembers what it has found."""

    def __init__(self) -> None:
        self.stopped: Callable[[], bool] = lambda: False
        """Called now and then; once it returns true, `way` raises Stopped and keeps what it knows."""
        self._known: dict[NestedPosition, Way] = {}
        self._visited = 0
        self.positions = 0
        """Different positions with X to move that were found won."""

    def way(self, position: NestedPosition) -> Way:
        """The way to X's win from a position that is not over. Raises Unsound where X does not win by the policy."""
        found = self._known.get(position)
        if found is not None:
            return found
        self._visited += 1
        if self._visited % _STOPS_EVERY == 0 and self.stopped():
            raise Stopped
        found = self._forced(position) if position.to_move == X else max(self._replies(position), key=_plies)
        self._known[position] = found
        return found

    def _forced(self, position: NestedPosition) -> Way:
        move = policy_move(position)
        if move is None or not position.is_legal(move):
            raise Unsound(f"The policy names no legal move after {position.ply} plies: {position!r}.")
        way = Way(1 + self._rest(position.play(move)), move)
        self.positions += 1
        return way

    def _replies(self, position: NestedPosition) -> Iterator[Way]:
        for move in position.legal_moves():
            yield Way(1 + self._rest(position.play(move)), move)

    def _rest(self, position: NestedPosition) -> int:
        if position.outcome is None:
            return self.way(position).plies
        if position.outcome.winner != X:
            raise Unsound(f"The policy lets a game end without X's win: {position!r}.")
        return 0

    def knows(self, position: NestedPosition) -> bool:
        """Whether a position has been found won."""
        return position in self._known

    def line(self, position: NestedPosition) -> tuple[Move, ...]:
        """The moves of a way, to the end."""
        moves: list[Move] = []
        while position.outcome is None:
            moves.append(self.way(position).move)
            position = position.play(moves[-1])
        return tuple(moves)


def _plies(way: Way) -> int:
    return way.plies
