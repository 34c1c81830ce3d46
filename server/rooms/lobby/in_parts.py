"""Much to do at once, done a little in each turn of the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable


class InParts:
    """Acts that are done in the order in which they came, `at_once` of them in a turn of the event loop."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._acts: deque[Callable[[], None]] = deque()

    def add(self, acts: Iterable[Callable[[], None]]) -> None:
        is_due = bool(self._acts)
        self._acts.extend(acts)
        if self._acts and not is_due:
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        some = [self._acts.popleft() for _ in range(min(self._at_once, len(self._acts)))]
        if self._acts:
            asyncio.get_running_loop().call_soon(self._go_on)
        for act in some:
            try:
                act()
            except Exception as error:
                told = {"message": "An act failed among others", "exception": error}
                asyncio.get_running_loop().call_exception_handler(told)
