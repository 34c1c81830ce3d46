"""Fixed positions and searches whose nodes are the same on every machine: their total is the engine's signature.

A change of the search that changes the signature changes what the bots do; one that does not is only faster or
slower. Everything is seeded and of fixed depth; the clock is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.bots.literature import altekar, bragstad
from engine.rules.flat import FlatPosition
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from engine.search import evaluation, mcts, patterned, qubic, skill
from engine.search.fixed import Cut, Scoring, search
from engine.search.negamax import FULL, LEARNED, PLAIN, WIN, Plan, choose
from engine.search.watch import NO_WATCH

Search = Callable[[Position, int], int]
"""Searches a position to a depth and returns the nodes it made."""


def _by_index(position: Position, depth: int) -> int:
    return by_index(position, depth)[0]


def by_index(position: Position, depth: int) -> tuple[int, int]:
    """The kernel at its barest, with our evaluation: loose cuts, moves in the order of their cells. (nodes, value)."""
    if isinstance(position, FlatPosition):
        scoring = Scoring(lines=evaluation.line_values(position.rules.length), win=WIN - depth, faster=1)
    else:
        scoring = Scoring(boards=evaluation.small_value, win=WIN - depth, faster=1)
    found = search(position, depth, scoring, cut=Cut.LOOSE, first_only=True)
    return found.nodes, max(found.values)


def _deepening(plan: Plan) -> Search:
    return lambda position, depth: choose(position, depth, NO_LIMIT, Random(0), NO_WATCH, plan).nodes


def _altekar(cut: Cut) -> Search:
    return lambda position, depth: altekar.searched(position, depth, "sum", cut).nodes


def _bragstad(position: Position, depth: int) -> int:
    return bragstad.searched(position, depth, Cut.NONE).nodes


def _patterned(position: Position, depth: int) -> int:
    return patterned.choose(position, Limit(depth=depth), NO_WATCH, skill.BOUNDLESS).nodes


def _threats(position: Position, depth: int) -> int:
    return qubic.choose(position, Limit(depth=depth), NO_WATCH, skill.BOUNDLESS).nodes


def _tree(position: Position, thousands: int) -> int:
    """The playouts of a tree search of this many thousand nodes."""
    plan = mcts.PLANS["weights"]
    return mcts.choose(position, Limit(nodes=1000 * thousands), Random(0), NO_WATCH, plan, mcts.ROOM).interior


_SEARCHES: Final[dict[str, Search]] = {
    "by index": _by_index,
    "plain": _deepening(PLAIN),
    "full": _deepening(FULL),
    "patterns": _patterned,
    "threats": _threats,
    "learned": _deepening(LEARNED),
    "tree": _tree,
    "altekar >=": _altekar(Cut.LOOSE),
    "altekar >": _altekar(Cut.STRICT),
    "bragstad": _bragstad,
}
"""`plain` deepens with ordered moves; `full` adds the table, forced moves and everything else; `patterns` is
`strongest` on large boards, `threats` on Qubic; `learned` judges by learned weights and searches late moves less deep;
`tree` is that of `mcts`, whose playouts are counted."""


@dataclass(frozen=True, slots=True)
class Case:
    """One search of one position."""

    game: str
    search: str
    depth: int
    moves: str = ""
    """What has been played, in the game's notation."""

    @property
    def name(self) -> str:
        return f"{self.game} after {len(self.moves.split())}: {self.search} {self.depth}"

    def position(self) -> Position:
        return play_all(rules(self.game).initial, map(rules(self.game).parse_move, self.moves.split()))

    def nodes(self) -> int:
        """Search, and count."""
        return _SEARCHES[self.search](self.position(), self.depth)


_QUBIC: Final = "b3.3 a4.1 b2.3 b1.3 b2.2 d1.1 a1.4 d4.1 c2.3 d4.4 d2.3 a2.3 b2.1 b2.4"
_CUBE_5: Final = "c3.3 b4.4 b3.3 d3.3 d4.4 a1.1 b4.2 b2.4 c4.3 a4.1 c2.3 c1.3 b3.4 a5.1 a2.1 d2.4 b3.2 b3.1 b1.2 b5.2"
_MNK_8: Final = "d5 d4 e4 c6 e5 c5 e3 e6"
_GOMOKU: Final = "h8 g9 g7 i9 h9 h10 f8 j8 g11 h6"
_NESTED: Final = "5/5 5/7 7/3 3/9 9/1 1/1 1/9 9/3"
_ULTIMATE: Final = f"{_NESTED} 3/7 7/5 5/8 8/1 1/6 6/2 2/5 5/2"
_COUNT: Final = f"{_ULTIMATE} 2/7 7/6 6/4 4/5 5/4 4/7 7/2 2/3"

MANY_FOURS: Final = Case(
    "gomoku", "patterns", 2,
    "b1 i2 c1 m11 d1 h1 i1 n14 j1 h13 k1 a1 c4 b4 d4 i4 e4 d5 j4 b11 k4 d8 l4 a2 b7 d11 c7 m14 d7 f14 i7 i10 j7 e14 k7"
    " f2 c10 f8 d10 b10 e10 a13 j10 a7 k10 h7 l10 n8 b13 k8 c13 o5 d13 g8 i13 k5 j13 c14 k13 j5",
)  # fmt: skip
"""Ten closed threes of X far apart: continuous fours in any order, none of which win, so that 300,000 moves do not
settle it: a clock is easily forgotten over them."""

CASES: Final = (
    Case("tictactoe", "plain", 9),
    Case("tictactoe", "full", 9),
    Case("mnk:4,4,4", "by index", 8),
    Case("mnk:4,4,4", "full", 16),
    Case("mnk:5,5,4", "by index", 6),
    Case("mnk:5,5,4", "plain", 7, "c3 b4 b3 d3"),
    Case("mnk:5,5,4", "full", 12, "c3 b4 b3 d3"),
    Case("mnk:8,8,5", "by index", 5),
    Case("mnk:8,8,5", "plain", 6, _MNK_8),
    Case("mnk:8,8,5", "full", 7, _MNK_8),
    Case("gomoku", "by index", 3, _GOMOKU),
    Case("gomoku", "plain", 4, _GOMOKU),
    Case("gomoku", "full", 5, _GOMOKU),
    Case("gomoku", "patterns", 6, _GOMOKU),
    MANY_FOURS,
    Case("mnk:8,8,5", "patterns", 6, _MNK_8),
    Case("cube:3", "plain", 4),
    Case("cube:3", "full", 9),
    Case("qubic", "by index", 5),
    Case("qubic", "by index", 6),
    Case("qubic", "plain", 5),
    Case("qubic", "full", 6),
    Case("qubic", "plain", 6, _QUBIC),
    Case("qubic", "full", 8, _QUBIC),
    Case("qubic", "threats", 6, "b3.3 a4.1 b2.3 b1.3"),
    Case("cube:5", "plain", 4, _CUBE_5),
    Case("cube:5", "full", 5, _CUBE_5),
    Case("nine-board", "by index", 9),
    Case("nine-board", "full", 12, _NESTED),
    Case("nine-board", "learned", 12, _NESTED),
    Case("ultimate", "by index", 8),
    Case("ultimate", "plain", 11, _ULTIMATE),
    Case("ultimate", "full", 12, _ULTIMATE),
    Case("ultimate", "learned", 14, _ULTIMATE),
    Case("ultimate", "tree", 300, _ULTIMATE),
    Case("ultimate:count", "full", 12, _COUNT),
    Case("ultimate:count", "learned", 14, _COUNT),
    Case("ultimate:count", "tree", 2000, _COUNT),
    Case("super", "by index", 8),
    Case("super", "full", 11, _ULTIMATE),
    Case("tictactoe", "bragstad", 9),
    Case("qubic", "altekar >=", 3),
    Case("qubic", "altekar >", 3),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What a case did and took."""

    case: Case
    nodes: int
    taken_ns: tuple[int, ...]
    """One for each repeat."""


def run(repeat: int, clock: Callable[[], int]) -> Iterator[Result]:
    """Every case, searched once so that its kernel is there, then `repeat` times; `clock` counts nanoseconds."""
    for case in CASES:
        nodes = case.nodes()
        taken = []
        for _ in range(repeat):
            begun = clock()
            case.nodes()
            taken.append(clock() - begun)
        yield Result(case, nodes, tuple(taken))
