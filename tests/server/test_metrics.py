"""What the server counts of itself, as Prometheus reads it."""

from __future__ import annotations

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from server.metrics import BUCKETS_MS, Histogram, Metrics


def samples(metrics: Metrics) -> dict[tuple[str, str], float]:
    """Value by name and its one label, as a scraper parses them."""
    found: dict[tuple[str, str], float] = {}
    for family in text_string_to_metric_families(generate_latest(metrics.registry).decode()):
        assert family.documentation, family.name
        for sample in family.samples:
            found[sample.name, "".join(sample.labels.values())] = sample.value
    return found


def test_counters_start_at_nothing() -> None:
    found = samples(Metrics())
    for name in ("messages_total", "slow_readers_total", "turned_away_total", "connections"):
        assert found[f"noughts_{name}", ""] == 0


def test_what_is_counted_is_shown() -> None:
    metrics = Metrics()
    metrics.connections = 3
    metrics.messages += 40
    metrics.errors["stale"] += 2
    metrics.errors["malformed"] += 1
    metrics.limits.met("chat_rate", "203.0.113.7")
    metrics.gauges["noughts_rooms"] = ("Rooms held.", lambda: 7)
    found = samples(metrics)
    assert found["noughts_connections", ""] == 3
    assert found["noughts_messages_total", ""] == 40
    assert found["noughts_errors_total", "stale"] == 2
    assert found["noughts_errors_total", "malformed"] == 1
    assert found["noughts_rooms", ""] == 7
    assert found["noughts_limits_met_total", "chat_rate"] == 1


def test_gauges_are_read_when_asked_for() -> None:
    metrics = Metrics()
    rooms = [1]
    metrics.gauges["noughts_rooms"] = ("Rooms held.", lambda: rooms[0])
    assert samples(metrics)["noughts_rooms", ""] == 1
    rooms[0] = 2
    assert samples(metrics)["noughts_rooms", ""] == 2


def test_what_only_grows_is_a_counter_that_is_still_found_by_its_former_name() -> None:
    metrics = Metrics()
    metrics.counters["noughts_commits"] = ("Transactions committed.", lambda: 5)
    text = generate_latest(metrics.registry).decode()
    assert "# TYPE noughts_commits_total counter\nnoughts_commits_total 5.0\n" in text
    assert "# TYPE noughts_commits gauge\nnoughts_commits 5.0\n" in text
    found = samples(metrics)
    assert found["noughts_commits_total", ""] == found["noughts_commits", ""] == 5


def test_histograms_count_up_to_each_bound() -> None:
    metrics = Metrics()
    for ms in (0, 1, 1.5, 1000, 1000.5, 10**9):
        metrics.commit_time.observe(ms)
    found = samples(metrics)
    buckets = {label: value for (name, label), value in found.items() if name == "noughts_commit_ms_bucket"}
    assert {float(label): value for label, value in buckets.items() if float(label) in (1, 2, 500, 1000)} == {
        1: 2,
        2: 3,
        500: 3,
        1000: 4,
    }
    assert buckets["+Inf"] == found["noughts_commit_ms_count", ""] == 6
    assert found["noughts_commit_ms_sum", ""] == 2003 + 10**9


def test_buckets_ascend_and_nothing_falls_between_them() -> None:
    assert list(BUCKETS_MS) == sorted(set(BUCKETS_MS))
    histogram = Histogram()
    for ms in range(2_000):
        histogram.observe(ms)
    assert sum(histogram.counts) == 2_000
