"""A report with plots of every kind."""

from __future__ import annotations

from client.lab.experiments.findings import Plot, Report, Section, Series

PLOTS = [
    Plot("lines", "Lines", "lines", "x", "y", [Series("a", [1, 2], [3, 400], [2, 300], [4, 500])], log_y=True),
    Plot("points", "Points", "points", "x", "%", [Series("a", [0, 1], [3, 4], [2, 3], [4, 5])], ["one", "two"]),
    Plot("bars", "Bars", "bars", "x", "%", [Series("a", [0, 1], [3, 4]), Series("b", [0, 1], [1, 2])], ["1-4", "5-8"]),
    Plot(
        "stacked", "Stacked", "stacked", "%", "", [Series(name, [0], [30]) for name in ("won", "drawn", "lost")], ["a"]
    ),
]


def drawable() -> Report:
    return Report("tiny", "a small one", "Nobody", 2, 0, "0", "here", 1.0, True, [Section("All", plots=PLOTS)])
