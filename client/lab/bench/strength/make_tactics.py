"""`python -m client.lab.bench.strength.make_tactics`: finds and writes the positions of `noughts bench tactics`.

They come from seeded games of our own bots with few nodes, every third move at random, but for `fours` and `save` of
gomoku, which are random marks in the middle. Solvers say who wins:

- mnk:5,5,4 by the solver of small boards. In a `win` one move wins and no other; in a `save` one move draws.
- qubic by searches for wins by threats. A `win` has one or two moves after which every reply is beaten by threats, and
  is not one move long. In a `save` all replies but one are beaten by threats.
- gomoku by searches for wins by continuous fours and by the search of `strongest`. In `fours` there is a win by
  continuous fours and none shorter than 11 plies, as plain Python finds too (`continuous_fours.py`). A `win` has none
  by fours, and the search proves a longer one. In a `save` all moves but one are beaten by continuous fours, and
  the search does not find that one beaten.
- nine-board and ultimate as `nested_tactics` says: in a `win` one move wins and no other, in a `save` all moves but one
  lose, and four plies do not show it. Nine-board is hardly ever drawn, so it has no `save`.

It takes minutes, and the file is the same each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec

from client.lab.bench.strength import nested_tactics
from client.lab.bench.strength.continuous_fours import ContinuousFours
from client.lab.bench.strength.tactics import FILE, Kind, Puzzle
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.kernels import fours, qubic_threats
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import Move, Position, Rules, marks_of
from engine.rules.registry import rules
from engine.search import patterned, threat_wins
from engine.search.patterned import pattern_board
from engine.search.perfect import qubic_memory
from engine.search.solve.solver import Solver
from engine.search.watch import NO_WATCH

_SEED: Final = 20
_EACH: Final = 15
"""Positions of each kind."""
_NESTED: Final = 8
"""Positions of each kind on nine-board and Ultimate, whose claims take longer to check."""
_FOURS: Final = 20
_SAVES: Final = 5
"""Positions of the kind `save` on gomoku, where they are rare."""
_NODES: Final = 2_000
_CAP: Final = 20_000
_LEAST_PLIES: Final = 5
_FOURS_CAP: Final = 200_000
_FOURS_PLIES: Final = (11, 21)
_THREES_NODES: Final = 300_000
_THREES_PLIES: Final = 7

_Found = tuple[Kind, tuple[Move, ...], int]
_Judge = Callable[[Position], _Found | None]
_Source = Callable[[str, Random], Iterator[tuple[Position, tuple[Move, ...]]]]


def main() -> None:
    puzzles: list[Puzzle] = []
    both: dict[Kind, int] = {"win": _EACH, "save": _EACH}
    puzzles += _puzzles("mnk:5,5,4", _game, _small(), both)
    puzzles += _puzzles("qubic", _game, _qubic, both)
    puzzles += _puzzles("gomoku", _scattered, _fours(), {"fours": _FOURS, "save": _SAVES})
    puzzles += _puzzles("gomoku", _game, _threes, {"win": _EACH})
    puzzles += _puzzles("nine-board", _game, nested_tactics.nine_board, {"win": _NESTED})
    puzzles += _puzzles("ultimate", _game, nested_tactics.ultimate, {"win": _NESTED, "save": _NESTED})
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(puzzles), indent=1) + b"\n")
    print(f"{len(puzzles)} positions in {FILE}.")


def _puzzles(game: str, source: _Source, judge: _Judge, wanted: dict[Kind, int]) -> Iterator[Puzzle]:
    """This many of each kind, at most one from a game and kind."""
    wanted = dict(wanted)
    random = Random(_SEED)
    while any(wanted.values()):
        seen = set()
        for position, moves in source(game, random):
            found = judge(position)
            if found is None or found[0] in seen or not wanted[found[0]]:
                continue
            kind, best, plies = found
            seen.add(kind)
            wanted[kind] -= 1
            print(f"{game} {kind} {plies}", file=sys.stderr)
            yield Puzzle(game, kind, _texts(position.rules, moves), _texts(position.rules, best), plies)


def _texts(game: Rules, moves: tuple[Move, ...]) -> str:
    return " ".join(map(game.format_move, moves))


def _game(game: str, random: Random) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    position, moves = rules(game).initial, tuple[Move, ...]()
    while position.outcome is None:
        yield position, moves
        move = decide(bot("strongest"), position, Limit(nodes=_NODES), seed=random.randrange(1 << 30)).move
        if random.random() < 1 / 3:
            move = random.choice(position.legal_moves())
        position, moves = position.play(move), (*moves, move)


def _small() -> _Judge:
    game = rules("mnk:5,5,4")
    assert isinstance(game, FlatRules)
    solver = Solver(game)

    def judge(position: Position) -> _Found | None:
        assert isinstance(position, FlatPosition)
        if position.ply < 6:
            return None
        solution = solver.solve(position)
        if solution.value == "draw":
            return ("save", solution.best, 0) if len(solution.best) == 1 and position.ply < 20 else None
        if solution.value != position.to_move or (solution.plies or 0) < _LEAST_PLIES:
            return None
        after = [(move, position.play(move)) for move in position.legal_moves()]
        winning = [
            move for move, next_ in after if next_.outcome is None and solver.solve(next_).value == position.to_move
        ]
        return ("win", tuple(winning), solution.plies or 0) if len(winning) == 1 else None

    return judge


def _qubic(position: Position) -> _Found | None:
    assert isinstance(position, FlatPosition)
    own, others = marks_of(position, position.to_move)
    if position.ply < 6:
        return None
    plies = _by_threats(own, others)
    if plies:
        winning = tuple(move for move in position.legal_moves() if not _unbeaten(own | 1 << move, others))
        return ("win", winning, plies) if plies >= _LEAST_PLIES and 0 < len(winning) <= 2 else None
    plies = _by_threats(others, own)
    if plies < _LEAST_PLIES:
        return None
    left = _unbeaten(others, own)
    return ("save", left, plies) if len(left) == 1 else None


def _scattered(game: str, random: Random) -> Iterator[tuple[FlatPosition, tuple[Move, ...]]]:
    """One position of 16 to 34 marks in the middle."""
    position, moves = rules(game).initial, tuple[Move, ...]()
    columns, rows = position.rules.dimensions
    middle = [
        x + columns * y for y in range(rows) for x in range(columns)
        if max(abs(2 * x - columns + 1), abs(2 * y - rows + 1)) <= 10
    ]  # fmt: skip
    for move in random.sample(middle, random.randrange(16, 35)):
        position, moves = position.play(move), (*moves, move)
        if position.outcome is not None:
            return
    assert isinstance(position, FlatPosition)
    yield position, moves


def _fours() -> _Judge:
    game = rules("gomoku")
    assert isinstance(game, FlatRules)
    memory = fours.fours(game.cells)

    def by_fours(position: FlatPosition, side: int) -> int:
        return fours.search(pattern_board(position), memory, side, _FOURS_CAP)

    def judge(position: Position) -> _Found | None:
        assert isinstance(position, FlatPosition)
        side = position.ply & 1
        plies = by_fours(position, side)
        if plies > 0:
            return _long_fours(position, plies)
        threatened = by_fours(position, 1 - side)
        if threatened >= _LEAST_PLIES:
            left = []
            for move in position.legal_moves():
                after = position.play(move)
                assert isinstance(after, FlatPosition)
                if by_fours(after, 1 - side) <= 0:
                    left.append(move)
            if len(left) == 1 and not _wins(position.play(left[0])):
                return "save", tuple(left), threatened
        return None

    return judge


def _threes(position: Position) -> _Found | None:
    assert isinstance(position, FlatPosition)
    if position.ply < 6:
        return None
    memory = fours.fours(position.rules.cells)
    if fours.search(pattern_board(position), memory, position.ply & 1, _FOURS_CAP) != fours.FAILED:
        return None
    found = patterned.choose(position, Limit(nodes=_THREES_NODES), NO_WATCH)
    win_in = found.win_in or 0
    return ("win", (found.move,), win_in) if win_in >= _THREES_PLIES else None


def _wins(position: Position) -> bool:
    """Whether the search proves that the side to move wins."""
    return (patterned.choose(position, Limit(nodes=_THREES_NODES), NO_WATCH).win_in or 0) > 0


def _long_fours(position: FlatPosition, plies: int) -> _Found | None:
    least, most = _FOURS_PLIES
    if plies < least:
        return None
    slow = ContinuousFours(position.rules)
    shortest = slow.shortest(position, min(plies, most))
    return ("fours", slow.winning(position, shortest), shortest) if shortest >= least else None


def _by_threats(own: int, others: int) -> int:
    """The plies in which the side to move wins by threats; 0 if it does not."""
    threats = qubic_memory.memory().threats
    threats.failed[:] = 0
    if threat_wins.search(threats, own, others, _CAP) != qubic_threats.WON:
        return 0
    return len(threat_wins.shortest(threats, own, others, _CAP).line)


def _unbeaten(own: int, others: int) -> tuple[Move, ...]:
    """The replies of the other side that do not lose to threats."""
    return qubic_memory.answers(own, others, _CAP).left


if __name__ == "__main__":
    main()
