"""Which limits were met, and from where: counted for the metrics, told in the log and by /readyz."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from server.play.rate_limit import network_of

log = logging.getLogger(__name__)

WINDOW_MS = 60_000
"""The log mentions a limit and a network at most once in this time."""
REMEMBERED = 1_000
"""Windows kept at most."""


@dataclass(slots=True)
class _Window:
    since_ms: int
    times: int


class LimitsMet:
    """Addresses are cut to their network, which is enough to see where a flood comes from."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.counts: Counter[str] = Counter()
        """by the name of the limit, since the start"""
        self._now_ms = now_ms
        self._windows: dict[tuple[str, str], _Window] = {}

    def met(self, limit: str, address: str) -> None:
        """`limit` is the name of the setting, or of the bound, that stopped this address."""
        self.counts[limit] += 1
        now_ms = self._now_ms()
        key = limit, network_of(address)
        window = self._windows.get(key)
        if window is not None and now_ms - window.since_ms < WINDOW_MS:
            window.times += 1
            return
        if len(self._windows) >= REMEMBERED:
            self._windows = dict(self._recent(now_ms)[-REMEMBERED // 2 :])
        self._windows[key] = _Window(now_ms, 1)
        log.warning("limit met", extra={"limit": key[0], "network": key[1], "times": self.counts[limit]})

    def recent(self) -> list[tuple[str, str, int]]:
        """Limits met in the last minute: the limit, the network and how often."""
        return [(limit, network, window.times) for (limit, network), window in self._recent(self._now_ms())]

    def _recent(self, now_ms: int) -> list[tuple[tuple[str, str], _Window]]:
        return [entry for entry in self._windows.items() if now_ms - entry[1].since_ms < WINDOW_MS]
