"""Proofs that O stops every line: the checker takes them, and nothing else."""

from __future__ import annotations

import ast
import hashlib
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest

from client.lab.outputs import ProvenPosition
from client.lab.verify import breaker_checker
from client.lab.verify.breaker_checker import HEAD, Board, Rejected, Walk, check
from client.lab.verify.command import _checked
from engine.rules.lines import mask_of
from engine.search.solve.breaker import Breaker, prove
from tests.support.engine.games import flat_rules


@cache
def proof(game: str) -> bytes:
    return prove(Breaker(flat_rules(game), entries=100_003))


@pytest.fixture(autouse=True)
def boards_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker makes its tables for each file."""
    monkeypatch.setattr(breaker_checker, "Board", cache(Board))


def words_of(data: bytes) -> bytes:
    return data[HEAD.size : -32]


def signed(words: bytes, sizes: tuple[int, ...], length: int) -> bytes:
    data = HEAD.pack(b"flatgame", 2, HEAD.size + len(words) + 32, *sizes, length) + words
    return data + hashlib.sha256(data).digest()


def test_it_is_one_short_file_of_the_standard_library(tmp_path: Path) -> None:
    source = Path(breaker_checker.__file__).read_text()
    assert source.count("\n") < 220
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    path = tmp_path / "proof"
    path.write_bytes(proof("mnk:4,4,4"))
    command = [sys.executable, "-I", breaker_checker.__file__, str(path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == (
        "Proven: on 4 x 4 with 4 in a row nobody can win; 7 positions.\n"
    )


@pytest.mark.parametrize("game", ["tictactoe", "mnk:5,4,4", "mnk:7,3,4", "cube:3"])
def test_its_lines_and_symmetries_are_those_of_the_rules(game: str) -> None:
    flat = flat_rules(game)
    own = Board((*flat.dimensions, 1)[:3], flat.length)
    assert own.lines == sorted(map(mask_of, flat.lines))
    cells = Random(game).randrange(flat.full + 1)
    images = {breaker_checker.image(there, cells) for there, _ in own.images}
    assert images == {sum(1 << image[c] for c in range(flat.cells) if cells >> c & 1) for image in flat.symmetries}
    assert len(own.images) == len(flat.symmetries)
    for there, back in own.images:
        assert breaker_checker.image(back, breaker_checker.image(there, cells)) == cells


@pytest.mark.parametrize("game", ["mnk:4,4,4", "mnk:5,4,4", "mnk:6,4,4", "mnk:6,6,5", "mnk:5,5,5", "mnk:7,6,5"])
def test_it_takes_proofs(game: str) -> None:
    words, positions = check(proof(game))
    assert words.endswith("in a row nobody can win")
    assert positions > 0
    assert _checked(proof(game)) == (words, positions, "positions", ProvenPosition([], []))


@pytest.mark.slow
def test_it_takes_the_proof_of_seven_by_seven() -> None:
    breaker = Breaker(flat_rules("mnk:7,7,5"))
    assert breaker.holds(breaker.lines, True, 20_000)
    assert check(prove(breaker)) == ("on 7 x 7 with 5 in a row nobody can win", 47_878)


@pytest.mark.parametrize(
    ("game", "sizes", "taken"),
    [("mnk:4,4,4", (4, 4, 1), 0), pytest.param("mnk:5,4,4", (5, 4, 1), 38, marks=pytest.mark.slow)],
)
def test_a_changed_byte_is_rejected_or_another_strategy(game: str, sizes: tuple[int, ...], taken: int) -> None:
    """What is taken is harmless: it is a proof by the same rules, of the same claim."""
    words = words_of(proof(game))
    random = Random(game)
    rejected = 0
    for place, word in enumerate(words):
        other = random.choice([byte for byte in (*range(sizes[0] * sizes[1]), 255) if byte != word])
        try:
            check(signed(words[:place] + bytes([other]) + words[place + 1 :], sizes, 4))
        except Rejected:
            rejected += 1
    assert rejected == len(words) - taken


@pytest.mark.parametrize(
    ("game", "sizes", "length"), [("tictactoe", (3, 3, 1), 3), ("mnk:5,5,4", (5, 5, 1), 4), ("mnk:4,4,3", (4, 4, 1), 3)]
)
def test_no_words_prove_what_is_not_so(game: str, sizes: tuple[int, ...], length: int) -> None:
    """Maker wins on these boards, so whatever stands in the file is wrong."""
    breaker = Breaker(flat_rules(game), entries=10_007)
    assert breaker.holds(breaker.lines, True, 1 << 20) is False
    random = Random(game)
    for _ in range(100):
        # The first byte has X's moves looked at. Pairs are rare, so that walks go deep.
        words = bytes(
            random.choice((255, 0, random.randrange(sizes[0] * sizes[1]), random.randrange(12))) for _ in range(3_000)
        )
        with pytest.raises(Rejected):
            check(signed(b"\xff" + words, sizes, length))


def test_two_lines_that_lack_a_cell_each_are_not_stopped() -> None:
    row, column = 0b1111, 0x1111
    walk = Walk(Board((4, 4, 1), 4), b"")
    with pytest.raises(Rejected, match="X gets a line"):
        walk.after_x(0b0111 | 0x0111, [row, column])
    # One is stopped without asking.
    assert walk.after_x(0b0111, [row]) == 0b1000


def test_a_zone_has_all_that_weighed_lines_lack() -> None:
    row, column = 0b1111, 0x1111
    board_of_four = Board((4, 4, 1), 4)
    assert Walk(board_of_four, b"\0").before_x(0, [row]) == row
    assert Walk(board_of_four, b"\0").before_x(1, [row, column]) == (row | column) & ~1
    assert Walk(board_of_four, b"\1\2\3").before_x(0, [row]) == 0b1100


def test_files_that_are_no_proof() -> None:
    data = proof("mnk:5,4,4")
    for wrong, text in (
        (b"", "format 2: it does not begin as one"),
        (b"qubicwin" + data[8:], "format 2: it does not begin as one"),
        (data[:8] + b"\1" + data[9:], "format 2: it does not begin as one"),
        (data[:-1], f"The proof has {len(data) - 1} bytes, and it should have {len(data)}."),
        (data[:40] + bytes([data[40] ^ 1]) + data[41:], "altered or damaged"),
        (signed(words_of(data), (9, 9, 1), 4), "at most 64 cells"),
        (signed(words_of(data), (5, 4, 1), 1), "at most 64 cells"),
        (signed(words_of(data)[:-3], (5, 4, 1), 4), "ends before O's strategy does"),
        (signed(words_of(data) + b"\0", (5, 4, 1), 4), "1 bytes of the proof are of no use"),
        (signed(b"\1\0\0", (4, 4, 1), 4), "A cell is in two pairs"),
        (signed(b"\1\0\77", (4, 4, 1), 4), "names a cell that is of no use"),
        (signed(b"\0", (4, 4, 1), 4), "weigh too much"),
    ):
        with pytest.raises(Rejected, match=text):
            check(wrong)


ROW, COLUMN = 0b1111, 0x1111
"""On four by four; the cell in the corner is of both."""


@pytest.mark.parametrize(
    ("words", "x", "lines"),
    [
        pytest.param(b"\0", 0b1100 | 0x1100, [ROW, COLUMN], id="half is too much"),
        pytest.param(b"\1\2\5", 0b0011, [ROW, COLUMN << 1], id="a pair stops the lines with both its cells"),
        pytest.param(b"\0", 0b1100 | 0x1110, [ROW, COLUMN], id="a line that lacks less than another counts"),
    ],
)
def test_lines_that_weigh_too_much(words: bytes, x: int, lines: list[int]) -> None:
    with pytest.raises(Rejected, match="weigh too much"):
        Walk(Board((4, 4, 1), 4), words).before_x(x, lines)


def test_a_full_line_is_not_stopped() -> None:
    with pytest.raises(Rejected, match="X gets a line"):
        Walk(Board((4, 4, 1), 4), b"\4").after_x(ROW, [ROW, ROW << 4])
