"""What a worker does with one job."""

from __future__ import annotations

import pytest

from engine.rules.limit import Limit
from server.workers.child import Done, Job, answer
from server.workers.slot import SearchSlot


@pytest.mark.parametrize("budget_ms", [1, 1000])
def test_no_move_with_a_limit_of_time_comes_without_a_search(budget_ms: int) -> None:
    job = Job(bot="strongest", game="qubic", cells=(0, 1), limit=Limit(move_ms=1), seed=0, budget_ms=budget_ms)
    done = answer(job, SearchSlot())
    assert isinstance(done, Done)
    assert done.answer.nodes >= 2000


def test_a_budget_below_the_limit_is_kept() -> None:
    job = Job(bot="strongest", game="qubic", cells=(0, 1), limit=Limit(move_ms=3_600_000), seed=0, budget_ms=1)
    assert isinstance(answer(job, SearchSlot()), Done)
