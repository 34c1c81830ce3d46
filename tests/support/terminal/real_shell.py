"""A real shell at a terminal of its own, to see what its Tab key does."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from types import TracebackType

START = {
    "bash": ["bash", "-i"],
    "zsh": ["zsh", "-i"],
    "fish": ["fish", "-i"],
}
_SEQUENCES = re.compile(r"\x1b(?:\[[0-9;?<>=]*[a-zA-Z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>])")


class RealShell:
    """Begun with the startup files of its home."""

    def __init__(self, shell: str, environment: Mapping[str, str]) -> None:
        self._terminal, slave = pty.openpty()
        self._process = subprocess.Popen(
            ["setsid", "--ctty", *START[shell]], stdin=slave, stdout=slave, stderr=slave, env=dict(environment)
        )
        os.close(slave)
        self._seen = ""

    def __enter__(self) -> RealShell:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._terminal)

    def types(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def shows(self, text: str, timeout_s: float = 60) -> None:
        """Wait until this was shown, and forget what came before its end."""
        end_s = time.monotonic() + timeout_s
        while text not in (plain := _SEQUENCES.sub("", self._seen)):
            left_s = end_s - time.monotonic()
            ready, _, _ = select.select([self._terminal], [], [], max(left_s, 0))
            assert ready, f"{text!r} is not in what the shell shows: {plain[-2000:]!r}"
            read = os.read(self._terminal, 65536).decode(errors="replace")
            self._seen += read
            if "\x1b[c" in read:  # fish asks what kind of terminal this is, and waits
                os.write(self._terminal, b"\x1b[?62;22c")
        self._seen = plain.partition(text)[2]
