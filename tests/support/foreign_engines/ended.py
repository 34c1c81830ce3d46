"""Waits for the end of an engine's process, or of one that it has started."""

from __future__ import annotations

import os
import select

GONE_MS = 20_000


def assert_gone(pid: int, descriptor: int | None = None) -> None:
    try:
        descriptor = os.pidfd_open(pid) if descriptor is None else descriptor
    except ProcessLookupError:
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    assert poll.poll(GONE_MS), f"process {pid} lives"
    os.close(descriptor)
