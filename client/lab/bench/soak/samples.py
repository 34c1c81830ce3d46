"""What a soak has measured: pieces, which have lives of a server, which have samples; and the file that keeps it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from client.lab.bench.wire import BenchError

Ending = Literal["stopped", "killed", "piece ended"]
"""How a server's life ended: SIGTERM, SIGKILL, or with the piece. One that ended otherwise is an error."""


class Sample(Struct, frozen=True):
    """One moment. Memory in bytes; of processes below the server, the proportional share (PSS) of all together."""

    at_s: float
    """since the piece began"""
    rss: int
    pss: int
    workers_pss: int
    ladder_pss: int
    processes: int
    """below the server, those of the ladder among them"""
    files: int
    threads: int
    tasks: int
    rooms: int
    connections: int
    games: int
    """in the database"""
    database: int
    """bytes of the database's pages, those still in its log among them"""


class Life(Struct):
    """A server from its start to its end."""

    begun_s: float
    ending: Ending | None = None
    """None if nobody could say: the bench itself was ended."""
    samples: list[Sample] = []


class Piece(Struct):
    """One run of the bench."""

    machine: str
    begun_ms: int
    """Unix time"""
    lives: list[Life] = []
    reconnects: int = 0
    errors: list[str] = []
    """what clients met that no restart explains"""

    @property
    def hours(self) -> float:
        last = [life.samples[-1].at_s for life in self.lives if life.samples]
        return max(last, default=0.0) / 3600


class Soak(Struct):
    """All pieces so far, in order."""

    pieces: list[Piece] = []


def load(file: Path) -> Soak:
    """The soak of a file; one without pieces if there is no such file yet. Raises BenchError."""
    database = database_of(file)
    if not file.exists():
        if database.exists():
            raise BenchError(f"{database} exists without {file}, which lists its pieces: name another file.")
        return Soak()
    try:
        soak = msgspec.json.decode(file.read_bytes(), type=Soak)
    except msgspec.MsgspecError:
        raise BenchError(f"{file} is not a file of an earlier soak: name another file.") from None
    if soak.pieces and not database.exists():
        raise BenchError(f"{file} goes on with the database {database}, which is missing.")
    return soak


def save(soak: Soak, file: Path) -> None:
    """Writes the file whole or not at all."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(soak), indent=1))
    fresh.replace(file)


def database_of(file: Path) -> Path:
    """Where the games of a soak are, beside its file."""
    return file.with_name(f"{file.name}.db")


# What Linux knows of processes


class Below(Struct, frozen=True):
    """The processes below a server."""

    workers: list[int]
    ladder: list[int]


def below(pid: int) -> Below:
    """The processes below a server, each with all that it started itself."""
    found = Below([], [])
    for child in _children(pid):
        kind = found.ladder if b"server.ladder" in _read(child, "cmdline") else found.workers
        kind += _family(child)
    return found


def pss(pids: list[int], measure: Callable[[int], int]) -> int:
    """The sum over the processes, without those that have gone meanwhile."""
    total = 0
    for pid in pids:
        with suppress(OSError, KeyError):
            total += measure(pid)
    return total


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


def _family(pid: int) -> list[int]:
    return [pid, *(one for child in _children(pid) for one in _family(child))]


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def _read(pid: int, name: str) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/{name}").read_bytes()
    return b""
