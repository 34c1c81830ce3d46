"""Commands interrupted as a terminal does it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from client.lab.solve.saving import uninterrupted


def assert_tells_what_was_played(words: list[str], folder: Path) -> None:
    """`words` have it play endless games with --json; Ctrl-C ends it with status 130 and all that was recorded."""
    pipe = folder / "games.jsonl"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "client.cli", *words, "--record", str(pipe)]
    playing = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    with playing:
        try:
            with pipe.open() as games:
                read = [games.readline() for _ in range(3)]
                os.killpg(playing.pid, signal.SIGINT)  # the workers get it too
                read += games.readlines()
            out, err = playing.communicate(timeout=60)
        finally:
            playing.kill()
    assert playing.returncode == 130
    assert err.endswith("Interrupted; these are the results so far.\n")
    assert "Traceback" not in err, err
    told = json.loads(out)
    assert told["interrupted"] is True
    assert told["games"] == len(read) >= 3


@contextmanager
def interrupted_again() -> Iterator[None]:
    """As `uninterrupted`, with another Ctrl-C just before the last save."""
    with uninterrupted():
        signal.raise_signal(signal.SIGINT)
        yield
