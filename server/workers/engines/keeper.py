"""The parent of an engine on Linux: once the engine ends, or whoever started it, all that it has started ends too.

Processes whose own parents are gone become children of the keeper (`PR_SET_CHILD_SUBREAPER`), also those that have left
the engine's group and session. To end every child until none is left is therefore to end them all.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

from server.workers.lifeline import die_with

_PR_SET_CHILD_SUBREAPER: Final = 36
_AWAITED: Final = (signal.SIGTERM, signal.SIGCHLD)


def keep(parent: int) -> None:
    """Return in a new process, which is to become the engine; this one, a child of `parent`, becomes its keeper.

    The keeper ends when the engine does, and as it does: by the same signal, or with the same exit status. SIGTERM,
    also the kernel's at the end of `parent`, has it end the engine first.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _AWAITED)
    die_with(parent, signal.SIGTERM)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    keeper = os.getpid()
    engine = os.fork()
    if engine != 0:
        _let_go_of_pipes()
        _end_as(_status(engine))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _AWAITED)
    die_with(keeper)


def _let_go_of_pipes() -> None:
    """Whoever speaks with the engine must notice when it closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)


def _status(engine: int) -> int:
    """How the engine ended, after which nothing that it has started lives."""
    status: int | None = None
    while status is None and signal.sigwait(_AWAITED) == signal.SIGCHLD:
        status = _reaped(engine)
    with suppress(ChildProcessError):
        while True:
            # As many as were killed: to read the table again for each of hundreds would take a minute.
            for _ in range(max(1, _kill_children())):
                pid, ended = os.waitpid(-1, 0)
                if pid == engine:
                    status = ended
    return status if status is not None else signal.SIGKILL


def _reaped(engine: int) -> int | None:
    """How the engine ended, None while it runs; of several children that end at once a single signal may tell."""
    pid = -1
    while pid != 0:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == engine:
            return status
    return None


def _kill_children() -> int:
    """How many there were."""
    killed = 0
    for child in _children():
        with suppress(ProcessLookupError, PermissionError):
            os.kill(child, signal.SIGKILL)
            killed += 1
    return killed


def _children() -> Iterator[int]:
    """The processes whose parent this is, as the kernel's table has them."""
    own = os.getpid()
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            # The name, in brackets, may hold anything; the state and the parent follow it.
            if int(entry.read_bytes().rpartition(b")")[2].split()[1]) == own:
                yield int(entry.parent.name)


def _end_as(status: int) -> NoReturn:
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with suppress(OSError):  # there is no other than the default of SIGKILL
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [-code])
        os.kill(os.getpid(), -code)
    os._exit(code)
