"""`noughts solve` of flat boards: interrupted, killed, gone on with, and what may be wrong with what was saved."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from client.cli import main as cli
from client.lab.solve.flat import checkpoint as flat_checkpoint
from client.lab.solve.flat import solve as solve_flat
from tests.support.lab.interrupts import interrupted_again

UNSAVED = "Starting over, and nothing will be saved: name another with --checkpoint."
GAME = "mnk:6,5,4"


class Clock:
    """Each look at it takes so many seconds; after so many looks somebody presses Ctrl-C."""

    def __init__(self, step_s: float = 0.0, looks: int | None = None) -> None:
        self._step_s, self._looks, self._now_s = step_s, looks, 0.0

    def __call__(self) -> float:
        self._now_s += self._step_s
        if self._looks is not None:
            self._looks -= 1
            if self._looks < 0:
                raise KeyboardInterrupt
        return self._now_s


def found(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, object], str]:
    """What a solve that comes to its end says, without what may differ, and what it says on the way."""
    assert cli._status(["solve", *arguments, "--json"]) == 0
    shown = capfd.readouterr()
    answer = json.loads(shown.out)
    assert answer.pop("nodes") > 0
    assert answer.pop("cpu_s") >= 0
    return answer, shown.err


def interrupted(
    capfd: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, looks: int, *arguments: str, step_s: float = 0.0
) -> str:
    with patch.context() as patched:
        patched.setattr("client.lab.solve.flat.solve.time.monotonic", Clock(step_s, looks))
        patched.setattr(solve_flat, "uninterrupted", interrupted_again)
        assert cli._status(["solve", *arguments]) == 130
    return capfd.readouterr().err


def test_progress_and_interruption(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some slices of 9,4,4, which nobody waits for, somebody presses Ctrl-C."""
    asked: Iterator[int] = iter([0, *range(0, 1000, 5)])

    def now() -> int:
        if (second := next(asked)) > 30:
            raise KeyboardInterrupt
        return second

    monkeypatch.setattr("client.lab.solve.flat.solve.time.monotonic", now)
    assert cli._status(["solve", "mnk:9,4,4", "--checkpoint", str(tmp_path / "saved")]) == 130
    shown = capfd.readouterr()
    lines = shown.err.splitlines()
    assert lines[0].startswith("no win of X within 3 plies; ")
    assert lines[1].startswith("Boards of this size, 10^16 positions, take roughly 155,153,634 visits: about ")
    assert lines[-1] == f"The same command resumes; the search is saved in {tmp_path / 'saved'}."
    assert shown.out.startswith("Interrupted. Certain of mnk:9,4,4 so far: no win of X within ")


@pytest.mark.parametrize("looks", [1, 2, 5, 8])
def test_an_interrupted_solve_ends_as_if_it_had_not_been(
    looks: int, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, said = found(capfd, GAME)
    assert said == ""
    saved = tmp_path / "folder" / "saved"
    command = (GAME, "--checkpoint", str(saved))
    for _ in range(2):
        err = interrupted(capfd, monkeypatch, looks, *command)
        assert saved.exists() == ("The same command resumes" in err)
    again, said = found(capfd, *command, "--memory", "1")
    assert again == whole
    assert saved.parent.exists() == ("Resuming from" in said)
    assert not list(tmp_path.glob("*/*"))


def test_it_is_saved_though_nobody_reads_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where Ctrl-C ends `tee` as well."""

    def no_reader(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("client.lab.solve.flat.solve.time.monotonic", Clock(0.0, 6))
    monkeypatch.setattr(click, "echo", no_reader)
    saved = tmp_path / "saved"
    with pytest.raises(BrokenPipeError):
        cli.cli.main(["solve", GAME, "--checkpoint", str(saved)], standalone_mode=False)
    assert saved.exists()


def test_json_is_all_that_goes_to_stdout(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.lab.solve.flat.solve.time.monotonic", Clock(0.0, 4))
    assert cli._status(["solve", GAME, "--checkpoint", str(tmp_path / "saved"), "--json"]) == 130
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"Interrupted. Certain of {GAME} so far: ")


def test_nodes_are_counted_through_and_fresh_begins_anew(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (GAME, "--checkpoint", str(tmp_path / "saved"))
    interrupted(capfd, monkeypatch, 6, *command)
    saved = flat_checkpoint.load(tmp_path / "saved", GAME)
    assert saved is not None
    assert len(saved.known) == len(saved.facts) > 1_000
    assert f"{saved.nodes:,} positions in" in interrupted(capfd, monkeypatch, 3, *command)
    later = flat_checkpoint.load(tmp_path / "saved", GAME)
    assert later is not None
    assert later.nodes > saved.nodes
    assert found(capfd, *command, "--fresh")[1] == ""
    assert not list(tmp_path.iterdir())


def test_a_killed_solve_goes_on_from_its_last_checkpoint(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = """
import os, signal, sys
from client.cli import main as cli
from client.lab.solve.flat import solve as solve_flat
from client.lab.solve.flat import checkpoint as flat_checkpoint
save, times = flat_checkpoint.save, []
def saving(*arguments):
    if len(times) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    times.append(save(*arguments))
flat_checkpoint.save, solve_flat.SAVE_EVERY_S = saving, 0
solve_flat._SAVING_PART = 0
cli._status(["solve", *sys.argv[1:]])
"""
    command = (GAME, "--checkpoint", str(tmp_path / "saved"))
    killed = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, timeout=110)
    assert killed.returncode == -signal.SIGKILL
    again, said = found(capfd, *command)
    assert said.startswith(f"Resuming from {tmp_path / 'saved'}: ")
    assert again == found(capfd, GAME)[0]


def test_it_saves_now_and_then(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    saves: list[int] = []
    monkeypatch.setattr(flat_checkpoint, "save", lambda path, question, saved: saves.append(saved.nodes))
    monkeypatch.setattr("client.lab.solve.flat.solve.time.monotonic", Clock(9.0))
    found(capfd, "mnk:5,5,4", "--checkpoint", str(tmp_path / "saved"))
    assert len(saves) >= 2
    assert saves == sorted(set(saves))
    assert saves[0] > 0


def full(file: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told_of_once_and_does_no_harm(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = found(capfd, "mnk:5,5,4")
    monkeypatch.setattr("client.lab.solve.checkpoint.os.fsync", full)
    monkeypatch.setattr("client.lab.solve.flat.solve.time.monotonic", Clock(16.0))
    again, said = found(capfd, "mnk:5,5,4", "--checkpoint", str(tmp_path / "saved"))
    assert again == whole
    assert said.count(f"No checkpoint can be written to {tmp_path / 'saved'}: No space left on device.") == 1
    assert not list(tmp_path.iterdir())


def test_a_proof_that_cannot_be_written_is_found_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    proof, saved = tmp_path / "proof", tmp_path / "saved"
    command = ("mnk:5,5,4", "--checkpoint", str(saved), "--out", str(proof))
    with monkeypatch.context() as patched:
        patched.setattr("server.console.files._sync", full)
        assert cli._status(["solve", *command]) == 1
    sentence = f"noughts: {proof} cannot be written: No space left on device. The same command resumes.\n"
    assert capfd.readouterr().err == sentence
    assert f"Resuming from {saved}: " in found(capfd, *command)[1]
    assert list(tmp_path.iterdir()) == [proof]


def test_a_proof_of_a_quick_solve_leaves_nothing_to_save(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.console.files._sync", full)
    proof, saved = tmp_path / "proof", tmp_path / "saved"
    command = ("tictactoe", "--moves", "a1 b1 a2 b2", "--checkpoint", str(saved), "--out", str(proof))
    assert cli._status(["solve", *command]) == 1
    assert capfd.readouterr().err == f"noughts: {proof} cannot be written: No space left on device.\n"
    assert not list(tmp_path.iterdir())


def test_what_was_saved_may_be_damaged_or_of_something_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "saved"
    command = (GAME, "--checkpoint", str(path))
    interrupted(capfd, monkeypatch, 4, *command)
    good, whole = path.read_bytes(), found(capfd, GAME)[0]
    for data, words in (
        (good[:-1], "it is damaged or cut off: its checksum is wrong"),
        (b"[1]\n" + good, "it is not a checkpoint of `noughts solve`"),
    ):
        path.write_bytes(data)
        again, said = found(capfd, *command)
        assert again == whole
        assert said.startswith(f"The checkpoint {path} is ignored: {words}")
        assert said.count("\n") == 1
        assert (UNSAVED in said) == ("not a checkpoint" in words)
        assert path.exists() == ("not a checkpoint" in words)
    # What another solve has saved is not written over.
    path.write_bytes(good)
    for fresh in ([], ["--fresh"]):
        said = found(capfd, "mnk:5,5,4", "--checkpoint", str(path), *fresh)[1]
        assert said.endswith(f": it belongs to another position. {UNSAVED}\n")
        assert path.read_bytes() == good


def test_other_files_are_not_written_over(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    said = interrupted(capfd, monkeypatch, 4, GAME, "--checkpoint", str(path))
    assert f"No checkpoint can be written to {path}: Another file is there." in said
    assert path.read_text() == "years of work"


@pytest.mark.parametrize(
    ("free", "arguments", "sentence"),
    [
        (8_000_000_000, ["--memory", "100000"], "100,000 MB for positions plus 60 MB; only 8,000 MB are free"),
        (8_000_000_000, ["--memory", "100000"], "here: ask for at most --memory 7940."),
        (130_000_000, [], "There is no room for 83 MB for positions plus 60 MB; only 130 MB are free here"),
        (20_000_000, [], "only 20 MB are free here: free some memory."),
    ],
)
def test_memory_short_of_what_was_asked(
    free: int, arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_flat, "_LOADING_BYTES", 0)
    monkeypatch.setattr(solve_flat, "available_bytes", lambda: free)
    assert cli._status(["solve", "tictactoe", *arguments]) == 1
    shown = capfd.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    ("limit_mb", "sentence"), [(300, "Solving needs at least 400 MB, but only"), (900, "ask for at most --memory")]
)
def test_a_limit_of_address_space_is_told_of(limit_mb: int, sentence: str) -> None:
    script = f"""
import resource, sys
from client.cli import main as cli
resource.setrlimit(resource.RLIMIT_AS, ({limit_mb} << 20, {limit_mb} << 20))
sys.exit(cli._status(["solve", "mnk:5,5,4", "--memory", "2000"]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=110)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (5, "5 seconds"),
        (300, "5 minutes"),
        (7_200, "2 hours"),
        (400_000, "5 days"),
        (1e9, "32 years"),
        (1e20, "10^12 years"),
    ],
)
def test_durations_in_words(seconds: float, words: str) -> None:
    assert solve_flat._duration(seconds) == words


def test_the_strongest_bot_is_named() -> None:
    from engine.rules.registry import rules

    assert [solve_flat.strongest(rules(game)) for game in ("qubic", "gomoku", "super")] == [
        "perfect",
        "strongest",
        "perfect",
    ]
