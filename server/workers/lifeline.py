"""A child process that ends when whoever started it does, also when that is killed with SIGKILL."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from typing import Final

PARENT: Final = "NOUGHTS_PARENT_PID"
"""The environment variable in which a program is told who started it, and is to take it along."""
_PR_SET_PDEATHSIG: Final = 1
_LOOK_S: Final = 1.0


def die_with(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Have this process, a child of `parent`, killed when its parent ends.

    On Linux the kernel does it, also to a process that is stopped or never returns to Python, and may send another
    signal. The kernel watches the thread that started us, so that thread must outlive us.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by)
        if os.getppid() != parent:  # it had ended before
            os._exit(1)
    else:
        threading.Thread(target=_outlive, args=(parent,), daemon=True).start()


def die_with_server() -> None:
    """The same for a program that a server has started; nothing happens to one that a person has."""
    parent = os.environ.pop(PARENT, "")
    if parent:
        die_with(int(parent))


def _outlive(parent: int) -> None:
    while os.getppid() == parent:
        # In a thread of a child, where the kernel cannot be asked to tell: no event loop waits.
        time.sleep(_LOOK_S)
    os._exit(1)
