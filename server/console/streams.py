"""The standard streams, where they cannot be written."""

from __future__ import annotations

import os
from typing import TextIO


def forget(stream: TextIO) -> None:
    """Drop what it could not write: Python flushes it at exit and would complain once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
