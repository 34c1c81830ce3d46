"""`noughts ladder run` as a process: started, read, interrupted, killed; and what it has left in the records."""

from __future__ import annotations

import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import psutil

from tests.support.database.database_files import execute
from tests.support.live.server import ROOT, environment

TIMEOUT_S = 100.0
"""How long anything may take before a test gives up; nothing waits that long when all is well."""
COMMAND = (sys.executable, "-m", "tests.support.ladder.faulty_ladder", "ladder", "run")

Game: TypeAlias = tuple[Any, ...]


class Ladder:
    """A ladder that runs in a process of its own."""

    def __init__(
        self,
        config: Path,
        db: Path,
        *flags: str,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
    ) -> None:
        self.db = db
        self.said = ""
        """On stderr, as far as it was read."""
        self.process = subprocess.Popen(
            [*COMMAND, str(config), "--db", str(db), *flags],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=ROOT,
            env=environment(),
        )
        self._reads = -1 if self.process.stderr is None else self.process.stderr.fileno()
        self._family: set[psutil.Process] = set()

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def read_from(self, screen: int) -> None:
        """Instead of stderr."""
        self._reads = screen

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def wait_until(self, condition: Callable[[], Any], what: str) -> Any:
        """The first true answer, while the ladder runs."""
        for _ in _while_waiting():
            self._look()
            if found := condition():
                return found
            assert not self.ended, f"ended before {what}: {self.rest()}"
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.01)
        raise AssertionError(f"never came: {what}; {self.said}")

    def until_said(self, text: str) -> None:
        """Reads stderr until this text comes."""
        for _ in _while_waiting():
            self._look()
            if text in self.said:
                return
            ready, _, _ = select.select([self._reads], [], [], 1.0)
            data = os.read(self._reads, 65536) if ready else None
            assert data != b"", f"never said {text!r}: {self.said}"
            self.said += (data or b"").decode(errors="replace")
        raise AssertionError(f"never said {text!r}: {self.said}")

    def until_games(self, number: int) -> None:
        """Recorded, of whichever run."""
        self.wait_until(lambda: count(self.db) >= number, f"{number} games")

    def workers(self) -> list[psutil.Process]:
        """The processes that play: children of the one that forks them."""
        found: list[psutil.Process] = []
        with suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self.process.pid).children():
                found += child.children()
        return found

    def kill(self) -> None:
        """`kill -9`; returns when nothing of it is left. Nothing happens to one that is gone."""
        self._look()
        self.process.kill()
        self.process.wait(TIMEOUT_S)
        self.nothing_is_left()
        self._close()

    def interrupt(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        self._look()
        self.process.send_signal(number)
        return self.end()

    def end(self) -> tuple[int, str, str]:
        """Waits for its end: exit status, stdout, stderr. Nothing of it is left then."""
        self._look()
        out, _ = self._communicate()
        self.nothing_is_left()
        return self.process.returncode, out, self.said

    def _communicate(self) -> tuple[str, str]:
        out, err = self.process.communicate(timeout=TIMEOUT_S)
        self.said += (err or b"").decode()
        return out.decode(), self.said

    def rest(self) -> str:
        """All that it said, when it has ended."""
        with suppress(ValueError):
            return self._communicate()[1]
        return self.said

    def _look(self) -> None:
        """Remembers its processes, so that they can be looked for when it is gone."""
        with suppress(psutil.NoSuchProcess):
            self._family |= set(psutil.Process(self.process.pid).children(recursive=True))

    def nothing_is_left(self) -> None:
        _, alive = psutil.wait_procs(list(self._family), timeout=TIMEOUT_S)
        assert not alive

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def _while_waiting() -> Iterator[None]:
    until_s = time.monotonic() + TIMEOUT_S
    while time.monotonic() < until_s:
        yield


@contextmanager
def running(config: Path, db: Path, *flags: str, **options: Any) -> Iterator[Ladder]:
    """A ladder that is gone after the block, whatever happens in it."""
    ladder = Ladder(config, db, *flags, **options)
    try:
        yield ladder
    finally:
        ladder.kill()


def done(config: Path, db: Path, *flags: str, **options: Any) -> tuple[int, str, str]:
    """A ladder to its end: exit status, stdout, stderr."""
    with running(config, db, *flags, **options) as ladder:
        return ladder.end()


def count(db: Path) -> int:
    """Recorded games; none while there are no records."""
    try:
        [(number,)] = execute(db, "SELECT count(*) FROM games WHERE source = 'ladder'") if db.exists() else [(0,)]
    except sqlite3.OperationalError:
        return 0
    return int(number)


def games(db: Path) -> list[Game]:
    """Every recorded game with its moves; ids and times apart. No pair is there twice, none is half."""
    found = execute(
        db,
        "SELECT run_id, pair_id, x, o, opening_id, winner, termination, "
        "(SELECT group_concat(cell) FROM (SELECT cell FROM moves m WHERE m.game_id = g.game_id ORDER BY ply)) "
        "FROM v_games g WHERE source = 'ladder' ORDER BY run_id, pair_id, x_id > o_id",
    )
    pairs = [game[:2] for game in found]
    assert pairs[::2] == pairs[1::2] == sorted(set(pairs))
    return found
