"""Workers that judge moves in this process, for tests of reviews."""

from __future__ import annotations

from collections.abc import Callable

from engine.analysis.review import judge
from engine.analysis.verdict import MoveVerdict
from server.workers.child import ReviewJob, position


class FakeWorkers:
    """In place of `server.workers.pool.Workers`; `trouble` hears how many were asked, and may raise instead."""

    asked: list[ReviewJob]
    trouble: Callable[[int], None]

    def __init__(self, *, count: int) -> None:
        self.closed = False

    def start(self) -> None:
        pass

    async def judge(self, job: ReviewJob) -> MoveVerdict:
        self.asked.append(job)
        self.trouble(len(self.asked))
        return judge(position(job), job.move)

    async def close(self) -> None:
        self.closed = True

    @classmethod
    def begin(cls, trouble: Callable[[int], None] = lambda asked: None) -> None:
        cls.asked = []
        cls.trouble = staticmethod(trouble)
