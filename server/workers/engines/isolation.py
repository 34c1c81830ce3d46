"""How far an engine is kept apart from this machine: in bubblewrap where that works, else by limits alone."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import Final

_PROBE_S: Final = 10.0
_WALLS: Final = (
    *("--die-with-parent", "--new-session", "--unshare-all"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
)
"""No network, no other processes, and of the files nothing to write."""


@cache
def bubblewrap() -> str | None:
    """The path of `bwrap` where it can do here what we ask of it: many containers do not allow it."""
    found = shutil.which("bwrap")
    if found is None:
        return None
    try:
        tried = subprocess.run([found, *_WALLS, "true"], capture_output=True, timeout=_PROBE_S)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found if tried.returncode == 0 else None


def walled(command: Sequence[str], folder: str, scratch: str) -> list[str]:
    """The command in a sandbox, if this machine has one: it runs in `folder` and may write only in `scratch`."""
    bwrap = bubblewrap()
    if bwrap is None:
        return list(command)
    return [bwrap, *_WALLS, "--bind", scratch, scratch, "--chdir", folder, "--", *command]


def level() -> str:
    """What keeps engines in check here, in one sentence."""
    if bubblewrap() is not None:
        return "Engines run in bubblewrap: without a network, and able to write only in a folder of their own."
    return (
        "Engines run under limits of memory, processor time and file size, but are not isolated: bubblewrap is missing "
        "or does not work here, so they may read, write and connect as you may."
    )
