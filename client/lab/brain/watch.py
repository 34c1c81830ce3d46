"""How the engine sees the program that waits for its move."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


class SearchWatch:
    """A clock that starts now. `progressed` takes what `report` takes, and the milliseconds so far."""

    def __init__(
        self, stopped: Callable[[], bool] = lambda: False, progressed: Callable[..., Any] = lambda *figures: None
    ) -> None:
        self.stopped = stopped
        self._progressed = progressed
        self._started_ns = time.monotonic_ns()

    def elapsed_ms(self) -> int:
        return (time.monotonic_ns() - self._started_ns) // 1_000_000

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        self._progressed(nodes, depth, value, pv, self.elapsed_ms())
