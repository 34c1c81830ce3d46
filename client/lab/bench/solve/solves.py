"""What each solve takes in CPU, next to a search of fixed work in the same run, so that machines can be compared."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from client.lab.bench.figures import Figure, Part, Table, figure, shown
from client.lab.solve.flat.draw import MOST_NODES
from client.lab.verify import qubic_checker
from engine.bench import by_index
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.nested import NestedPosition
from engine.rules.position import play_all
from engine.rules.registry import rules
from engine.search.perfect import qubic_solver
from engine.search.perfect.super_policy import Check
from engine.search.solve import nine_board_solver
from engine.search.solve.breaker import Breaker
from engine.search.solve.solver import ENTRIES, Solver

CONTROL_PLIES: Final = 6
"""Plies searched on Qubic from the empty board by index, as in `noughts bench engine`."""
_MOST_BOARD_S: Final = 60.0
_MOST_QUBIC_S: Final = 130.0
"""The machine of the targets, where a prototype in C takes 26 s."""
_LARGE_ENTRIES: Final = (600 * 1_000_000 // 20) | 1
"""The memory with which 9,4,4 was first solved."""
_NINE_BOARDS: Final = (
    "9/5 5/8 8/5 5/3 3/2 2/3 3/5 5/5 5/7 7/2 2/4 4/5 5/2 2/8 8/1 1/1 1/6 6/5",
    "4/5 5/1 1/1 1/4 4/6 6/7 7/9 9/3 3/2 2/7 7/3 3/6 6/6 6/9 9/8 8/8 8/5 5/8",
    "9/4 4/1 1/1 1/9 9/7 7/5 5/1 1/2 2/2 2/5 5/3 3/7 7/6 6/3 3/3 3/1",
    "7/6 6/9 9/2 2/9 9/1 1/5 5/2 2/8 8/1 1/2 2/3 3/8 8/9 9/7 7/9 9/6 6/5 5/1",
    "9/3 3/6 6/4 4/3 3/3 3/5 5/7 7/1 1/2 2/5 5/9 9/2 2/1 1/6 6/6 6/3",
    "2/1 1/4 4/4 4/9 9/5 5/3 3/1 1/9 9/1 1/2 2/5 5/5 5/9 9/6 6/3 3/6 6/9",
    "4/9 9/8 8/1 1/4 4/2 2/7 7/1 1/3 3/9 9/6 6/3 3/8 8/4 4/6 6/9 9/4 4/7 7/2",
    "9/1 1/3 3/9 9/3 3/7 7/9 9/8 8/5 5/2 2/8 8/1 1/2 2/6 6/2 2/9 9/5 5/5 5/7",
    "8/2 2/1 1/4 4/7 7/1 1/2 2/6 6/5 5/5 5/7 7/8 8/3 3/8 8/9 9/2 2/7 7/7 7/9",
    "6/2 2/9 9/5 5/8 8/5 5/5 5/7 7/5 5/1 1/1 1/9 9/4 4/1 1/8 8/3 3/4 4/9",
)
"""Positions after 15 to 18 plies of random moves, none of which let the other side complete a line at once."""

Solved = tuple[str, int]
"""What was found, in a few words, and the positions that it took."""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to solve or to check."""

    name: str
    kind: str
    """Its name for `--without`."""
    run: Callable[[], Solved]
    target_s: float | None = None
    long: bool = False
    """More than a minute, or near to it."""


def _board(game: str, entries: int = ENTRIES) -> Solved:
    board = rules(game)
    assert isinstance(board, FlatRules)
    start = board.initial
    assert isinstance(start, FlatPosition)
    solution = Solver(board, entries=entries).solve(start)
    return "draw" if solution.plies is None else f"{solution.value.upper()} in {solution.plies}", solution.nodes


def _held(game: str) -> Solved:
    """A board on which O stops every line."""
    board = rules(game)
    assert isinstance(board, FlatRules)
    breaker = Breaker(board)
    held = breaker.holds(breaker.lines, attacking=True, most_nodes=MOST_NODES)
    return "draw" if held else "not solved", breaker.nodes


def _small_boards() -> Solved:
    """All boards of sides 3 to 5."""
    found = [
        _board(f"mnk:{m},{n},{k}") for m in range(3, 6) for n in range(3, 6) for k in range(3, max(m, n) + 1)
    ]  # fmt: skip
    wins = sum(value != "draw" for value, _ in found)
    return f"X wins {wins} of {len(found)}", sum(nodes for _, nodes in found)


def _super() -> Solved:
    check = Check()
    way = check.way(rules("super").initial)  # type: ignore[arg-type]
    return f"X in at most {way.plies}", check.positions


def _qubic() -> Solved:
    expanded = 0
    for found in qubic_solver.solve():
        if isinstance(found, qubic_solver.Progress):
            expanded = found.expanded
        else:
            book = found
    return f"X in at most {book[0, 0].plies}", expanded


def _verify() -> Solved:
    records, plies = qubic_checker.check(files("engine.search.perfect").joinpath("qubic.book").read_bytes())
    return f"holds, {plies} plies", records


def _nine_boards() -> Solved:
    wins: Counter[str] = Counter()
    nodes = 0
    for moves in _NINE_BOARDS:
        solver = nine_board_solver.Solver()
        wins[solver.solve(_played(moves)).value] += 1
        nodes += solver.nodes
    return f"X wins {wins['x']} of {len(_NINE_BOARDS)}, O {wins['o']}", nodes


def _played(moves: str) -> NestedPosition:
    position = play_all(rules("nine-board").initial, map(rules("nine-board").parse_move, moves.split()))
    assert isinstance(position, NestedPosition)
    return position


CASES: Final = (
    Case("super", "super", _super),
    Case("all M, N up to 5", "boards", _small_boards, _MOST_BOARD_S),
    Case("mnk:6,4,4", "boards", lambda: _board("mnk:6,4,4"), _MOST_BOARD_S),
    Case("mnk:6,5,4", "boards", lambda: _board("mnk:6,5,4"), _MOST_BOARD_S),
    Case("mnk:7,7,5", "boards", lambda: _held("mnk:7,7,5"), _MOST_BOARD_S),
    Case("cube:3", "boards", lambda: _board("cube:3"), _MOST_BOARD_S),
    Case("nine-board after 15 to 18 plies", "nine-board", _nine_boards),
    Case("qubic", "qubic", _qubic, _MOST_QUBIC_S),
    Case("qubic's proof verified", "verify", _verify),
    Case("mnk:6,6,5", "boards", lambda: _board("mnk:6,6,5"), long=True),
    Case("mnk:7,4,4", "boards", lambda: _board("mnk:7,4,4"), long=True),
    Case("mnk:8,4,4", "boards", lambda: _board("mnk:8,4,4"), long=True),
    Case("mnk:9,4,4", "boards", lambda: _board("mnk:9,4,4", _LARGE_ENTRIES), long=True),
)


@dataclass(frozen=True, slots=True)
class Taken:
    """One case, and the control just before and just after it."""

    case: Case
    found: str
    positions: int
    cpu_s: float
    control_s: float
    control_nodes: int

    @property
    def ratio(self) -> float:
        """How many control searches could have been done instead."""
        return self.cpu_s / self.control_s

    @property
    def control_rate(self) -> float:
        """Million nodes per second."""
        return self.control_nodes / self.control_s / 1e6


def run(cases: Sequence[Case], clock: Callable[[], float] = time.process_time) -> Iterator[Taken]:
    """Solves one after the other; `clock` returns CPU seconds. Kernels are loaded before anything is timed."""
    _board("tictactoe", 1)
    nine_board_solver.Solver().solve(_played(_NINE_BOARDS[0]))
    qubic_solver.Solver().grow(1)
    _control(clock)
    for case in cases:
        before_s, nodes = _control(clock)
        begun_s = clock()
        found, positions = case.run()
        cpu_s = clock() - begun_s
        after_s, _ = _control(clock)
        yield Taken(case, found, positions, cpu_s, (before_s + after_s) / 2, nodes)


def _control(clock: Callable[[], float]) -> tuple[float, int]:
    """(seconds, nodes)."""
    start = rules("qubic").initial
    begun_s = clock()
    nodes, _ = by_index(start, CONTROL_PLIES)
    return clock() - begun_s, nodes


def part(taken: Sequence[Taken]) -> Part:
    """Figures for JSON and targets, and all of it as a table."""
    figures: list[Figure] = []
    for one in taken:
        figures.append(figure(one.case.name, "s", [one.cpu_s], one.case.target_s))
        figures.append(figure(f"{one.case.name}, to the control", "times", [one.ratio]))
    if taken:
        figures.append(figure("control, Qubic", "M/s", [one.control_rate for one in taken]))
    head = ("solve", "found", "positions", "CPU s", "control M/s", "to the control")
    rows = [
        (one.case.name, one.found, f"{one.positions:,}", shown(one.cpu_s), shown(one.control_rate), shown(one.ratio))
        for one in taken
    ]
    about = f"CPU seconds of each solve, and how many searches of Qubic to {CONTROL_PLIES} plies take as long"
    return Part("solves", about, figures, [Table("Solves", head, rows)])
