"""Answers that are made once for all who ask within a time, however many they are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

KEPT = 100
"""Most answers kept at a time."""

Answered = TypeVar("Answered")


class KeptAnswers:
    def __init__(self, unix_ms: Callable[[], int]) -> None:
        self._unix_ms = unix_ms
        self._kept: dict[tuple[str, ...], tuple[int, asyncio.Future[Any]]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    async def once(self, key: tuple[str, ...], keep_ms: int, make: Callable[[], Awaitable[Answered]]) -> Answered:
        """The result of `make`: fresh, kept, or shared with a concurrent request."""
        now = self._unix_ms()
        at, answer = self._kept.get(key, (0, None))
        if answer is None or (answer.done() and not at <= now < at + keep_ms):
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept.pop(key, None)
            answer = asyncio.ensure_future(make())
            self._kept[key] = (now, answer)
            answer.add_done_callback(lambda done: self._forget_failure(key, done))
        # Whoever asked may go away; the others still wait.
        return await asyncio.shield(answer)

    def forget(self, key: tuple[str, ...]) -> None:
        """It is no longer true."""
        self._kept.pop(key, None)

    def _forget_failure(self, key: tuple[str, ...], done: asyncio.Future[Any]) -> None:
        if (done.cancelled() or done.exception()) and self._kept.get(key, (0, None))[1] is done:
            del self._kept[key]
