"""How a ladder's processes ran: memory, games an hour, and what the work went into. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

MS_PER_HOUR: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class Run:
    """One process of a ladder. Hours are since it began."""

    begun_ms: int
    hours: Sequence[float]
    memory_mb: Sequence[float]
    workers_mb: Sequence[float]
    rate_hours: Sequence[float]
    rate: Sequence[float]
    """Games an hour, by the middle of each stretch of time."""
    games: int
    memory_slope: float | None
    """MB an hour, by least squares without the first tenth of the time; None with fewer than three samples."""
    workers_slope: float | None
    cpu_ms: int
    """CPU time of the process and its workers."""
    schedule_share: float | None
    """Share of `cpu_ms` that scheduling took."""
    write_share: float | None


def runs(samples: pl.DataFrame) -> list[Run]:
    """Each process of one ladder, the oldest first."""
    return [_run(samples.filter(begun_ms=begun)) for begun in samples["begun_ms"].unique().sort()]


def _run(samples: pl.DataFrame) -> Run:
    samples = samples.sort("at_ms")
    begun = int(samples["begun_ms"][0])
    hours = ((samples["at_ms"] - begun) / MS_PER_HOUR).to_list()
    memory = (samples["memory_kb"] / 1024).to_list()
    workers = (samples["workers_kb"] / 1024).to_list()
    rate_hours, rate = _rates(hours, samples["games"].to_list())
    last = samples.row(-1, named=True)
    cpu = last["cpu_ms"] + last["workers_ms"]
    return Run(
        begun_ms=begun,
        hours=hours,
        memory_mb=memory,
        workers_mb=workers,
        rate_hours=rate_hours,
        rate=rate,
        games=last["games"],
        memory_slope=slope(hours, memory),
        workers_slope=slope(hours, workers),
        cpu_ms=cpu,
        schedule_share=last["schedule_ms"] / cpu if cpu else None,
        write_share=last["write_ms"] / cpu if cpu else None,
    )


def _rates(hours: Sequence[float], games: Sequence[int], stretches: int = 60) -> tuple[list[float], list[float]]:
    """Games an hour in at most this many stretches of time, from the start of the process."""
    step = max(hours[-1] / stretches, 1e-9)
    middles, rates = [], []
    since, before = 0.0, 0
    for place, (hour, number) in enumerate(zip(hours, games, strict=True)):
        if hour > since and (hour - since >= 0.99 * step or place == len(hours) - 1):
            middles.append((since + hour) / 2)
            rates.append((number - before) / (hour - since))
            since, before = hour, number
    return middles, rates


def slope(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Slope of the least-squares line through the points, without the first tenth of x."""
    if not x:
        return None
    begin = x[0] + (x[-1] - x[0]) / 10
    kept = [(one, value) for one, value in zip(x, y, strict=True) if one >= begin]
    if len(kept) < 3 or kept[0][0] == kept[-1][0]:
        return None
    xs, ys = np.array(kept).T
    return float(np.polynomial.polynomial.polyfit(xs, ys, 1)[1])
