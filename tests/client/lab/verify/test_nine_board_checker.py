"""The checker of nine-board proofs accepts what the solver writes, and nothing that was changed."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from client.lab.verify import nine_board_checker as checker
from engine.rules.nested import NestedPosition
from engine.search.nine_board_solver import Solver
from tests.support.nine_board_positions import can_win, completing, nearly_full, played

WON = "6/4 4/1 1/8 8/1 1/3 3/4 4/3 3/5 5/9 9/6 6/7 7/7 7/6 6/3 3/7 7/1 1/6 6/8 8/5 5/2 2/5 5/3 3/2 2/4 4/9 9/8"


def proof(position: NestedPosition) -> bytes:
    solver = Solver(entries=1 << 12)
    return solver.proof(position, solver.solve(position).value)


def sealed(data: bytes) -> bytes:
    return data + hashlib.sha256(data).digest()


def with_moves(data: bytes, chosen: bytes) -> bytes:
    """The same proof with other moves in its only section."""
    head, (prover, line, *_) = data[: checker.HEAD.size], checker.SECTION.unpack_from(data, checker.HEAD.size)
    packed = zlib.compress(chosen)
    return sealed(head + checker.SECTION.pack(prover, line, len(chosen), len(packed)) + packed)


def moves_of(data: bytes) -> bytes:
    return next(checker.sections(data[:-32], 1))[2]


def test_a_win_is_proven(tmp_path: Path) -> None:
    data = proof(played(WON))
    assert checker.check(data) == ("on nine-board after 26 plies X wins", len(moves_of(data)))
    path = tmp_path / "proof"
    path.write_bytes(data)
    alone = subprocess.run([sys.executable, "-I", checker.__file__, str(path)], capture_output=True, text=True)
    assert alone.stdout == f"Proven: on nine-board after 26 plies X wins; {len(moves_of(data))} moves.\n"


def test_near_the_end_exactly_what_is_true_is_proven() -> None:
    rng = random.Random(3)
    seen = set()
    for _ in range(25):
        position = nearly_full(rng, rng.choice((3, 5, 8)))
        start = f"on nine-board after {position.ply} plies"
        solver = Solver(entries=1 << 10)
        value = solver.solve(position).value
        words, _ = checker.check(solver.proof(position, value))
        assert words == f"{start} {'nobody can win' if value == 'draw' else f'{value.upper()} wins'}"
        assert value == next((side for side in ("x", "o") if can_win(position, side, {})), "draw")  # type: ignore[arg-type]
        seen.add(value)
    assert seen == {"x", "o", "draw"}


def test_every_move_changed_in_turn() -> None:
    """Nearly always that is rejected; else the other move wins as well, by the moves that follow."""
    data = proof(played(WON))
    chosen = moves_of(data)
    rejected = 0
    for place in range(len(chosen)):
        other = with_moves(data, chosen[:place] + bytes([(chosen[place] + 1) % 9]) + chosen[place + 1 :])
        try:
            checker.check(other)
        except checker.Rejected:
            rejected += 1
    assert rejected > 0.9 * len(chosen)


def test_missing_and_superfluous_moves() -> None:
    data = proof(played(WON))
    chosen = moves_of(data)
    for changed, words in (
        (chosen[:-1], "There are too few moves"),
        (chosen + b"\0", "There are more moves than positions"),
        (b"", "There are too few moves"),
        (bytes([99]) + chosen[1:], "A move cannot be made: 99"),
    ):
        with pytest.raises(checker.Rejected, match=words):
            checker.check(with_moves(data, changed))


def test_damaged_and_foreign_files() -> None:
    data = proof(played(WON))
    section = checker.HEAD.size
    for changed, words in (
        (b"", "it does not begin as one"),
        (b"qubicwin" + data, "it does not begin as one"),
        (data[:-1], "its checksum is wrong"),
        (data[:40] + bytes([data[40] ^ 1]) + data[41:], "its checksum is wrong"),
        (sealed(data[: section + 5]), "ends within a section"),
        (sealed(data[:-32] + b"\0"), "does not end after its sections"),
        (sealed(data[:-40]), "does not hold what it says|cannot be decompressed"),
        (sealed(data[: section + 10] + bytes(20)), "does not hold what it says|cannot be decompressed"),
        (sealed(data[:10] + b"\xff" * 11 + data[21:-32]), "a position that cannot be"),
        (sealed(data[:32] + b"\x0a" + data[33:-32]), "a position that cannot be"),
    ):
        with pytest.raises(checker.Rejected, match=words):
            checker.check(changed)


def test_the_opponent_may_complete_a_line() -> None:
    """A strategy for the other side of a won game is refuted."""
    position = played("5/5 5/1 1/5 5/2 2/5")
    assert completing(position)
    marks = position.x.to_bytes(11, "little"), position.o.to_bytes(11, "little")
    for prover, line in ((1, 1), (1, 0)):
        packed = zlib.compress(b"")
        claim = checker.HEAD.pack(b"ninegame", 1, 1, *marks, 4) + checker.SECTION.pack(prover, line, 0, len(packed))
        with pytest.raises(checker.Rejected, match="The other side completes a line"):
            checker.check(sealed(claim + packed))
