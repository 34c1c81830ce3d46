"""The watch of a search whose keeping to its time is measured."""

from __future__ import annotations

import time

from engine.search.watch import Watch


class Stopwatch(Watch):
    """A watch that nobody stops; it begins when it is made."""

    def __init__(self, move_ms: int) -> None:
        self._begun = time.perf_counter()
        self._last_used = time.process_time()
        """Processor time when there was last time left."""
        self._move_ms = move_ms

    def elapsed_ms(self) -> int:
        elapsed_ms = int((time.perf_counter() - self._begun) * 1000)
        if elapsed_ms < self._move_ms:
            self._last_used = time.process_time()
        return elapsed_ms

    def over_ms(self) -> tuple[float, float]:
        """Milliseconds beyond the time, negative before it; and the same without the time that other programs had the
        core: at most what the search itself used after it last saw that there was time left."""
        over_ms = (time.perf_counter() - self._begun) * 1000 - self._move_ms
        return over_ms, min(over_ms, (time.process_time() - self._last_used) * 1000)
