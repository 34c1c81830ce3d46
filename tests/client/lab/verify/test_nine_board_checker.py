"""The checker of nine-board proofs accepts what the solver writes, and nothing that was changed."""

from __future__ import annotations

import hashlib
import random
import signal
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import pytest

from client.lab.verify import nine_board_checker as checker
from engine.rules.nested import NestedPosition
from engine.search.solve import nine_board_solver, nine_board_strategy
from engine.search.solve.nine_board_solver import Solver
from tests.support.engine.nine_board_positions import can_win, cells, completing, nearly_full, played
from tests.support.lab import nine_board_proofs as proofs

WON = "6/4 4/1 1/8 8/1 1/3 3/4 4/3 3/5 5/9 9/6 6/7 7/7 7/6 6/3 3/7 7/1 1/6 6/8 8/5 5/2 2/5 5/3 3/2 2/4 4/9 9/8"


def proof(position: NestedPosition) -> bytes:
    solver = Solver(entries=1 << 12)
    return proofs.proof(solver, position, solver.solve(position).value)


def sealed(data: bytes) -> bytes:
    return data + hashlib.sha256(data).digest()


def only_part(data: bytes) -> tuple[checker.Part, bytes, bytes]:
    """The positions and the moves of a proof in one part."""
    [(_, _, [part])] = checker.claims(data[:-32], 1)
    unpacked = zlib.decompress(part.packed)
    return part, unpacked[: -part.moves], unpacked[-part.moves :]


def moves_of(data: bytes) -> bytes:
    return only_part(data)[2]


def with_part(data: bytes, begun: int, left: int, places: bytes, chosen: bytes) -> bytes:
    """The same proof with another part instead of its only one."""
    packed = zlib.compress(places + chosen)
    part = checker.PART.pack(begun, left, len(chosen), len(packed)) + packed
    return sealed(data[: checker.HEAD.size + checker.CLAIM.size] + part + checker.END)


def with_moves(data: bytes, chosen: bytes) -> bytes:
    """The same proof with other moves."""
    part, places, _ = only_part(data)
    return with_part(data, part.begun, part.left, places, chosen)


def in_parts(monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr(nine_board_strategy, "MOST_POSITIONS", 20)
    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 5)
    return proof(played(WON))


def joined(data: bytes, parts: list[checker.Part]) -> bytes:
    """The same proof with these parts."""
    heads = [checker.PART.pack(part.begun, part.left, part.moves, len(part.packed)) + part.packed for part in parts]
    return sealed(data[: checker.HEAD.size + checker.CLAIM.size] + b"".join(heads) + checker.END)


def test_a_win_is_proven(tmp_path: Path) -> None:
    data = proof(played(WON))
    assert checker.check(data) == ("on nine-board after 26 plies X wins", len(moves_of(data)))
    path = tmp_path / "proof"
    path.write_bytes(data)
    alone = subprocess.run([sys.executable, "-I", checker.__file__, str(path)], capture_output=True, text=True)
    assert alone.stdout == (
        f"Proven: on nine-board after 26 plies X wins; {len(moves_of(data))} moves.\n"
        f"Position: X {' '.join(sorted(WON.split()[::2]))}; O {' '.join(sorted(WON.split()[1::2]))}; board 8.\n"
    )


def test_near_the_end_exactly_what_is_true_is_proven() -> None:
    rng = random.Random(3)
    seen = set()
    for _ in range(25):
        position = nearly_full(rng, rng.choice((3, 5, 8)))
        start = f"on nine-board after {position.ply} plies"
        solver = Solver(entries=1 << 10)
        value = solver.solve(position).value
        words, _ = checker.check(proofs.proof(solver, position, value))
        assert words == f"{start} {'nobody can win' if value == 'draw' else f'{value.upper()} wins'}"
        assert value == next((side for side in ("x", "o") if can_win(position, side, {})), "draw")
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
        (chosen[:-1], "its moves are too few"),
        (chosen + b"\0", "There are more moves than positions"),
        (b"", "its moves are too few"),
        (bytes([99]) + chosen[1:], "A move cannot be made: 99"),
    ):
        with pytest.raises(checker.Rejected, match=words):
            checker.check(with_moves(data, changed))


def test_parts_prove_what_they_leave_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    data = in_parts(monkeypatch)
    [(_, _, parts)] = checker.claims(data[:-32], 1)
    assert len(parts) > 5
    words, moves = checker.check(data)
    assert (words, moves) == ("on nine-board after 26 plies X wins", sum(part.moves for part in parts))
    told = list[tuple[int, int]]()
    assert checker.check(joined(data, parts[::-1]), told=lambda done, of: told.append((done, of))) == (words, moves)
    assert told == [(number, len(parts)) for number in range(1, len(parts) + 1)]
    for number in range(len(parts)):
        with pytest.raises(checker.Rejected, match="No part begins with prover 0x"):
            checker.check(joined(data, parts[:number] + parts[number + 1 :]))


def test_processes_check_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    data = in_parts(monkeypatch)
    assert checker.check(data, 2) == checker.check(data)
    [(_, _, parts)] = checker.claims(data[:-32], 1)
    parts[-1] = parts[-1]._replace(moves=parts[-1].moves + 1)
    with pytest.raises(checker.Rejected, match="A part does not hold what it says"):
        checker.check(joined(data, parts), 2)


def test_processes_end_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends it: they hold its output, so that waiting for the end of that is waiting for them."""
    path = tmp_path / "proof"
    path.write_bytes(in_parts(monkeypatch))
    script = """
import os, signal, sys
from pathlib import Path
from client.lab.verify import nine_board_checker
data = Path(sys.argv[1]).read_bytes()
nine_board_checker.check(data, 2, lambda done, of: os.kill(os.getpid(), signal.SIGTERM))
"""
    ended = subprocess.run([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, timeout=60)
    assert ended.returncode == -signal.SIGTERM


def test_a_position_that_no_move_leads_to_is_rejected() -> None:
    """X completes a line in board 1 at once, wherever the move may be made."""
    two, others = cells("1/1 1/2"), cells("5/5 6/4")
    x, o = (sum(1 << cell for cell in marks) for marks in (two, others))

    def claim(x: int, o: int, forced: int) -> bytes:
        marks = x.to_bytes(11, "little"), o.to_bytes(11, "little")
        head = checker.HEAD.pack(b"ninegame", 2, 1, *marks, forced)
        return sealed(head + checker.CLAIM.pack(1, 1) + checker.END)

    for changed in (claim(x, o, 9), claim(x, o, 0), claim(0, 0, 4), claim(x, o | 1 << 20, 0)):
        with pytest.raises(checker.Rejected, match="of a position that cannot be"):
            checker.check(changed)
    led = claim(x, o ^ 1 << others[1] | 1 << cells("6/1")[0], 0)
    assert checker.check(led) == ("on nine-board after 4 plies X wins", 0)
    assert checker.position(led) == (["1/1", "1/2"], ["5/5", "6/1"], 1)


def test_what_a_part_leaves_is_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    data = in_parts(monkeypatch)
    [(_, _, parts)] = checker.claims(data[:-32], 1)
    part, places, chosen = only_part(joined(data, parts[:1]))
    size = checker.PLACE.size
    assert part.left > 1
    fewer = with_part(data, part.begun, part.left - 1, places[:-size], chosen)
    turned = with_part(
        data, part.begun, part.left, places[: -2 * size] + places[-size:] + places[-2 * size : -size], chosen
    )
    for changed in (fewer, turned):
        with pytest.raises(checker.Rejected, match="A part leaves other positions than it says"):
            checker.check(changed)
    nowhere = checker.PLACE.pack(b"\1" + bytes(10), b"\1" + bytes(10), 9)
    with pytest.raises(checker.Rejected, match="begins with a position that cannot be"):
        checker.check(with_part(data, part.begun + 1, part.left, nowhere + places, chosen))
    with pytest.raises(checker.Rejected, match="There are too few moves: the next is for prover"):
        checker.check(with_part(data, 2, part.left, places[:size] + places, chosen))


def test_checking_a_part_that_leaves_too_many_takes_little_memory() -> None:
    own, others, forced = last_cell()
    place = checker.PLACE.pack(own.to_bytes(11, "little"), others.to_bytes(11, "little"), forced)
    many = 50_000
    unpacked = place + many * checker.PLACE.size * b"\1" + b"\0"
    part = checker.Part(False, 1, many, 1, zlib.compress(unpacked))
    tracemalloc.start()
    try:
        with pytest.raises(checker.Rejected, match="A part leaves other positions than it says"):
            checker.checked(part)
        assert tracemalloc.get_traced_memory()[1] < 6 * len(unpacked)
    finally:
        tracemalloc.stop()


def test_a_part_is_there_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = in_parts(monkeypatch)
    [(_, _, parts)] = checker.claims(data[:-32], 1)
    assert checker.check(joined(data, parts)) == checker.check(data)
    with pytest.raises(checker.Rejected, match="A part is there twice"):
        checker.check(joined(data, [*parts, parts[1]]))


def test_no_part_leaves_what_it_begins_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a part without moves would prove anything, and the last position of any part would need none."""
    empty = 0, 0, checker.FREE
    with pytest.raises(checker.Rejected, match="A part leaves a position that it begins with"):
        checker.check(claimed(empty, claim(1, 1, part_of(empty, b"", left=(empty,)))))
    data = in_parts(monkeypatch)
    [(_, _, parts)] = checker.claims(data[:-32], 1)
    last, places, chosen = only_part(joined(data, parts[-1:]))
    assert not last.left
    place = checker.PLACE.pack(b"\1" + bytes(10), b"\2" + bytes(10), 9)
    with pytest.raises(checker.Rejected, match="A part leaves a position that it begins with"):
        checker.check(with_part(data, last.begun + 1, 1, places + place + place, chosen))


def test_no_part_of_the_solver_has_as_much_as_a_part_may() -> None:
    found_in_a_slice = 81 * nine_board_solver._MOST_MOVES
    assert nine_board_strategy.MOST_POSITIONS + found_in_a_slice < checker.MOST


def test_what_a_part_begins_with_twice_is_kept_once() -> None:
    own, others, forced = last_cell()
    place = checker.PLACE.pack(own.to_bytes(11, "little"), others.to_bytes(11, "little"), forced)
    part = checker.Part(False, 9, 0, 1, zlib.compress(9 * place + b"\0"))
    assert checker.checked(part).begun == [last_cell()]


def test_damaged_and_foreign_files() -> None:
    data = proof(played(WON))
    claim = checker.HEAD.size
    part = claim + checker.CLAIM.size
    packed = part + checker.PART.size
    for changed, words in (
        (b"", "it does not begin as one"),
        (b"qubicwin" + data, "it does not begin as one"),
        (data[:-1], "its checksum is wrong"),
        (data[:40] + bytes([data[40] ^ 1]) + data[41:], "its checksum is wrong"),
        (sealed(data[: claim + 1]), "ends before its last claim"),
        (sealed(data[:claim] + b"\3" + data[claim + 1 : -32]), "a side or an aim that is none"),
        (sealed(data[: part + 5]), "ends within a claim"),
        (sealed(data[: packed + 9]), "ends within a part"),
        (sealed(data[:-36]), "ends within a claim"),
        (sealed(data[:-32] + b"\0"), "does not end after its claims"),
        (sealed(data[:packed] + bytes(len(data) - packed - 36) + data[-36:-32]), "cannot be decompressed"),
        (sealed(data[: part + 8] + b"\xff" + data[part + 9 : -32]), "does not hold what it says"),
        (sealed(data[: part + 3] + b"\1" + data[part + 4 : -32]), "has more than 4,194,304 positions or moves"),
        (sealed(data[: part + 7] + b"\1" + data[part + 8 : -32]), "has more than 4,194,304 positions or moves"),
        (sealed(data[: part + 11] + b"\1" + data[part + 12 : -32]), "has more than 4,194,304 positions or moves"),
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
    for line in (1, 0):
        claim = checker.HEAD.pack(b"ninegame", 2, 1, *marks, 4) + checker.CLAIM.pack(1, line) + checker.END
        with pytest.raises(checker.Rejected, match="The other side completes a line"):
            checker.check(sealed(claim))


def bits(*cells: int) -> int:
    return sum(1 << cell for cell in cells)


def claimed(place: checker.Place, *claims: bytes) -> bytes:
    """A proof of a position with X to move."""
    x, o, forced = place
    marks = x.to_bytes(11, "little"), o.to_bytes(11, "little")
    return sealed(checker.HEAD.pack(b"ninegame", 2, len(claims), *marks, forced) + b"".join(claims))


def claim(prover: int, line: int, part: bytes = b"") -> bytes:
    return checker.CLAIM.pack(prover, line) + part + checker.END


def part_of(place: checker.Place, chosen: bytes, left: tuple[checker.Place, ...] = ()) -> bytes:
    places = b"".join(
        checker.PLACE.pack(own.to_bytes(11, "little"), others.to_bytes(11, "little"), forced)
        for own, others, forced in (place, *left)
    )
    packed = zlib.compress(places + chosen)
    return checker.PART.pack(1, len(left), len(chosen), len(packed)) + packed


def last_cell() -> checker.Place:
    """X is to play 9/1; all other cells are taken without a line."""
    some, rest = bits(0, 1, 5, 6, 8), bits(2, 3, 4, 7)
    x, o = (sum(marks[board % 2] << 9 * board for board in range(9)) for marks in ((some, rest), (rest, some)))
    return x ^ 1 << 72, o, 8


LAST = part_of(last_cell(), b"\0")


def test_full_boards_without_a_line_are_no_win() -> None:
    with pytest.raises(checker.Rejected, match="The boards are full without a line"):
        checker.check(claimed(last_cell(), claim(1, 1, LAST)))


@pytest.mark.parametrize(
    "place",
    [
        pytest.param((bits(0, 1, 2, 4), bits(9, 10, 18, 20), 0), id="X has a line"),
        pytest.param((bits(0, 1, 13), bits(36), 0), id="X has moved twice more than O"),
    ],
)
def test_a_proof_is_of_a_running_game_in_turns(place: checker.Place) -> None:
    """X would complete a line in board 1 at once."""
    with pytest.raises(checker.Rejected, match="of a position that cannot be"):
        checker.check(claimed(place, claim(1, 1)))


def test_a_forced_move_is_a_square_of_its_board() -> None:
    """Counted from board 5, square 38 would be 9/3, where X completes a line."""
    place = bits(72, 73), bits(31, 58), 4
    with pytest.raises(checker.Rejected, match="A move cannot be made: 38"):
        checker.check(claimed(place, claim(1, 1, part_of(place, b"\x26"))))


def test_who_is_held_cannot_win() -> None:
    assert checker.check(claimed(last_cell(), claim(1, 0, LAST)))[0] == "on nine-board after 80 plies O cannot win"
    assert checker.check(claimed(last_cell(), claim(2, 0)))[0] == "on nine-board after 80 plies X cannot win"


def test_one_side_held_twice_is_no_draw() -> None:
    with pytest.raises(checker.Rejected, match="do not belong together"):
        checker.check(claimed(last_cell(), claim(1, 0, LAST), claim(1, 0, LAST)))


def test_nothing_follows_what_a_part_holds() -> None:
    data = proof(played(WON))
    part, *_ = only_part(data)
    with pytest.raises(checker.Rejected, match="A part does not hold what it says"):
        checker.check(joined(data, [part._replace(packed=part.packed + b"\0")]))
