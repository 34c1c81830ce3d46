"""Watches of searches: one that shows a given time, one whose time passes by looking, one that says stop."""

from __future__ import annotations

from engine.search.watch import Watch


class Clock(Watch):
    """A watch that shows one time, and counts how often it is looked at."""

    def __init__(self, elapsed_ms: int = 0, stopped: bool = False) -> None:
        self.looks = 0
        self._elapsed_ms = elapsed_ms
        self._stopped = stopped

    def elapsed_ms(self) -> int:
        self.looks += 1
        return self._elapsed_ms

    def stopped(self) -> bool:
        self.looks += 1
        return self._stopped


class StopsAfter(Watch):
    """A watch that says stop after so many looks."""

    def __init__(self, looks: int = 0) -> None:
        self.looks = looks

    def stopped(self) -> bool:
        self.looks -= 1
        return self.looks < 0


class Ticking(Watch):
    """A watch by which so much time passes between any two looks at it."""

    def __init__(self, tick_ms: int) -> None:
        self.now_ms = 0
        self._tick_ms = tick_ms

    def elapsed_ms(self) -> int:
        self.now_ms += self._tick_ms
        return self.now_ms


class Stop(Watch):
    """A watch that says stop from the start."""

    def elapsed_ms(self) -> int:
        return 5

    def stopped(self) -> bool:
        return True
