"""What an engine's process does first: it leaves a keeper above itself, takes its limits, and becomes the engine."""

from __future__ import annotations

import errno
import os
import resource
import sys
from typing import Final

from server.workers.engines.keeper import keep

CANNOT_START: Final = 127
"""The exit status of one whose program cannot be run, as of a shell."""
_MEGABYTE: Final = 1 << 20


def main(parent: int, memory_mb: int, cpu_s: int, file_mb: int, folder: str, command: list[str]) -> None:
    """Never returns."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":  # elsewhere nothing tells of a parent's end
            keep(parent)
        # Private memory that can be written: runtimes such as node's reserve far more of the address space.
        memory = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        for limit, most in (
            (memory, memory_mb * _MEGABYTE),
            (resource.RLIMIT_FSIZE, file_mb * _MEGABYTE),
        ):
            resource.setrlimit(limit, (most, most))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))  # the first by a signal that tells why
        os.chdir(folder)
        os.execv(command[0], command)
    except (OSError, ValueError) as error:
        print(f"{command[0]} cannot be started: {_explained(error, command[0])}", file=sys.stderr)
    sys.stderr.flush()
    os._exit(CANNOT_START)


def _explained(error: OSError | ValueError, program: str) -> str:
    """With a hint at what would be right, where the system's own words give none."""
    if not isinstance(error, OSError) or error.filename not in (None, program):  # it names the folder
        return str(error)
    number = error.errno
    if number == errno.ENOEXEC:
        return f"{os.strerror(number)}; a script begins with what runs it, as in #!/bin/sh"
    if number == errno.ENOENT and os.path.exists(program):
        return "its interpreter (in a script, what #! names) is not there"
    return str(error)
