"""What an engine's process does before it is the engine: its limits, its folder, and why it could not be started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.workers.engines.launch import CANNOT_START, main

LAUNCH = f"import sys; from {main.__module__} import main; main(int(sys.argv[1]), 512, 7, 3, sys.argv[2], sys.argv[3:])"
"""With 512 MB of memory, 7 s and files of 3 MB."""


def launched(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    launch = [sys.executable, "-c", LAUNCH, str(os.getpid()), str(folder), *command]
    return subprocess.run(launch, capture_output=True, text=True, timeout=60)


def test_it_becomes_the_engine_within_its_limits_and_in_its_folder(tmp_path: Path) -> None:
    memory = "-d" if sys.platform == "linux" else "-v"
    asked = ("pwd", *(f"ulimit {limit}" for limit in (memory, "-f", "-c", "-t", "-Ht")))
    done = launched(tmp_path, "/bin/sh", "-c", "; ".join(asked))
    folder, *told = done.stdout.splitlines()
    assert (folder, told[0], told[2:], done.stderr) == (str(tmp_path), str(512 << 10), ["0", "7", "8"], "")
    assert int(told[1]) in (3 << 10, 3 << 11), "of 1024 bytes or 512: shells differ"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"echo", "Exec format error; a script begins with what runs it, as in #!/bin/sh"),
        (b"#!/bin/sh\r\n", "its interpreter (in a script, what #! names) is not there"),
        (b"#!/no/such/interpreter\n", "its interpreter (in a script, what #! names) is not there"),
    ],
)
def test_what_cannot_be_started_is_explained(tmp_path: Path, content: bytes, why: str) -> None:
    program = tmp_path / "mine"
    program.write_bytes(content)
    program.chmod(0o755)
    done = launched(tmp_path, str(program))
    assert (done.returncode, done.stderr) == (CANNOT_START, f"{program} cannot be started: {why}\n")


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    done = launched(tmp_path / "gone", "/bin/true")
    why = f"[Errno 2] No such file or directory: '{tmp_path / 'gone'}'"
    assert (done.returncode, done.stderr) == (CANNOT_START, f"/bin/true cannot be started: {why}\n")
