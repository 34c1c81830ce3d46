"""Processes that compile, complain, die or wait: a fork server imports them from here by name."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from server.workers.child import Complaint
from server.workers.fork_server import Channel


def compiles(channel: Channel, slot: None) -> None:
    while True:
        channel.send(channel.receive())


def complains(channel: Channel, slot: None) -> None:
    channel.send(Complaint("The cache is elsewhere."))


def dies_of_one(channel: Channel, slot: None, stage: str, remembered: str, times: int) -> None:
    """So often, counting in a file."""
    while (asked := channel.receive()) != stage:
        channel.send(asked)
    deaths = Path(remembered)
    met = len(deaths.read_text()) if deaths.exists() else 0
    if met < times:
        deaths.write_text("x" * (met + 1))
        os._exit(1)
    channel.send(asked)
    compiles(channel, slot)


def waits(channel: Channel, slot: None) -> None:
    signal.pause()
