"""Answers that are made once for all who ask within a time, however many they are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

KEPT = 100
"""Most answers kept at a time."""

Answered = TypeVar("Answered")


class AnswerCache:
    def __init__(self, unix_ms: Callable[[], int]) -> None:
        self._unix_ms = unix_ms
        self._cache: dict[tuple[str, ...], tuple[int, asyncio.Future[Any]]] = {}

    def __len__(self) -> int:
        return len(self._cache)

    async def once(self, key: tuple[str, ...], keep_ms: int, make: Callable[[], Awaitable[Answered]]) -> Answered:
        """The result of `make`: fresh, kept, or shared with a concurrent request."""
        now = self._unix_ms()
        at, answer = self._cache.get(key, (0, None))
        if answer is None or (answer.done() and not at <= now < at + keep_ms):
            self._cache.pop(key, None)
            while len(self._cache) >= KEPT:
                del self._cache[next(iter(self._cache))]
            answer = asyncio.ensure_future(make())
            self._cache[key] = (now, answer)
            answer.add_done_callback(lambda done: self._forget_failure(key, done))
        # Whoever asked may go away; the others still wait.
        return await asyncio.shield(answer)

    def forget(self, key: tuple[str, ...]) -> None:
        """Drop an answer that is no longer true."""
        self._cache.pop(key, None)

    def _forget_failure(self, key: tuple[str, ...], done: asyncio.Future[Any]) -> None:
        if (done.cancelled() or done.exception()) and self._cache.get(key, (0, None))[1] is done:
            del self._cache[key]
