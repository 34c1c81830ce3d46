"""The lag of the event loop, from the histogram that the server keeps."""

from __future__ import annotations

from client.lab.bench.server import lag


def test_a_quantile_lies_within_its_bucket() -> None:
    assert lag.histogram_quantile([(1, 0), (2, 50), (4, 100), (float("inf"), 100)], 0.75) == 3
    assert lag.histogram_quantile([(1, 0), (float("inf"), 10)], 0.99) == 1
