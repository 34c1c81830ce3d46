"""Pings: each connection once in a period, a few at a time, by one timer for all."""

from __future__ import annotations

import asyncio
from typing import Protocol

SLOTS = 200
"""Ten thousand connections are pinged fifty at a time."""


class Pinged(Protocol):
    def ping(self) -> None:
        """Called once in a period."""


class Keepalive:
    """A wheel of slots, of which one is due at a time."""

    def __init__(self, period_s: float) -> None:
        self._tick_s = period_s / SLOTS
        self._slots: list[dict[Pinged, None]] = [{} for _ in range(SLOTS)]
        self._slot_of: dict[Pinged, int] = {}
        self._hand = 0
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._slot_of)

    def add(self, pinged: Pinged) -> None:
        """Its first ping is due after a whole period."""
        slot = self._slot_of[pinged] = self._hand - 1
        self._slots[slot][pinged] = None

    def discard(self, pinged: Pinged) -> None:
        slot = self._slot_of.pop(pinged, None)
        if slot is not None:
            del self._slots[slot][pinged]

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(loop.time() + self._tick_s, self._tick, loop.time() + self._tick_s)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def turn(self) -> None:
        """Ping those whose slot is due."""
        for pinged in tuple(self._slots[self._hand]):
            pinged.ping()
        self._hand = (self._hand + 1) % SLOTS

    def _tick(self, due_s: float) -> None:
        self.turn()
        loop = asyncio.get_running_loop()
        # A loop that was late does not ping everybody at once to make up for it.
        due_s = max(due_s + self._tick_s, loop.time())
        self._timer = loop.call_at(due_s, self._tick, due_s)
