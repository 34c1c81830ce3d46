"""Proofs of who wins on a small board: the checker takes them, and nothing else."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest

from client.cli import main as cli
from client.lab.verify import flat_checker
from client.lab.verify.flat_checker import HEAD, RECORD, Board, Rejected, check, parts
from engine.rules.flat import FlatPosition
from engine.rules.lines import mask_of
from engine.rules.position import O
from engine.search.solve.flat_proof import prove, to_bytes
from engine.search.solve.solver import Solver
from tests.support.engine.games import flat_rules
from tests.support.engine.random_games import running_after

Entry = tuple[int, int, bytes]
Parts = tuple[list[int], list[Entry], list[Entry]]
"""The head after its size and before the numbers of records, and the records of both sections."""


@cache
def proof(game: str, moves: str = "") -> bytes:
    position = flat_rules(game).initial
    for move in moves.split():
        position = position.play(flat_rules(game).parse_move(move))
    return proof_of(position)


def proof_of(position: FlatPosition) -> bytes:
    solver = Solver(position.rules, entries=100_003)
    return to_bytes(prove(solver, position, solver.solve(position)))


@pytest.fixture(autouse=True)
def boards_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker makes its tables for each file."""
    monkeypatch.setattr(flat_checker, "Board", cache(Board))


def taken_apart(data: bytes) -> Parts:
    _, _, _, *head = HEAD.unpack(data[: HEAD.size])
    *_, sections = parts(data)
    of_x, of_o = ([(a, d, cells) for (a, d), cells in section.items()] for section in sections)
    return head[:-2], of_x, of_o


def signed(head: list[int], of_x: list[Entry], of_o: list[Entry]) -> bytes:
    entries = b"".join(
        RECORD.pack(a, d, len(cells)) + cells for section in (of_x, of_o) for a, d, cells in sorted(section)
    )
    size = HEAD.size + len(entries) + 32
    data = HEAD.pack(b"flatgame", 1, size, *head, len(of_x), len(of_o)) + entries
    return data + hashlib.sha256(data).digest()


def holds(data: bytes) -> bool:
    try:
        check(data)
    except Rejected:
        return False
    return True


def test_it_is_one_short_file_of_the_standard_library(tmp_path: Path) -> None:
    source = Path(flat_checker.__file__).read_text()
    assert source.count("\n") < 220
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    path = tmp_path / "proof"
    path.write_bytes(proof("cube:3"))
    command = [sys.executable, "-I", flat_checker.__file__, str(path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == (
        "Proven: on 3 x 3 x 3 with 3 in a row X wins in at most 7 plies; 7 records.\nPosition: X -; O -.\n"
    )


@pytest.mark.parametrize("game", ["tictactoe", "mnk:5,4,4", "mnk:6,6,5", "mnk:7,3,4", "cube:3"])
def test_its_lines_and_symmetries_are_those_of_the_rules(game: str) -> None:
    flat = flat_rules(game)
    own = Board((*flat.dimensions, 1)[:3], flat.length)
    assert own.lines == sorted(map(mask_of, flat.lines))
    random = Random(game)
    for _ in range(20):
        a = random.randrange(flat.full + 1)
        d = random.randrange(flat.full + 1) & ~a
        images = [
            tuple(sum(1 << image[cell] for cell in range(flat.cells) if word >> cell & 1) for word in (a, d))
            for image in flat.symmetries
        ]
        assert own.least(a, d) == min(images)
    assert len(own.images) == len(flat.symmetries)


SMALL = [f"mnk:{m},{n},{k}" for m in (3, 4, 5) for n in (3, 4, 5) for k in (3, 4, 5) if k <= max(m, n)]
LONG = "mnk:5,5,4"


@pytest.mark.parametrize(
    "game",
    [
        *(pytest.param(game, marks=[pytest.mark.slow] if game == LONG else []) for game in SMALL),
        "mnk:6,5,4",
        "mnk:6,4,4",
        "mnk:6,6,4",
        "mnk:6,6,5",
        "cube:3",
    ],
)
def test_proofs_of_solved_boards(game: str) -> None:
    flat = flat_rules(game)
    solution = Solver(flat, entries=100_003).solve(flat.initial)
    result = "nobody can win" if solution.plies is None else f"X wins in at most {solution.plies} plies"
    words, _ = check(proof(game))
    assert words == f"on {' x '.join(map(str, flat.dimensions))} with {flat.length} in a row {result}"


@pytest.mark.parametrize("game", ["tictactoe", "mnk:4,3,3", "mnk:4,4,4", "mnk:5,4,4", "cube:3"])
def test_proofs_of_positions_and_no_other_result(game: str) -> None:
    random = Random(game)
    for _ in range(10):
        position = running_after(
            flat_rules(game).initial, random.randrange(1, min(14, flat_rules(game).cells - 1)), random
        )
        solution = Solver(position.rules, entries=100_003).solve(position)
        data = proof_of(position)
        words, _ = check(data)
        result = (
            "nobody can win"
            if solution.plies is None
            else f"{solution.value.upper()} wins in at most {solution.plies} plies"
        )
        assert words.endswith(f" after {position.ply} plies {result}")
        head, of_x, of_o = taken_apart(data)
        true = (head[-2], head[-1])
        for winner in (0, 1, 2):
            for plies in {0, 1, 10, 60, max(0, true[1] - 1), max(0, true[1] - 2)}:
                claim = signed([*head[:-2], winner, plies], of_x, of_o)
                if winner != true[0] or plies < true[1]:
                    assert not holds(claim)
                elif plies > true[1]:
                    assert holds(claim) == (winner > 0)


def test_a_side_that_cannot_be_held_is_not() -> None:
    """Without any records, with those of another board, or with pairs that are none."""
    head, of_x, _ = taken_apart(proof("mnk:5,4,4"))
    assert holds(signed(head, of_x, []))
    for sizes in ([5, 5, 1, 4], [4, 5, 1, 4], [5, 4, 1, 3], [4, 4, 1, 3], [5, 4, 2, 4], [0, 4, 1, 4], [9, 9, 9, 3]):
        assert not holds(signed([*sizes, *head[4:]], of_x, []))
        assert not holds(signed([*sizes, *head[4:]], [], []))
    for position in ((1, 1), (0, 1), (3, 0), (1 << 20, 0), (0b1111, 0b1110000), (3, 12)):
        assert not holds(signed([*head[:4], *position, 0, 0], of_x, []))


@pytest.mark.parametrize(
    ("game", "moves", "samples"),
    [
        ("tictactoe", "", 99),
        ("mnk:4,4,3", "", 99),
        ("cube:3", "", 6),
        ("mnk:5,4,4", "", 1),
        pytest.param("mnk:5,5,4", "a1 c3 b2", 1, marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
    ],
)
def test_every_changed_entry_is_rejected_or_proves_it_too(game: str, moves: str, samples: int) -> None:
    """What is taken although it was changed is looked at by the solver: it must hold or win as well."""
    random = Random(game)
    data = proof(game, moves)
    head, *sections = taken_apart(data)
    flat = flat_rules(game)
    broken = taken = 0
    for which, section in enumerate(sections):
        for number, (a, d, cells) in enumerate(section):
            without = [*sections]
            without[which] = [entry for entry in section if entry != (a, d, cells)]
            # Pairs can be left out where the records of other positions hold each move.
            assert len(cells) > 1 or not holds(signed(head, *without))
            others = [cell for cell in range(flat.cells + 1) if cell not in cells]
            for cell in random.sample(others, min(samples, len(others))):
                place = random.randrange(len(cells))
                changed = cells[:place] + bytes([cell]) + cells[place + 1 :]
                mutant = [*sections]
                mutant[which] = [*section[:number], (a, d, changed), *section[number + 1 :]]
                if not holds(signed(head, *mutant)):
                    broken += 1
                    continue
                taken += 1
                if len(cells) > 1:
                    continue
                left = head[-1] - (a | d).bit_count() + (head[4] | head[5]).bit_count()
                winning = head[-2] > 0
                marks = (a | 1 << cell, d) if winning else (a, d | 1 << cell)
                found, _ = Solver(flat, entries=10_007).answer(*marks, not winning, left - 1 if winning else 127)
                assert found == winning
    assert broken > taken


@pytest.mark.parametrize("number", [15, pytest.param(400, marks=[pytest.mark.slow, pytest.mark.timeout(900)])])
def test_a_sample_of_changes_of_a_larger_proof(number: int) -> None:
    random = Random(number)
    head, of_x, _ = taken_apart(proof("mnk:6,5,4"))
    for place in random.sample(range(len(of_x)), number):
        a, d, cells = of_x[place]
        assert not holds(signed(head, of_x[:place] + of_x[place + 1 :], []))
        cell = random.choice([cell for cell in range(30) if cell not in cells])
        if holds(signed(head, [*of_x[:place], (a, d, bytes([cell])), *of_x[place + 1 :]], [])):
            left = 10 - (a | d).bit_count()
            assert Solver(flat_rules("mnk:6,5,4"), entries=10_007).answer(a | 1 << cell, d, False, left)[0]


def test_records_that_are_of_no_use_or_not_in_order() -> None:
    head, of_x, _ = taken_apart(proof("mnk:4,4,3"))
    stray = (1 << 15, 1 << 14, b"\0")
    with pytest.raises(Rejected, match="1 records of the proof are of no use"):
        check(signed(head, [*of_x, stray], []))
    with pytest.raises(Rejected, match="about a side that it claims nothing of"):
        check(signed(head, of_x, [stray]))
    with pytest.raises(Rejected, match="not in order"):
        check(signed(head, [*of_x, of_x[0]], []))
    with pytest.raises(Rejected, match="names cells that cannot be"):
        check(signed(head, [(a, d, cells * 2) for a, d, cells in of_x], []))
    with pytest.raises(Rejected, match="names cells that cannot be"):
        check(signed(head, [(a, d, b"") for a, d, cells in of_x], []))


def refused(capfd: pytest.CaptureFixture[str], path: Path) -> str:
    assert cli._status(["verify", str(path)]) == 1
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    return shown.err


@pytest.mark.parametrize(("of_x", "of_o"), [(1, 0), (-1, 0), (0, 1), (1 << 31, 0)])
def test_there_are_as_many_records_as_it_says(of_x: int, of_o: int) -> None:
    data = proof("mnk:4,3,3")
    *head, x, o = HEAD.unpack(data[: HEAD.size])
    assert (x > 1, o) == (True, 0)
    changed = HEAD.pack(*head, x + of_x, o + of_o) + data[HEAD.size : -32]
    with pytest.raises(Rejected, match="not as many records as it says"):
        check(changed + hashlib.sha256(changed).digest())


def test_truncated_altered_and_foreign_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good = proof("mnk:5,4,4")
    path = tmp_path / "proof"
    for data, words in (
        (b"", "not a proof by `noughts solve`"),
        (b"flatgam", "not a proof by `noughts solve`"),
        (b"PK\x03\x04" + bytes(100), "not a proof by `noughts solve`"),
        (b"flatgame", "no proof for a flat board or cube in format 1"),
        (good[:8] + b"\x03" + good[9:], "no proof for a flat board or cube in format 1"),
        (good[:-1], f"The proof has {len(good) - 1} bytes, and it should have {len(good)}."),
        (good[:100], "The proof has 100 bytes"),
        (good + b"\n", "bytes, and it should have"),
    ):
        path.write_bytes(data)
        assert words in refused(capfd, path)
    for place in Random(1).sample(range(14, len(good)), 60):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        assert "The proof was altered or damaged: its checksum is wrong." in refused(capfd, path)


@pytest.mark.parametrize(
    ("arguments", "proven"),
    [
        (["mnk:6,5,4"], "on 6 x 5 with 4 in a row X wins in at most 11 plies."),
        (["mnk:5,4,4"], "on 5 x 4 with 4 in a row nobody can win."),
        (["cube:3"], "on 3 x 3 x 3 with 3 in a row X wins in at most 7 plies."),
        (["tictactoe", "--moves", "a1 b2 c3"], "on 3 x 3 with 3 in a row after 3 plies nobody can win."),
        (["tictactoe", "--moves", "b2 a2", "--without", "pairing"], "after 2 plies X wins in at most 5 plies."),
    ],
)
def test_solve_writes_what_verify_takes(
    arguments: list[str], proven: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "proof"
    assert cli._status(["solve", *arguments, "--out", str(out)]) == 0
    assert f"is in {out}. `noughts verify {out}` checks it." in capfd.readouterr().err
    assert cli._status(["verify", str(out)]) == 0
    first, *position, second = capfd.readouterr().out.splitlines()
    assert first.startswith("Proven: on ")
    assert first.endswith(proven)
    assert second.startswith("Checked ")
    assert cli._status(["verify", "--json", str(out)]) == 0
    told = json.loads(capfd.readouterr().out)
    assert f"Proven: {told['proven']}." == first
    moves = arguments[2].split() if "--moves" in arguments else []
    assert told["position"] == {"x": sorted(moves[::2]), "o": sorted(moves[1::2])}
    x, o = (" ".join(told["position"][side]) for side in "xo")
    assert position == ([f"The position: X has {x}; O has {o}."] if moves else [])
    assert second.startswith(f"Checked {told['checked']:,} records and ")
    assert told["cpu_s"] >= 0
    made = out.read_bytes()
    assert cli._status(["solve", *arguments, "--out", str(out)]) == 0
    assert out.read_bytes() == made
    assert [path.name for path in tmp_path.iterdir()] == ["proof"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tictactoe", "--out", "FOLDER"], "is a directory"),
        (["tictactoe", "--out", "FOLDER/none/proof"], "cannot be written: name a file in a folder that can be."),
        (["tictactoe", "--without", "table", "--out", "FOLDER/proof"], "--out needs the table"),
        (
            ["super", "--out", "FOLDER/proof"],
            "--out is for games whose proofs are files: flat boards, cubes, nine-board; super is checked on the spot.",
        ),
    ],
)
def test_a_proof_that_cannot_be_written(
    arguments: list[str], words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli._status(["solve", *(word.replace("FOLDER", str(tmp_path)) for word in arguments)]) == (
        1 if "cannot be written" in words else 2
    )
    shown = capfd.readouterr()
    assert words in shown.err
    assert shown.out == ""


def test_the_position_is_named_as_moves_are() -> None:
    for game, moves in (("mnk:4,3,3", "b1 d3 a2"), ("cube:3", "b1.1 c3.2 a2.3")):
        x, o, later = moves.split()
        assert flat_checker.position(proof(game, moves)) == ([x, later], [o])


def test_a_result_of_either_side() -> None:
    ends = [taken_apart(proof("tictactoe", moves))[0][-2:] for moves in ("a1 b1", "b1 b2 b3", "a1 b2")]
    assert ends == [[1, 5], [2, 5], [0, 0]]
    position = flat_rules("tictactoe").initial
    for move in ("a1", "b2", "a3", "a2", "b1"):
        position = position.play(flat_rules("tictactoe").parse_move(move))
    solution = Solver(flat_rules("tictactoe")).solve(position)
    assert (solution.value, solution.plies) == (O, 1)
    assert check(proof_of(position))[0].endswith("O wins in at most 1 plies")


def test_who_moves_first_has_the_last_of_an_odd_number_of_cells() -> None:
    """X takes a1, and then completes a line in c1 or a3."""
    x, o = mask_of((1, 3, 8)), mask_of((4, 5, 7))
    with pytest.raises(Rejected, match="The attacker wins"):
        check(signed([3, 3, 1, 3, x, o, 0, 0], [], []))


FOUR_BY_THREE = [4, 3, 1, 3]
"""X wins there."""


def test_no_cell_is_in_two_pairs() -> None:
    pairs = [[cell for cell in range(12) if line >> cell & 1][:2] for line in Board((4, 3, 1), 3).lines]
    with pytest.raises(Rejected, match="names cells that cannot be"):
        check(signed([*FOUR_BY_THREE, 0, 0, 0, 0], [(0, 0, bytes(cell for pair in pairs for cell in pair))], []))


def test_a_line_has_both_cells_of_its_pair() -> None:
    with pytest.raises(Rejected, match="A line has no pair"):
        check(signed([*FOUR_BY_THREE, 0, 0, 0, 0], [(0, 0, bytes(range(12)))], []))


@pytest.mark.parametrize(
    ("x", "o", "winner", "plies"),
    [
        ((0, 1, 2), (3, 4), 2, 1),  # X has won, and O would complete a line too
        ((0, 2, 8), (6,), 1, 2),  # X has moved twice more than O, and threatens twice
    ],
)
def test_a_proof_is_of_a_running_game_in_turns(x: tuple[int, ...], o: tuple[int, ...], winner: int, plies: int) -> None:
    with pytest.raises(Rejected, match="of a position or a result that cannot be"):
        check(signed([3, 3, 1, 3, mask_of(x), mask_of(o), winner, plies], [], []))
