"""Finding puzzles in games, by searches that leave no move out.

Every puzzle is proven: by a search to the full depth, and by the solver on small flat boards. A position that takes
more nodes than allowed gives no puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, TypeAlias

from engine.analysis.puzzle import MOST_PLIES, Answer, Kind, Puzzle, Turn, is_threatened
from engine.kernels.solving import ALWAYS
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.limit import Limit
from engine.rules.position import Move, Position, Rules, marks_of, other, play_all
from engine.search import negamax
from engine.search.decision import Decision
from engine.search.solve.solver import Known, Solver
from engine.search.watch import NO_WATCH

NODES: Final = 400_000
"""Nodes of one search: some hundredths of a second. Most need a few hundred."""
ALL_NODES: Final = 4_000_000
"""Nodes of all searches for one puzzle."""
_NODES_OF_A_SEARCH: Final = 1_000
"""The cost of starting a search, as nodes."""
LEAST_PLIES: Final = 3
"""A line that can be completed at once is no puzzle."""
_SOLVER_NODES: Final = 300_000
_ENTRIES: Final = (1 << 16) - 15


class Undecided(Exception):
    """The nodes did not suffice."""


def puzzle_at(
    rules: Rules, moves: Sequence[Move], most_plies: int = MOST_PLIES, nodes: int = ALL_NODES
) -> Puzzle | None:
    """The puzzle in the position after these moves, if there is one. Raises IllegalMove."""
    position = play_all(rules.initial, moves)
    if position.outcome is not None or len(position.legal_moves()) < 2:
        return None
    try:
        found = _win(position, most_plies, Judge(nodes)) or _save(position)
    except Undecided:
        return None
    if found is None:
        return None
    kind, plies, alone, turn = found
    return Puzzle(rules.id, tuple(moves), kind, plies, alone, turn)


class Judge:
    """Decides whether a side wins in time, by full-width searches that share one budget of nodes.

    A search sees every end within its depth. It may also see later ones, along forced blocks, and stops at the first
    win it finds; where that win comes too late, each move is searched by itself.
    """

    def __init__(self, nodes: int = ALL_NODES) -> None:
        self._left = nodes
        self._known: dict[tuple[Position, int], Decision] = {}

    def shortest(self, position: Position, most_plies: int) -> int | None:
        """Plies of the shortest forced win of the side to move, if it has at most `most_plies`. Raises Undecided."""
        if not self.wins_within(position, most_plies):
            return None
        return next(plies for plies in range(1, most_plies + 1, 2) if self.wins_within(position, plies))

    def wins_within(self, position: Position, plies: int) -> bool:
        """Whether the side to move can force its win within `plies`. Raises Undecided."""
        if plies < 1:
            return False
        found = self.search(position, plies)
        if found.win_in is None or found.win_in < 0:
            return False
        if found.win_in <= plies or found.depth >= plies:
            return found.win_in <= plies
        return any(self.is_won_by(position, move, plies) for move in position.legal_moves())

    def is_won_by(self, position: Position, move: Move, plies: int) -> bool:
        """Whether this move wins within `plies`, itself counted. Raises Undecided."""
        after = position.play(move)
        if after.outcome is not None:
            return after.outcome.winner == position.to_move
        return plies > 2 and self.loses_within(after, plies - 1)

    def loses_within(self, position: Position, plies: int) -> bool:
        """Whether the side to move loses within `plies`, whatever it plays. Raises Undecided."""
        found = self.search(position, plies)
        if found.win_in is None or found.win_in > 0:
            return False
        if -found.win_in <= plies or found.depth >= plies:
            return -found.win_in <= plies
        return all(self.is_lost_by(position, move, plies) for move in position.legal_moves())

    def is_lost_by(self, position: Position, move: Move, plies: int) -> bool:
        """Whether the other side wins within `plies` after this move, itself counted. Raises Undecided."""
        after = position.play(move)
        if after.outcome is not None:
            return after.outcome.winner == other(position.to_move)
        return self.wins_within(after, plies - 1)

    def search(self, position: Position, plies: int) -> Decision:
        """A decision that overlooks no end within `plies`. Raises Undecided."""
        depth = min(plies, position.rules.cells - position.ply)
        found = self._known.get((position, depth))
        if found is None:
            if self._left <= 0:
                raise Undecided
            limit = Limit(nodes=NODES)
            found = negamax.choose(position, depth, limit, Random(0), NO_WATCH, negamax.FULL)
            self._left -= found.nodes + _NODES_OF_A_SEARCH
            if found.depth < depth and not found.proven:
                raise Undecided
            self._known[position, depth] = found
        return found


_Found: TypeAlias = tuple[Kind, int, bool, Turn]


def _win(position: Position, most_plies: int, judge: Judge) -> _Found | None:
    if isinstance(position, FlatPosition) and is_threatened(position):
        return None  # The block is forced, so there is nothing to find.
    found = judge.shortest(position, most_plies)
    if found is None or found < LEAST_PLIES:
        return None
    keys: list[Move] = []
    for move in position.legal_moves():
        if judge.is_won_by(position, move, found):
            keys.append(move)
            if len(keys) > 1:
                return None
    return "win", found, _is_alone(position, keys[0]), _turn(position, found, keys, judge)


def _turn(position: Position, plies: int, right: Sequence[Move], judge: Judge) -> Turn:
    """The longest reply to every move that wins in time, and a refutation of every other move."""
    answers: dict[Move, Answer | None] = {}
    for move in right:
        after = position.play(move)
        if after.outcome is not None:
            answers[move] = None
            continue
        reply = _longest(after, plies - 1, judge)
        then = after.play(reply)
        winning = [next_ for next_ in then.legal_moves() if judge.is_won_by(then, next_, plies - 2)]
        answers[move] = Answer(reply, _turn(then, plies - 2, winning, judge))
    return Turn(answers, _refutations(position, plies, right, judge))


def _longest(position: Position, plies: int, judge: Judge) -> Move:
    """A reply of the losing side that makes the game last all of `plies`."""
    first = judge.search(position, plies).move
    for move in (first, *position.legal_moves()):
        if not judge.is_lost_by(position, move, plies - 2):
            return move
    raise Undecided  # The loser makes the last move, which is possible where boards are counted.


def _refutations(position: Position, plies: int, right: Sequence[Move], judge: Judge) -> dict[Move, Move]:
    """A refutation of every other move: one reply for as many as possible, the cell of the right move first."""
    wrong = {}
    tried: list[Move] = [*right]
    for move in position.legal_moves():
        after = position.play(move)
        if move in right or after.outcome is not None:
            continue
        reply = _refutation(after, plies - 1, tried, judge)
        if reply not in tried:
            tried.append(reply)
        wrong[move] = reply
    return wrong


def _refutation(after: Position, plies: int, tried: Sequence[Move], judge: Judge) -> Move:
    """A reply that stops the win in time; one that wins at once, if there is any."""
    legal = after.legal_moves()
    for reply in legal:
        outcome = after.play(reply).outcome
        if outcome is not None and outcome.winner == after.to_move:
            return reply
    first = judge.search(after, max(plies, 1)).move
    replies = [*(reply for reply in tried if reply in legal), first, *legal]
    return next(reply for reply in replies if plies < 2 or not judge.is_lost_by(after, reply, plies))


def _is_alone(position: Position, key: Move) -> bool:
    """Whether it is proven that no other move wins."""
    if not isinstance(position, FlatPosition):
        return False
    try:
        solver = _BoundedSolver(position.rules)
        return not any(solver.can_win(after, by_other=True) for after in _others(position, key))
    except (Undecided, ValueError):
        return False


def _others(position: FlatPosition, key: Move) -> Iterator[FlatPosition]:
    return (position.play(move) for move in position.legal_moves() if move != key)


def _save(position: Position) -> _Found | None:
    """The one move that does not lose, where no move wins."""
    if not isinstance(position, FlatPosition) or is_threatened(position):
        return None
    try:
        solver = _BoundedSolver(position.rules).solver
        solution = solver.solve(position)
        if solution.value != "draw" or len(solution.best) != 1:
            return None
        wrong, soonest = {}, []
        for move in position.legal_moves():
            if move != solution.best[0]:
                lost = solver.solve(position.play(move))
                if lost.plies is None:
                    return None
                wrong[move] = lost.best[0]
                soonest.append(lost.plies)
    except (Undecided, ValueError):
        return None
    return "save", max(soonest), True, Turn({solution.best[0]: None}, wrong)


class _BoundedSolver:
    """The solver with bounded nodes. Raises ValueError for boards that are too large, Undecided for lack of nodes."""

    def __init__(self, rules: FlatRules) -> None:
        def between(known: Known) -> None:
            if known.nodes >= _SOLVER_NODES:
                raise Undecided

        self.solver = Solver(rules, entries=_ENTRIES, between=between, largest_slice=1 << 12)

    def can_win(self, position: FlatPosition, by_other: bool) -> bool:
        """Whether the side to move, or with `by_other` the other one, can force a line, however late."""
        if position.outcome is not None:
            return position.outcome.winner is not None
        attacker = other(position.to_move) if by_other else position.to_move
        return self.solver.answer(*marks_of(position, attacker), not by_other, ALWAYS)[0]
