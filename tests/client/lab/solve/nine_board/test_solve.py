"""`noughts solve nine-board`: what it prints, its proof, and going on after it was cut off."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from client.cli import main as cli
from client.lab.solve import checkpoint
from client.lab.solve.lock import locked
from client.lab.solve.nine_board import cluster as nine_board_cluster
from client.lab.solve.nine_board import known as nine_board_known
from client.lab.solve.nine_board import search as nine_board_search
from client.lab.solve.nine_board import solve as nine_board
from client.lab.solve.nine_board.proof import ProofFile
from engine.rules.nested import NestedPosition
from engine.rules.position import play_all
from engine.rules.registry import rules
from engine.search.solve import nine_board_solver, nine_board_strategy
from engine.search.solve.nine_board_solver import INFINITY, Place, Solver
from engine.search.solve.nine_board_strategy import Claim, Part, claims, first_places
from engine.search.solve.nine_board_tree import Row
from tests.support.engine.nine_board_positions import played
from tests.support.lab.interrupts import interrupted_again

MOVES = "3/8 8/1 1/8 8/9 9/6 6/1 1/7 7/9 9/3 3/6 6/5 5/4 4/9 9/7 7/1 1/3 3/2 2/8 8/3 3/4"
LONG = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"
KEPT = Path(__file__).parents[5] / "docs" / "solved" / "nine-board.known"


@pytest.fixture(autouse=True)
def silence(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, nothing is told or saved now and then; no other test uses the checkpoint."""
    monkeypatch.setattr(checkpoint, "default_path", lambda question: tmp_path_factory.mktemp("cache") / "saved")
    monkeypatch.setattr(nine_board, "LINE_EVERY_S", 1e9)
    monkeypatch.setattr(nine_board, "SAVE_EVERY_S", 1e9)


def found(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, Any], str]:
    """What a solve that comes to its end says, and what it says on the way."""
    assert cli._status(["solve", "nine-board", "--json", *arguments]) == 0
    shown = capfd.readouterr()
    answer: dict[str, Any] = json.loads(shown.out)
    assert answer.pop("cpu_s") >= 0
    return answer, shown.err


def test_a_position_is_solved_and_its_proof_holds(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "proof"
    assert cli._status(["solve", "nine-board", "--moves", MOVES, "--out", str(path)]) == 0
    shown = capfd.readouterr()
    assert shown.out.startswith("nine-board: X wins; the number of plies was not computed.\nA best move: 4/")
    assert f"bytes, is in {path}." in shown.err
    assert cli._status(["verify", str(path)]) == 0
    proven, position, _ = capfd.readouterr().out.splitlines()
    assert proven == "Proven: on nine-board after 20 plies X wins."
    assert position.startswith("The position: X has 1/7 1/8 3/2 ")
    assert position.endswith("; the next move is in board 4.")
    path.write_bytes(path.read_bytes()[:-1])
    assert cli._status(["verify", str(path)]) == 1
    assert "its checksum is wrong" in capfd.readouterr().err


def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    answer, said = found(capfd, "--moves", MOVES, "--memory", "1")
    assert answer.pop("nodes", 0) > 1_000
    (best,) = answer.pop("best")
    assert best.startswith("4/")
    assert (answer, said) == ({"game": "nine-board", "ply": 20, "value": "x"}, "")


def interrupted(monkeypatch: pytest.MonkeyPatch, moves: str, path: Path, slices: int, *options: str) -> tuple[str, ...]:
    """A solve that saved itself when it was interrupted after so many slices; the options that it had."""
    command = ("--moves", moves, "--checkpoint", str(path), *options)
    with monkeypatch.context() as patched:
        patched.setattr(nine_board._Session, "__call__", interrupt_after(slices))
        patched.setattr(nine_board, "uninterrupted", interrupted_again)
        assert cli._status(["solve", "nine-board", *command]) == 130
    return command


def test_an_interrupted_solve_resumes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "saved"
    command = interrupted(monkeypatch, LONG, path, 3)
    shown = capfd.readouterr()
    assert shown.out.startswith("Interrupted. Undecided whether X can win: proof number ")
    assert shown.err == f"The same command resumes; the search is saved in {path}.\n"
    interrupted(monkeypatch, LONG, path, 1, "--json")
    assert capfd.readouterr().out == ""
    answer, said = found(capfd, *command)
    assert said.startswith(f"Resuming from {path}: ")
    assert answer["value"] == "o"
    assert not path.exists()


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("", ["9/9"]),
        ("9/9", []),
        pytest.param("9/9 9/1", ["1/3"], marks=pytest.mark.slow),
        pytest.param("9/9 9/2", ["2/7"], marks=pytest.mark.slow),
        pytest.param("9/9 9/4", ["4/3"], marks=pytest.mark.slow),
        pytest.param("9/9 9/3", ["3/4"], marks=pytest.mark.slow),
        pytest.param("9/9 9/3 3/4", [], marks=pytest.mark.slow),
        pytest.param("9/9 9/7", ["7/2"], marks=pytest.mark.slow),
        pytest.param("9/9 9/5", ["5/2"], marks=pytest.mark.slow),
        pytest.param("9/9 9/5 5/2", [], marks=pytest.mark.slow),
        pytest.param("9/9 9/6", ["6/7"], marks=pytest.mark.slow),
        pytest.param("9/9 9/8", ["8/3"], marks=pytest.mark.slow),
    ],
)
def test_what_is_kept_decides(moves: str, best: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As docs/solving/nine-board.md says, without a search; 9/4 is an image of 9/2, 9/7 of 9/3 and 9/8 of 9/6."""
    path = Path(shutil.copy(KEPT, tmp_path))
    answer, said = found(capfd, "--moves", f"5/5 5/1 1/1 1/9 {moves}", "--known", str(path))
    assert (answer["value"], answer["best"], said) == ("x", best, "")
    assert int(str(answer["nodes"])) < 10


def test_what_one_solve_decides_others_need_not_search(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, earlier = tmp_path / "known", LONG.rsplit(maxsplit=1)[0]
    answer, _ = found(capfd, "--moves", LONG, "--known", str(path))
    again, _ = found(capfd, "--moves", LONG, "--known", str(path))
    assert (answer["value"], again["value"]) == ("o", "o")
    assert again["nodes"] < 10 < answer["nodes"]
    alone, _ = found(capfd, "--moves", earlier)
    helped, _ = found(capfd, "--moves", earlier, "--known", str(path), "--out", str(tmp_path / "proof"))
    assert helped["value"] == alone["value"]
    assert helped["nodes"] < alone["nodes"]
    assert cli._status(["verify", str(tmp_path / "proof")]) == 0


def test_so_does_one_that_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 1_000)
    path = tmp_path / "known"
    interrupted(monkeypatch, LONG, tmp_path / "saved", 100, "--known", str(path))
    known = nine_board_known.read(path)
    assert sum(map(len, known.values())) > 1
    assert all(row.proof == 0 or row.disproof == 0 for rows in known.values() for row in rows)


def test_known_positions_beat_what_a_checkpoint_leaves_open(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that its table alone has, here the one move of a tree whose root is all that was searched."""
    known, path, earlier = tmp_path / "known", tmp_path / "saved", LONG.rsplit(maxsplit=1)[0]
    found(capfd, "--moves", LONG, "--known", str(known))
    command = interrupted(monkeypatch, earlier, path, 4)
    capfd.readouterr()
    begun = json.loads(path.read_bytes().split(b"\n", 1)[0])["nodes"]
    answer, said = found(capfd, *command, "--known", str(known))
    assert said.startswith(f"Resuming from {path}: ")
    assert begun < int(str(answer["nodes"])) < begun + 10


def test_a_false_known_position_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, position = tmp_path / "known", played(MOVES)
    assert position.forced is not None
    held = Row((position.x, position.o, position.forced), INFINITY, 0, 1)
    nine_board_known.write(path, {"x": [held], "o": []})
    command = ["solve", "nine-board", "--moves", MOVES, "--out", str(tmp_path / "proof")]
    assert cli._status([*command, "--known", str(path)]) == 1
    sentence = f"The result is wrong, perhaps because of a position in {path}: solve with --fresh and without --known."
    assert capfd.readouterr().err == f"noughts: {sentence}\n"
    assert cli._status(command) == 0


@pytest.mark.parametrize("known", [False, True])
def test_a_wrong_result_without_known_positions(
    known: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option alone, for a file that is still to be made, changes no advice."""
    monkeypatch.setattr(Solver, "_ask", lambda *_: False)
    path = tmp_path / "known"
    options = ("--known", str(path)) if known else ()
    assert cli._status(["solve", "nine-board", "--moves", MOVES, *options]) == 1
    assert capfd.readouterr().err.endswith("so the result is wrong: solve with --fresh and another --memory.\n")
    assert not path.exists()


def test_a_file_that_changes_meanwhile_is_told_and_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "known"
    monkeypatch.setattr(nine_board, "_print", lambda *arguments: path.write_text("of somebody else"))
    command = ("--moves", MOVES, "--checkpoint", str(tmp_path / "saved"), "--known", str(path))
    assert cli._status(["solve", "nine-board", *command]) == 2
    assert f"{path} holds no decided positions of nine-board" in capfd.readouterr().err
    assert path.read_text() == "of somebody else"


def test_files_that_hold_no_decided_positions(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "known"
    path.write_bytes(b"{}")
    assert cli._status(["solve", "nine-board", "--moves", MOVES, "--known", str(path)]) == 2
    wanted = f"noughts: {path} holds no decided positions of nine-board: it is not a checkpoint"
    assert capfd.readouterr().err.startswith(wanted)
    assert path.read_bytes() == b"{}"
    assert cli._status(["solve", "qubic", "--known", str(path)]) == 2
    assert "--known is for nine-board." in capfd.readouterr().err


def test_an_interrupted_proof_goes_on_after_its_last_part(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(session: nine_board._Session) -> None:
        if "Solved, and 3," in session.progress():
            raise KeyboardInterrupt

    out, unfinished = tmp_path / "proof", tmp_path / "saved.proof-parts"
    command = ("--moves", LONG, "--checkpoint", str(tmp_path / "saved"), "--out", str(out))
    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 100)
    monkeypatch.setattr(nine_board_strategy, "MOST_POSITIONS", 500)
    with monkeypatch.context() as patched:
        patched.setattr(nine_board._Session, "__call__", interrupt)
        assert cli._status(["solve", "nine-board", *command]) == 130
    assert re.match(r"Interrupted. Solved, and 3,\d\d\d moves of the proof are found; ", capfd.readouterr().out)
    assert not out.exists()
    begun = unfinished.read_bytes()
    assert len(begun) > 1_000
    monkeypatch.setattr(nine_board, "LINE_EVERY_S", 0)
    _, said = found(capfd, *command)
    assert said.startswith(f"Resuming from {tmp_path / 'saved'}: ")
    told = [int(moves.replace(",", "")) for moves in re.findall(r"Solved, and ([\d,]+) moves", said)]
    assert 3_000 <= told[-1] == max(told)
    assert out.read_bytes().startswith(begun)
    assert cli._status(["verify", str(out)]) == 0
    assert not unfinished.exists()


def test_a_proof_beside_the_checkpoint_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "saved.proof"
    command = ["solve", "nine-board", "--moves", MOVES, "--checkpoint", str(tmp_path / "saved")]
    assert cli._status([*command, "--out", str(out)]) == 0
    made = out.read_bytes()
    assert cli._status(command) == 0
    assert cli._status([*command, "--fresh"]) == 0
    assert out.read_bytes() == made
    assert [path.name for path in tmp_path.iterdir()] == ["saved.proof"]


@pytest.mark.parametrize(
    "options",
    [
        ("--checkpoint", "saved", "--out", "saved"),
        ("--checkpoint", "saved", "--out", "saved.proof-parts"),
        ("--checkpoint", "saved", "--out", "saved.part"),
        ("--checkpoint", "saved", "--out", "saved.lock"),
        ("--known", "saved", "--out", "saved"),
        ("--known", "saved", "--checkpoint", "saved"),
    ],
)
def test_two_uses_of_a_file_are_refused(
    options: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli._status(["solve", "nine-board", "--moves", MOVES, *options]) == 2
    assert "name two files" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_second_solve_with_one_checkpoint_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "saved"
    command = ("--moves", MOVES, "--checkpoint", str(path))
    with locked(path):
        assert cli._status(["solve", "nine-board", *command, "--fresh"]) == 1
        shown = capfd.readouterr()
        assert (shown.out, shown.err) == (
            "",
            f"noughts: Another solve is using the checkpoint {path}: wait for it, or name another with --checkpoint.\n",
        )
    assert found(capfd, *command)[1] == ""
    assert not list(tmp_path.iterdir())


def test_solves_that_end_together_lose_no_decided_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, joined, tried = tmp_path / "known", nine_board_known.joined, []

    def joining(*both: nine_board_known.Known) -> nine_board_known.Known:
        with pytest.raises(BlockingIOError), locked(path, waits=False):
            pass
        tried.append(both)
        return joined(*both)

    monkeypatch.setattr(nine_board_known, "joined", joining)
    assert cli._status(["solve", "nine-board", "--moves", MOVES, "--known", str(path)]) == 0
    assert len(tried) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["known"]


@pytest.mark.parametrize("is_whole", [False, True])
def test_parts_of_an_earlier_version_go_on(is_whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They had a name that a whole proof may have too, which is left alone."""
    path, earlier = tmp_path / "saved", tmp_path / "saved.proof"
    command = interrupted(monkeypatch, LONG, path, 1)
    data = b"ninegame" + bytes(100)
    earlier.write_bytes(data + hashlib.sha256(data).digest() if is_whole else data)
    interrupted(monkeypatch, LONG, path, 1)
    assert earlier.exists() == is_whole
    assert (tmp_path / "saved.proof-parts").exists() != is_whole
    assert cli._status(["solve", "nine-board", *command]) == 0
    assert [left.name for left in tmp_path.iterdir()] == (["saved.proof"] if is_whole else [])


def test_a_proof_that_cannot_be_copied_is_found_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    command = ("--moves", MOVES, "--checkpoint", str(tmp_path / "saved"), "--out", str(tmp_path / "proof"))
    with monkeypatch.context() as patched:
        patched.setattr("server.console.files._sync", full)
        assert cli._status(["solve", "nine-board", *command]) == 1
    sentence = f"noughts: {tmp_path / 'proof'} cannot be written: No space left on device. The same command resumes.\n"
    assert capfd.readouterr().err == sentence
    assert found(capfd, *command)[1].startswith(f"Resuming from {tmp_path / 'saved'}: ")
    assert [left.name for left in tmp_path.iterdir()] == ["proof"]


def test_a_proof_that_cannot_be_written_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    unfinished = tmp_path / "saved.proof-parts"
    unfinished.write_text("of somebody else")
    command = ("--moves", MOVES, "--checkpoint", str(tmp_path / "saved"), "--out", str(tmp_path / "proof"))
    assert cli._status(["solve", "nine-board", *command]) == 1
    shown = capfd.readouterr()
    sentence = f"noughts: {unfinished} cannot be written: Another file is there. The same command resumes.\n"
    assert (shown.out, shown.err) == ("", sentence)
    assert unfinished.read_text() == "of somebody else"
    unfinished.unlink()
    assert found(capfd, *command)[1].startswith(f"Resuming from {tmp_path / 'saved'}: ")


def test_what_the_tree_has_found_out_is_not_searched_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tree alone: the checkpoint has no room for the table."""
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 1_000)
    monkeypatch.setattr(nine_board, "MOST_BYTES", 0)
    path = tmp_path / "saved"
    whole = found(capfd, "--moves", LONG)[0]["nodes"]
    command = interrupted(monkeypatch, LONG, path, 100)
    capfd.readouterr()
    head = json.loads(path.read_bytes().split(b"\n", 1)[0])
    assert head["positions"] == 0
    assert head["rows"]["x"] > 5
    answer, said = found(capfd, *command)
    assert said.startswith(f"Resuming from {path}: ")
    assert answer["value"] == "o"
    assert answer["nodes"] - head["nodes"] < whole


def test_workers_of_a_cluster_search(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Others(nine_board_search.Here):
        def __init__(self, address: str, entries: int, say: object) -> None:
            assert address == "tcp://there:8786"
            super().__init__(Solver(entries))

        def next(self) -> nine_board_search.Looked | None:
            looked = super().next()
            return looked and looked._replace(cpu_elsewhere_s=1.0)

        def close(self) -> None:
            closed.append(self)

    closed: list[Others] = []
    monkeypatch.setattr(nine_board_cluster, "ClusterWorkers", Others)
    command = ("solve", "nine-board", "--moves", MOVES, "--json", "--cluster", "tcp://there:8786")
    assert cli._status(list(command)) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["value"] == "x"
    assert answer["cpu_s"] >= 1
    assert answer["nodes"] > 1_000
    assert len(closed) == 1


class Lost(nine_board_search.Here):
    """A cluster that goes after two searches."""

    def __init__(self, *_: object) -> None:
        super().__init__(Solver(64))
        self._left = 2

    def next(self) -> nine_board_search.Looked | None:
        self._left -= 1
        if self._left < 0:
            raise nine_board_search.ClusterLost("The cluster is lost.")
        return super().next()

    def close(self) -> None: ...


def test_a_lost_cluster_ends_it_and_the_search_is_saved(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nine_board_cluster, "ClusterWorkers", Lost)
    path = tmp_path / "saved"
    command = ("--moves", MOVES, "--checkpoint", str(path))
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 1)
    assert cli._status(["solve", "nine-board", *command, "--cluster", "tcp://there:8786"]) == 1
    assert f"The cluster is lost. The same command resumes; the search is saved in {path}." in capfd.readouterr().err
    assert found(capfd, *command)[1].startswith(f"Resuming from {path}: ")


def test_what_was_decided_until_the_cluster_was_lost_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_cluster, "ClusterWorkers", Lost)
    path, command = tmp_path / "known", ("--moves", MOVES, "--cluster", "tcp://there:8786")
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 1)
    assert cli._status(["solve", "nine-board", *command, "--known", str(path)]) == 1
    assert path.exists()


def test_what_is_not_saved_is_not_said_to_be(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "saved", tmp_path / "proof"
    path.write_text("of somebody else")
    command = ["solve", "nine-board", "--moves", MOVES, "--checkpoint", str(path)]
    (tmp_path / "saved.proof-parts").write_text("of somebody else")
    assert cli._status([*command, "--out", str(out)]) == 1
    told = capfd.readouterr().err.splitlines()[-1]
    assert told.endswith("saved.proof-parts cannot be written: Another file is there. The search could not be saved.")
    monkeypatch.setattr(nine_board_cluster, "ClusterWorkers", Lost)
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 1)
    assert cli._status([*command, "--cluster", "tcp://there:8786"]) == 1
    told = capfd.readouterr().err.splitlines()[-1]
    assert told == "noughts: The cluster is lost. The search could not be saved."


def test_threads_here_need_no_dask(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer, _ = found(capfd, "--moves", MOVES, "--cluster", "local:2")
    assert answer["value"] == "x"
    assert answer["nodes"] > 1_000
    assert cli._status(["solve", "nine-board", "--moves", MOVES, "--cluster", "local:0"]) == 2
    assert "write local:N with N from 1 to" in capfd.readouterr().err


def interrupt_after(slices: int) -> object:
    left = [slices]

    def called(session: nine_board._Session) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return called


def test_a_killed_solve_goes_on_from_its_last_checkpoint(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = """
import os, signal, sys
from client.cli import main as cli
from client.lab.solve import checkpoint
from client.lab.solve.nine_board import solve as nine_board
nine_board.SAVE_EVERY_S = 0
write, times = checkpoint.write, []
def writing(*arguments):
    if len(times) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    times.append(write(*arguments))
checkpoint.write = writing
cli._status(["solve", "nine-board", *sys.argv[1:]])
"""
    command = ("--moves", LONG, "--checkpoint", str(tmp_path / "saved"))
    killed = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, timeout=110)
    assert killed.returncode == -signal.SIGKILL
    answer, said = found(capfd, *command)
    assert said.startswith(f"Resuming from {tmp_path / 'saved'}: ")
    assert answer["value"] == "o"


def test_unusable_checkpoints_are_ignored(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "saved"
    command = interrupted(monkeypatch, MOVES, path, 1)
    capfd.readouterr()
    good = path.read_bytes()
    head, body = good[: good.index(b"\n") + 1], good[good.index(b"\n") + 1 : -32]
    arrays = [memoryview(body)]
    made = {key: value for key, value in json.loads(head).items() if key not in ("noughts", "question")}
    question = f"nine-board {MOVES}"
    for data, words in (
        (good[:-1], "it is damaged or cut off"),
        (b'{"noughts": "solve"}\n', "it is not a checkpoint of `noughts solve nine-board`"),
        (head, "it is damaged or cut off"),
        ({"version": "0", "positions": 1}, "another version of the solver wrote it"),
        ({"version": nine_board.VERSION, "positions": 10**9, "rows": {}}, "its contents are invalid"),
        (made | {"rows": {"x": 10**9}}, "its contents are invalid"),
        (made | {"rows": {"z": 0}}, "its contents are invalid"),
        (made | {"rows": 3}, "its contents are invalid"),
        ({"version": nine_board.VERSION}, "its contents are invalid"),
    ):
        path.unlink(missing_ok=True)
        if isinstance(data, bytes):
            path.write_bytes(data)
        else:
            checkpoint.write(path, "solve nine-board", question, data, arrays)
        assert f"The checkpoint {path} is ignored: {words}" in found(capfd, *command)[1]
    path.write_bytes(good)
    assert found(capfd, *command, "--fresh")[1] == ""
    with monkeypatch.context() as patched:
        patched.setattr(nine_board._Session, "__call__", interrupt_after(1))
        cli._status(["solve", "nine-board", *command])
    capfd.readouterr()
    other = ("--moves", f"{MOVES} 4/1", "--checkpoint", str(path))
    for fresh in ([], ["--fresh"]):
        assert (
            "is ignored: it belongs to another position. Starting over, and nothing will be saved: "
            in (found(capfd, *other, *fresh)[1])
        )


@pytest.mark.parametrize("fresh", [(), ("--fresh",)])
def test_parts_of_a_proof_go_on_with_their_checkpoint_alone(
    fresh: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "checkpoint", tmp_path / "proof"
    position = play_all(rules("nine-board").initial, map(rules("nine-board").parse_move, MOVES.split()))
    assert isinstance(position, NestedPosition)
    solver = Solver()
    solution = solver.solve(position)

    def wrong(_: Claim, missing: Iterable[Place]) -> Generator[Part]:
        yield Part(tuple(missing), bytes(3), (), 0)

    with closing(ProofFile(path.with_name("checkpoint.proof"), position, claims(solution.value))) as stale:
        stale.prove(lambda claim: first_places(solver, position, claim), wrong)
    found(capfd, "--moves", MOVES, "--checkpoint", str(path), "--out", str(out), *fresh)
    assert cli._status(["verify", str(out)]) == 0


def test_progress_is_told_and_saved(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[int] = []
    monkeypatch.setattr(checkpoint, "write", lambda path, kind, question, head, arrays: saved.append(head["nodes"]))
    monkeypatch.setattr(nine_board, "SAVE_EVERY_S", 0)
    monkeypatch.setattr(nine_board, "LINE_EVERY_S", 0)
    _, said = found(capfd, "--moves", MOVES, "--checkpoint", str(tmp_path / "saved"))
    assert saved == sorted(saved)
    assert saved
    assert said.startswith("Undecided whether X can win: proof number ")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["--without", "table"], 2, "nine-board is solved with every idea: leave --without out."),
        (["--memory", "99999999"], 1, "There is no room for 99,999,999 MB for positions"),
        (["--out", "/nowhere/proof"], 1, "/nowhere/proof cannot be written"),
        (["--cluster", "nowhere"], 2, "'nowhere' names no cluster"),
    ],
)
def test_what_cannot_be(arguments: list[str], status: int, sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["solve", "nine-board", "--moves", MOVES, *arguments]) == status
    shown = capfd.readouterr()
    assert sentence in shown.err
    assert shown.out == ""
