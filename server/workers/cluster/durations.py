"""Which searches are long enough to be worth the way to another machine."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, TypeAlias

from server.workers.child import Job, ReviewJob

LONG_MS: Final = 100
"""The way there and back takes a few milliseconds, which a search this long does not notice."""
KINDS: Final = 1_000
"""Kinds of searches that are remembered: the last ones."""
_NEWEST: Final = 0.3
"""The share of the newest search in what its kind is expected to take."""

Kind: TypeAlias = tuple[object, ...]


class Durations:
    """How long searches take: by the limit for those limited in time, else by the last ones of their kind."""

    def __init__(self) -> None:
        self._took_ms: OrderedDict[Kind, float] = OrderedDict()

    def note(self, job: Job | ReviewJob, took_ms: float) -> None:
        kind = _kind(job)
        before_ms = self._took_ms.get(kind, took_ms)
        self._took_ms[kind] = (1 - _NEWEST) * before_ms + _NEWEST * took_ms
        self._took_ms.move_to_end(kind)
        if len(self._took_ms) > KINDS:
            self._took_ms.popitem(last=False)

    def is_long(self, job: Job | ReviewJob) -> bool:
        """False for the first of a kind."""
        if isinstance(job, Job) and job.limit.move_ms is not None:
            return min(job.limit.move_ms, job.budget_ms) >= LONG_MS
        return self._took_ms.get(_kind(job), 0) >= LONG_MS


def _kind(job: Job | ReviewJob) -> Kind:
    if isinstance(job, Job):
        return job.bot.name, job.game, job.limit
    return "review", job.game
