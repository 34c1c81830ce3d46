"""`noughts verify`: proofs that hold, and everything that is none."""

from __future__ import annotations

import ast
import hashlib
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from client.cli import main as cli
from client.lab.verify import nine_board_checker, qubic_checker
from client.lab.verify.qubic_checker import HEAD, RECORD, Rejected, check, records_in

BOOK = files("engine.search.perfect").joinpath("qubic.book").read_bytes()
Record = tuple[int, int, int, int]


def signed(records: list[Record]) -> bytes:
    data = HEAD.pack(b"qubicwin", 1, len(records)) + b"".join(RECORD.pack(*record) for record in sorted(records))
    return data + hashlib.sha256(data).digest()


def records_of(data: bytes) -> list[Record]:
    return [(x, o, cell, plies) for (x, o), (cell, plies) in records_in(data).items()]


def refused(capfd: pytest.CaptureFixture[str], path: Path, status: int = 1) -> str:
    assert cli._status(["verify", str(path)]) == status
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("noughts: ")
    assert shown.err.count("\n") == 1
    return shown.err


def test_the_checker_is_one_short_file_of_the_standard_library() -> None:
    source = Path(qubic_checker.__file__).read_text()
    assert source.count("\n") < 200
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_shipped_book_is_a_proof() -> None:
    done = subprocess.run([sys.executable, "-m", "client.cli", "verify"], capture_output=True, text=True, check=True)
    plies = records_in(BOOK)[0, 0][1]
    assert done.stdout.startswith(f"Proven: X wins on Qubic in at most {plies} plies, whatever O plays.\nChecked ")


def test_the_first_records_cannot_be_missing_changed_or_added_to() -> None:
    records = records_of(BOOK)
    with pytest.raises(Rejected, match="not in order, that of the empty board first"):
        check(signed(records[1:]))
    with pytest.raises(Rejected, match="not proven"):
        check(signed([(0, 0, 63, 9), *records[1:]]))
    with pytest.raises(Rejected, match="cannot be played"):
        check(signed([(0, 0, 64, 61), *records[1:]]))
    with pytest.raises(Rejected, match="not in order"):
        check(signed([records[0], *records]))


def test_truncated_altered_and_foreign_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "proof"
    for data, words in (
        (b"", "not a proof by `noughts solve`"),
        (b"qubicwin", "no proof for qubic"),
        (b"PK\x03\x04" + bytes(100), "not a proof by `noughts solve`"),
        (BOOK[:8] + b"\x02" + BOOK[9:], "no proof for qubic in format 1"),
        (BOOK[:-1], "bytes"),
        (BOOK[:5000], "bytes"),
        (BOOK + b"\n", "bytes"),
        (BOOK[:12] + b"\xff\xff\xff\xff" + BOOK[16:], "bytes"),
    ):
        path.write_bytes(data)
        assert words in refused(capfd, path)
    for place in Random(4).sample(range(16, len(BOOK)), 30):
        path.write_bytes(BOOK[:place] + bytes([BOOK[place] ^ 1]) + BOOK[place + 1 :])
        assert "checksum is wrong" in refused(capfd, path)


def test_no_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "cannot be read: No such file" in refused(capfd, tmp_path / "none", 2)
    assert "cannot be read: Is a directory" in refused(capfd, tmp_path, 2)


def test_what_does_not_begin_as_a_proof_is_not_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    assert "its first bytes are wrong" in refused(capfd, path)
    assert "its first bytes are wrong" in refused(capfd, Path("/dev/zero"))


def test_a_process_that_was_ended_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*arguments: object) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr(nine_board_checker, "check", ended)
    path = tmp_path / "proof"
    path.write_bytes(b"ninegame")
    assert cli._status(["verify", str(path), "--jobs", "2"]) == 1
    wanted = "noughts: A process that checked a part was ended, perhaps for want of memory: use fewer --jobs.\n"
    assert capfd.readouterr().err == wanted


def test_it_ends_in_order_by_sigterm(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(signal.SIGTERM)

    def terminated(*arguments: object) -> None:
        assert signal.getsignal(signal.SIGTERM) != before, "or it would end the tests"
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(nine_board_checker, "check", terminated)
    path = tmp_path / "proof"
    path.write_bytes(b"ninegame")
    assert cli._status(["verify", str(path), "--jobs", "2"]) == 130
    assert capfd.readouterr().err.strip() == ""


def test_a_file_that_takes_too_much_memory_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte of nothing but one position, compressed, is a gigabyte to check."""

    def too_much(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(nine_board_checker, "check", too_much)
    path = tmp_path / "proof"
    path.write_bytes(b"ninegame")
    assert refused(capfd, path) == "noughts: There is not enough memory here to check this file.\n"


def test_too_many_jobs(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["verify", "--jobs", "3000000000"]) == 2
    assert "3000000000 is not in the range 1<=x<=1024" in capfd.readouterr().err
