"""Draws the plots of a report with matplotlib, which is imported here and nowhere else: it is an extra.

The same data gives the same files: nothing of the day or of the machine is in them.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from client.lab.experiments.findings import Plot, Report, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS: Final = ("png", "svg")
_INCHES: Final = (7.2, 4.0)
_DPI: Final = 90
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's palette, distinguishable with any colour vision."""
_MARKERS: Final = "osD^v*"
_RESULTS: Final = ("#0072b2", "#bbbbbb", "#d55e00")
"""Won, drawn, lost."""
_BAND: Final = 0.18
_LEGEND_LETTERS: Final = 90
"""Letters in a line of the legend."""
_LEVEL_LETTERS: Final = 60
"""Most letters of all labels together that still stand level."""


def available() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def file_name(report: Report, plot: Plot, suffix: str) -> str:
    return f"{report.name}-{plot.name}.{suffix}"


def draw(report: Report, folder: Path) -> Iterator[Path]:
    """Draws every plot of a report into `folder`, in all formats, and answers each file when it is written."""
    import matplotlib

    matplotlib.use("Agg")
    settings: dict[Any, Any] = {"svg.hashsalt": "noughts", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 10}
    with matplotlib.rc_context(settings):
        for section in report.sections:
            for plot in section.plots:
                for suffix in FORMATS:
                    path = folder / file_name(report, plot, suffix)
                    _draw(plot, path)
                    yield path


def _draw(plot: Plot, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, dpi=_DPI, layout="constrained")
    axes = figure.add_subplot()
    _KINDS[plot.kind](axes, plot)
    axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
    if plot.log_y:
        _logarithmic(axes)
    elif plot.kind != "stacked":
        axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x" if plot.kind == "stacked" else "y", alpha=0.3)
    if len(plot.series) > 1:
        figure.legend(loc="outside lower center", ncols=_columns(plot), frameon=False)
    # Without metadata two files of the same plot are the same.
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})


def _logarithmic(axes: Axes) -> None:
    """A logarithmic axis with a few numbers written as people write them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _columns(plot: Plot) -> int:
    """Columns of the legend."""
    return max(1, min(len(plot.series), _LEGEND_LETTERS // max(len(series.name) + 6 for series in plot.series)))


def _lines(axes: Axes, plot: Plot) -> None:
    for series, colour, marker in zip(plot.series, _COLOURS, _MARKERS, strict=False):
        axes.plot(series.x, series.y, color=colour, label=series.name, marker=marker, markersize=3, linewidth=1.2)
        if series.low:
            axes.fill_between(series.x, series.low, series.high, color=colour, alpha=_BAND, linewidth=0)


def _points(axes: Axes, plot: Plot) -> None:
    """Points beside each other above each label, with whiskers."""
    step = 0.5 / len(plot.series)
    for number, (series, colour, marker) in enumerate(zip(plot.series, _COLOURS, _MARKERS, strict=False)):
        x = [value + (number - (len(plot.series) - 1) / 2) * step for value in series.x]
        axes.errorbar(
            x, series.y, _whiskers(series), color=colour, label=series.name, fmt=marker, markersize=4, capsize=2
        )
    _label(axes, plot)


def _bars(axes: Axes, plot: Plot) -> None:
    width = 0.8 / len(plot.series)
    for number, (series, colour) in enumerate(zip(plot.series, _COLOURS, strict=False)):
        x = [value + (number - (len(plot.series) - 1) / 2) * width for value in series.x]
        axes.bar(x, series.y, width, color=colour, label=series.name)
    _label(axes, plot)


def _stacked(axes: Axes, plot: Plot) -> None:
    """Lying bars of results, one for each label, the first on top."""
    left = [0.0] * len(plot.labels)
    for series, colour in zip(plot.series, _RESULTS, strict=True):
        axes.barh(range(len(plot.labels)), series.y, left=left, color=colour, label=series.name, height=0.65)
        left = [one + more for one, more in zip(left, series.y, strict=True)]
    axes.set_yticks(range(len(plot.labels)), plot.labels)
    axes.invert_yaxis()


def _label(axes: Axes, plot: Plot) -> None:
    if sum(map(len, plot.labels)) <= _LEVEL_LETTERS:
        axes.set_xticks(range(len(plot.labels)), plot.labels)
    else:
        axes.set_xticks(range(len(plot.labels)), plot.labels, rotation=30, ha="right")


def _whiskers(series: Series) -> list[list[float]] | None:
    if not series.low:
        return None
    below = [max(0.0, y - low) for y, low in zip(series.y, series.low, strict=True)]
    above = [max(0.0, high - y) for y, high in zip(series.y, series.high, strict=True)]
    return [below, above]


_KINDS: Final[dict[str, Callable[[Axes, Plot], None]]] = {
    "lines": _lines,
    "points": _points,
    "bars": _bars,
    "stacked": _stacked,
}
