"""Puzzles: positions of recorded games in which one move alone wins in time, or alone saves the game.

A *win* is a chess player's "mate in three": the move to find is the only one that forces the end within `plies`, the
least in which any does. A *save* is the only move that does not lose. Either is certain: whole searches to the depth
that is asked for say so, without leaving a move out, and of small flat boards the solver. Where the nodes of a
search do not suffice there is no puzzle. Naming this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, Final, Literal, TypeAlias

from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import Move, Position, Rules, X, other
from engine.search.limits import NO_WATCH, Limit

Kind: TypeAlias = Literal["win", "save"]
Difficulty: TypeAlias = Literal[1, 2, 3]

NODES: Final = 400_000
"""Of one search: some hundredths of a second. Most need a few hundred."""
ALL_NODES: Final = 4_000_000
"""Of all searches for one puzzle."""
_NODES_OF_A_SEARCH: Final = 1_000
"""What it costs to begin one."""
MOST_PLIES: Final = 9
LEAST_PLIES: Final = 3
"""Whoever completes a line at once has no riddle to solve."""
_SOLVER_NODES: Final = 300_000
_ENTRIES: Final = (1 << 16) - 15


class Undecided(Exception):
    """The nodes did not suffice."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the solver of a puzzle can do at his turn."""

    right: dict[Move, Answer | None]
    """Every move that reaches the goal in time, and how the game goes on; None: the puzzle is solved."""
    wrong: dict[Move, Move]
    """Every other legal move, and a reply after which the goal is out of reach."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply that holds out longest, and the turn after it."""

    reply: Move
    turn: Turn


@dataclass(frozen=True, slots=True)
class Puzzle:
    game: str
    """Canonical id."""
    moves: tuple[Move, ...]
    """From the empty board to the position."""
    kind: Kind
    plies: int
    """Of a win: of both sides, to the end. Of a saving move: in which the opponent would win after the best other."""
    alone: bool
    """It is proven that no other first move wins at all, however late; always so of a saving move."""
    turn: Turn

    @property
    def key(self) -> Move:
        """The move to find."""
        return next(iter(self.turn.right))

    @property
    def line(self) -> tuple[Move, ...]:
        """The main line: the first of the right moves each time, and the replies."""
        found: list[Move] = []
        turn: Turn | None = self.turn
        while turn is not None:
            move, answer = next(iter(turn.right.items()))
            found.append(move)
            turn = None
            if answer is not None:
                found.append(answer.reply)
                turn = answer.turn
        return tuple(found)


def puzzle_at(
    rules: Rules, moves: Sequence[Move], most_plies: int = MOST_PLIES, nodes: int = ALL_NODES
) -> Puzzle | None:
    """The puzzle that the position after these moves is, if it is one. Raises IllegalMove."""
    position = rules.initial
    for move in moves:
        position = position.play(move)
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
    """Says whether a side wins in time, by searches that leave no move out. All of them share a number of nodes.

    A search to some depth sees every end within so many plies. It may see later ones too, along forced blocks, and ends
    with the first win that it finds: where that comes too late, the moves are looked at one by one.
    """

    def __init__(self, nodes: int = ALL_NODES) -> None:
        self._negamax: Any = import_module("engine.search.negamax")
        self._left = nodes
        self._known: dict[tuple[Position, int], Any] = {}

    def shortest(self, position: Position, most_plies: int) -> int | None:
        """Plies in which the side to move can force its win, if it can within so many. Raises Undecided."""
        if not self.wins_within(position, most_plies):
            return None
        return next(plies for plies in range(1, most_plies + 1, 2) if self.wins_within(position, plies))

    def wins_within(self, position: Position, plies: int) -> bool:
        """Can the side to move force its win within so many plies? Raises Undecided."""
        if plies < 1:
            return False
        found = self.search(position, plies)
        if found.win_in is None or found.win_in < 0:
            return False
        if found.win_in <= plies or found.depth >= plies:
            return bool(found.win_in <= plies)
        return any(self.is_won_by(position, move, plies) for move in position.legal_moves())

    def is_won_by(self, position: Position, move: Move, plies: int) -> bool:
        """Does this move win within so many plies, itself counted? Raises Undecided."""
        after = position.play(move)
        if after.outcome is not None:
            return after.outcome.winner == position.to_move
        return plies > 2 and self.loses_within(after, plies - 1)

    def loses_within(self, position: Position, plies: int) -> bool:
        """Is the side to move beaten within so many plies, whatever it plays? Raises Undecided."""
        found = self.search(position, plies)
        if found.win_in is None or found.win_in > 0:
            return False
        if -found.win_in <= plies or found.depth >= plies:
            return bool(-found.win_in <= plies)
        return all(self.is_lost_by(position, move, plies) for move in position.legal_moves())

    def is_lost_by(self, position: Position, move: Move, plies: int) -> bool:
        """Does the other side win within so many plies after this move, itself counted? Raises Undecided."""
        after = position.play(move)
        if after.outcome is not None:
            return after.outcome.winner == other(position.to_move)
        return self.wins_within(after, plies - 1)

    def search(self, position: Position, plies: int) -> Any:
        """A Decision; no end within so many plies is overlooked. Raises Undecided."""
        depth = min(plies, position.rules.cells - position.ply)
        found = self._known.get((position, depth))
        if found is None:
            if self._left <= 0:
                raise Undecided
            limit = Limit(nodes=NODES)
            found = self._negamax.choose(position, depth, limit, Random(0), NO_WATCH, self._negamax.FULL)
            self._left -= found.nodes + _NODES_OF_A_SEARCH
            if found.depth < depth and not found.proven:
                raise Undecided
            self._known[position, depth] = found
        return found


_Found: TypeAlias = tuple[Kind, int, bool, Turn]


def _win(position: Position, most_plies: int, judge: Judge) -> _Found | None:
    if isinstance(position, FlatPosition) and _threatened(position):
        return None  # Where to play is no riddle.
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
    """With every move that wins in time, the reply that holds out longest, and a refutation of every other move."""
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
    """The reply of the side that loses in so many plies that makes it last so long."""
    first: Move = judge.search(position, plies).move
    for move in (first, *position.legal_moves()):
        if not judge.is_lost_by(position, move, plies - 2):
            return move
    raise Undecided  # The loser's own move is the last of the game: where boards are counted that can be.


def _refutations(position: Position, plies: int, right: Sequence[Move], judge: Judge) -> dict[Move, Move]:
    """Of every other move. The same as often as may be, first the cell that was to be taken."""
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
    """A reply after which who made the last move does not win in time: one that wins, if there is any."""
    legal = after.legal_moves()
    for reply in legal:
        outcome = after.play(reply).outcome
        if outcome is not None and outcome.winner == after.to_move:
            return reply
    first: Move = judge.search(after, max(plies, 1)).move
    replies = [*(reply for reply in tried if reply in legal), first, *legal]
    return next(reply for reply in replies if plies < 2 or not judge.is_lost_by(after, reply, plies))


# What the solver says of flat boards that are small enough for it


def _is_alone(position: Position, key: Move) -> bool:
    """Is it proven that no other move wins?"""
    if not isinstance(position, FlatPosition):
        return False
    try:
        can_win = _Oracle(position.rules)
        return not any(can_win(after, by_other=True) for after in _others(position, key))
    except (Undecided, ValueError):
        return False


def _others(position: FlatPosition, key: Move) -> Iterator[FlatPosition]:
    return (position.play(move) for move in position.legal_moves() if move != key)


def _save(position: Position) -> _Found | None:
    """Is there one move alone that does not lose, and none that wins?"""
    if not isinstance(position, FlatPosition) or _threatened(position):
        return None
    try:
        solver = _Oracle(position.rules).solver
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


def _threatened(position: FlatPosition) -> bool:
    """Would the other side complete a line if it were to move?"""
    passed = FlatPosition(position.rules, position.x, position.o, position.ply + 1)
    return any(passed.play(move).line for move in passed.legal_moves())


class _Oracle:
    """The solver with bounded nodes. Raises ValueError for boards that are too large, Undecided for lack of nodes."""

    def __init__(self, rules: FlatRules) -> None:
        module: Any = import_module("engine.search.solver")
        self._always: int = import_module("engine.kernels.solving").ALWAYS

        def between(known: Any) -> None:
            if known.nodes >= _SOLVER_NODES:
                raise Undecided

        self.solver: Any = module.Solver(rules, entries=_ENTRIES, between=between, largest_slice=1 << 12)

    def __call__(self, position: FlatPosition, by_other: bool) -> bool:
        """Can the side that is not to move (or is, if not `by_other`) force a line, however late?"""
        if position.outcome is not None:
            return position.outcome.winner is not None
        attacker = other(position.to_move) if by_other else position.to_move
        marks = (position.x, position.o) if attacker == X else (position.o, position.x)
        found: bool = self.solver.answer(*marks, not by_other, self._always)[0]
        return found


# How hard, and which


def difficulty(puzzle: Puzzle, rules: Rules) -> Difficulty:
    """1 to 3, by how far one has to look, and by whether the first move strikes the eye."""
    if puzzle.kind == "save":
        return 2 if puzzle.plies <= 4 else 3
    steps = (puzzle.plies - 1) // 2 + (0 if _is_forcing(puzzle, rules) else 1)
    return 1 if steps <= 1 else 2 if steps <= 2 else 3


def _is_forcing(puzzle: Puzzle, rules: Rules) -> bool:
    """Does the first move threaten to complete a line at once?"""
    position = rules.initial
    for move in (*puzzle.moves, puzzle.key):
        position = position.play(move)
    if not isinstance(position, FlatPosition):
        return False
    return _threatened(position)


def choose(found: Iterable[tuple[Puzzle, int]], rules: Rules, most: int) -> list[tuple[Puzzle, int]]:
    """At most so many puzzles, each with the number of its game, of all lengths and kinds in turn, the easiest first.

    Wins come before saves. No two of them are from one game, or alike by the board's symmetries. Among those of one
    length the fuller proof and the emptier board come first.
    """
    groups: dict[tuple[Kind, int], list[tuple[Puzzle, int]]] = {}
    for puzzle, number in sorted(found, key=lambda each: (not each[0].alone, len(each[0].moves), each[1])):
        groups.setdefault((puzzle.kind, puzzle.plies), []).append((puzzle, number))
    chosen: list[tuple[Puzzle, int]] = []
    looks: set[object] = set()
    games: set[int] = set()
    while len(chosen) < most and any(groups.values()):
        for group in sorted(groups, key=lambda group: (group[0] == "save", group[1])):
            while groups[group] and len(chosen) < most:
                puzzle, number = groups[group].pop(0)
                look = _looks(puzzle, rules)
                if look not in looks and number not in games:
                    looks.add(look)
                    games.add(number)
                    chosen.append((puzzle, number))
                    break
    return sorted(chosen, key=lambda each: (difficulty(each[0], rules), each[0].kind == "save", each[0].plies))


def _looks(puzzle: Puzzle, rules: Rules) -> object:
    """The same for positions that are alike, turned or mirrored."""
    sides = puzzle.moves[::2], puzzle.moves[1::2]
    last = puzzle.moves[-1:] if rules.nested else ()
    return min(
        tuple(tuple(sorted(image[cell] for cell in part)) for part in (*sides, last)) for image in rules.symmetries
    )
