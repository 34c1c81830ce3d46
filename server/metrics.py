"""What the server counts of itself. Plain attributes, since a move counts on its way; they are rendered when Prometheus
asks."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry

from server.limits_met import LimitsMet

if TYPE_CHECKING:
    from server.wire import ErrorCode

BUCKETS_MS = (0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000)
"""Close enough together that a 99th percentile of some milliseconds can be told from one twice as large."""


class Histogram:
    """Milliseconds sorted into BUCKETS_MS."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS_MS) + 1)
        self.sum_ms = 0.0

    def observe(self, ms: float) -> None:
        self.sum_ms += ms
        self.counts[bisect_left(BUCKETS_MS, ms)] += 1

    def family(self, name: str, help: str) -> HistogramMetricFamily:
        total = 0
        buckets: list[tuple[str, float]] = []
        for bound, count in zip((*map(str, BUCKETS_MS), "+Inf"), self.counts, strict=True):
            total += count
            buckets.append((bound, total))
        return HistogramMetricFamily(name, help, buckets=buckets, sum_value=self.sum_ms)


class Metrics(Collector):
    """Counters that connections and the app raise; other counters, and gauges, are read when asked for."""

    def __init__(self, now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000) -> None:
        self.limits = LimitsMet(now_ms)
        self.connections = 0
        self.messages = 0
        self.slow_readers = 0
        self.turned_away = 0
        self.errors: Counter[ErrorCode] = Counter()
        self.loop_lag = Histogram()
        self.commit_time = Histogram()
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        """name -> help and how to read it"""
        self.counters: dict[str, tuple[str, Callable[[], float]]] = {}
        """The same for what only grows, without the `_total` at the end."""
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def collect(self) -> Iterable[Metric]:
        yield GaugeMetricFamily("noughts_connections", "Open websocket connections.", value=self.connections)
        yield CounterMetricFamily("noughts_messages", "Messages received.", value=self.messages)
        yield CounterMetricFamily("noughts_slow_readers", "Readers dropped for being slow.", value=self.slow_readers)
        yield CounterMetricFamily(
            "noughts_turned_away", "Connections and requests refused on arrival.", value=self.turned_away
        )
        errors = CounterMetricFamily("noughts_errors", "Errors answered.", labels=["code"])
        for code, count in self.errors.items():
            errors.add_metric([code], count)
        yield errors
        limits = CounterMetricFamily("noughts_limits_met", "Requests that a limit stopped.", labels=["limit"])
        for limit, count in self.limits.counts.items():
            limits.add_metric([limit], count)
        yield limits
        yield self.loop_lag.family("noughts_loop_lag_ms", "How late the event loop wakes, in ms.")
        yield self.commit_time.family("noughts_commit_ms", "From a record's request to its commit, in ms.")
        for name, (help, read) in self.gauges.items():
            yield GaugeMetricFamily(name, help, value=read())
        for name, (help, read) in self.counters.items():
            value = read()
            yield CounterMetricFamily(name, help, value=value)
            # They were gauges at first, and somebody's dashboard may ask for them by that name.
            yield GaugeMetricFamily(name, f"Former name of {name}_total.", value=value)
