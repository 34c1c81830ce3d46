"""`python -m client.lab.bench.make_tactics`: find the positions of `noughts bench tactics`, and rewrite their file.

They come from seeded games of our own bots with few nodes, every third move at random. Who wins is said by solvers:

- mnk:5,5,4 by the solver of small boards. In a `win` one move wins and no other; in a `save` one move draws.
- qubic by searches for wins by threats. A `win` has one or two moves after which every reply is beaten by threats, and
  is not one move long. In a `save` all replies but one are beaten by threats.

It takes minutes, and the file is the same each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec
import numpy as np

from client.lab.bench.tactics import FILE, Kind, Puzzle
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.kernels import qubic_proof, qubic_threats
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import cells_of
from engine.rules.position import Move
from engine.rules.registry import rules
from engine.search.perfect import qubic_lines
from engine.search.solver import Solver

_SEED: Final = 20
_WANTED: Final[dict[str, dict[Kind, int]]] = {
    "mnk:5,5,4": {"win": 15, "save": 15},
    "qubic": {"win": 15, "save": 15},
}
"""Positions of each kind."""
_NODES: Final = 2_000
_CAP: Final = 20_000
_LEAST_PLIES: Final = 5

_Found = tuple[Kind, tuple[Move, ...], int]


def main() -> None:
    puzzles: list[Puzzle] = []
    for game, judge in (("mnk:5,5,4", _small()), ("qubic", _qubic)):
        puzzles += _puzzles(game, judge)
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(puzzles), indent=1) + b"\n")
    print(f"{len(puzzles)} positions in {FILE}.")


def _puzzles(game: str, judge: Callable[[FlatPosition], _Found | None]) -> Iterator[Puzzle]:
    """So many of each kind, at most one of a game and kind."""
    wanted = dict(_WANTED[game])
    random = Random(_SEED)
    while any(wanted.values()):
        seen = set()
        for position, moves in _game(game, random):
            found = judge(position)
            if found is None or found[0] in seen or not wanted[found[0]]:
                continue
            kind, best, plies = found
            seen.add(kind)
            wanted[kind] -= 1
            print(f"{game} {kind} {plies}", file=sys.stderr)
            yield Puzzle(game, kind, _texts(position.rules, moves), _texts(position.rules, best), plies)


def _texts(game: FlatRules, moves: tuple[Move, ...]) -> str:
    return " ".join(map(game.format_move, moves))


def _game(game: str, random: Random) -> Iterator[tuple[FlatPosition, tuple[Move, ...]]]:
    position, moves = rules(game).initial, tuple[Move, ...]()
    while position.outcome is None:
        assert isinstance(position, FlatPosition)
        yield position, moves
        move = decide(bot("strongest"), position, Limit(nodes=_NODES), seed=random.randrange(1 << 30)).move
        if random.random() < 1 / 3:
            move = random.choice(position.legal_moves())
        position, moves = position.play(move), (*moves, move)


def _small() -> Callable[[FlatPosition], _Found | None]:
    game = rules("mnk:5,5,4")
    assert isinstance(game, FlatRules)
    solver = Solver(game)

    def judge(position: FlatPosition) -> _Found | None:
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


def _qubic(position: FlatPosition) -> _Found | None:
    own, others = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
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


def _by_threats(own: int, others: int) -> int:
    """In how many plies the side to move wins by threats, 0 if not."""
    threats = qubic_lines.memory().threats
    threats.failed[:] = 0
    qubic_threats.set_row(threats, threats.rows[0], np.uint64(own), np.uint64(others))
    if qubic_threats.search(threats, _CAP) != qubic_threats.WON:
        return 0
    moves = qubic_lines.shortest(threats, own, others, _CAP, between=lambda: None).moves
    return len(qubic_lines.line(own, others, moves))


def _unbeaten(own: int, others: int) -> tuple[Move, ...]:
    """The replies of the other side that do not lose to threats."""
    memory = qubic_lines.memory()
    left = qubic_proof.answer(memory.proof, memory.threats, _CAP, np.uint64(own), np.uint64(others))
    return cells_of(int(left))


if __name__ == "__main__":
    main()
