"""What the server takes from the machine that it runs on: time, secrets, a port, files and processes.

The whole server runs on another one as well: see docs/server-simulation.md.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from server.admin.line import open_line
from server.db.connections import Opener, open_connection
from server.http.connections.listen import listen
from server.rooms.room.services import Secrets
from server.workers.children import ForkServer

STOOD_MS = 1_000
"""If the time was not read for longer than this, the process stood still."""


class SystemClock:
    """The time of this machine."""

    def __init__(self) -> None:
        self._asked_ms = time.monotonic_ns() // 1_000_000
        self._stood_ms = 0

    def now_ms(self) -> int:
        """Monotonic, and stands still while the process does, when no move can arrive: something must read it all the
        time."""
        now_ms = time.monotonic_ns() // 1_000_000
        gap_ms = now_ms - self._asked_ms
        if gap_ms > STOOD_MS:
            self._stood_ms += gap_ms
        self._asked_ms = now_ms
        return now_ms - self._stood_ms

    def now_us(self) -> int:
        """Monotonic, in microseconds, and counts all of it."""
        return time.monotonic_ns() // 1_000

    def unix_ms(self) -> int:
        return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Machine:
    """The real one where nothing else is said."""

    clock: SystemClock = field(default_factory=SystemClock)
    secrets: Secrets | ModuleType = secrets
    listen: Callable[[str, int], AbstractContextManager[Any]] = listen
    """what `create_server` of the event loop takes, listening at a host and a port. Raises CannotListen."""
    listen_for_orders: Callable[[Path], socket.socket | None] = open_line
    """an operator's socket at this path; None where there can be none"""
    open_database: Opener = open_connection
    fork_server: Callable[..., ForkServer] = ForkServer
