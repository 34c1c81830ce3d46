"""How long `perfect` takes: which decisions are told of."""

from __future__ import annotations

import pytest

from client.lab.bench.solve import replies
from tests.support.lab.bench import figures


@pytest.mark.slow
def test_x_s_decisions_are_timed_in_a_process_of_their_own() -> None:
    part = replies.measure(12)
    assert part.about.startswith("12 decisions")
    found = figures(part)
    assert found["the longest"] >= found["99 of 100 take at most"] >= found["half of them take at most"] > 0
    assert found["CPU: the longest"] > 0


def test_what_is_told_of_times() -> None:
    part = replies.part([(9.0, 1.0), (2.0, 2.0), (300.0, 3.0)])
    assert {one.name: one.met for one in part.figures if one.target} == {
        "the first": True,
        "99 of 100 take at most": False,
        "the longest": False,
    }
