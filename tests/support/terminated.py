"""SIGTERM in the middle of a command's work."""

from __future__ import annotations

import signal
import threading
from typing import Never


def terminated(*_: object) -> Never:
    """In place of a part of the work: the signal comes, and ends the part."""
    assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL, "or it would end the tests"
    signal.raise_signal(signal.SIGTERM)
    threading.Event().wait(20)  # another thread may be told of it first
    raise AssertionError
