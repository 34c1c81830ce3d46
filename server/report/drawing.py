"""Draws plots with matplotlib as SVG and PNG. The same plot gives the same files, without dates.

An SVG has no background, and its text and lines take a colour that suits a light or a dark page.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from server.report.canvas import INK, WIDTH, add_axes, ink_on
from server.report.heat import draw_heat
from server.report.plots import Bars, Line, Lines, Panel, Picture, Points, Stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

mpl.use("Agg")

_INK_IN_SVG: Final = "var(--ink, #757a83)"
"""Where nothing sets it, one that can be read on white and on black."""
_BLUE: Final = "#0073b3"
"""Of lines, points and bars without text on them: Okabe and Ito's but for a trifle, so that an SVG can change it."""
_BLUE_IN_SVG: Final = "var(--blue, #1f82c4)"
_SVG_STYLE: Final = (
    "<style>svg{--ink:#3b4049;--blue:#0072b2}"
    "@media(prefers-color-scheme:dark){svg{--ink:#c9ccd3;--blue:#58aae6}}</style>"
)
_COLOURS: Final = (_BLUE, "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c")
"""Okabe and Ito's palette, distinguishable with any colour vision."""
_MARKERS: Final = "osD^v*P"
_RESULTS: Final = ("#0072b2", "#b5b8be", "#d55e00")
"""X or won, drawn, O or lost."""
_ENDS: Final = ("#0072b2", *_COLOURS[1:])
_PAIRS: Final = ("#0072b2", "#7fb6d8", "#b5b8be", "#eda878", "#d55e00")
_BAND: Final = 0.25
_DPI: Final = 150
_COMPRESSION: Final = 3
"""Of 9: files are a tenth larger than by default, and made in half the time."""
_LETTER: Final = 0.077
"""Inches, at the size of labels."""
_TITLE_LETTERS: Final = 42
_LEGEND_LETTERS: Final = 48
_LABEL_LETTERS: Final = 20
_APART: Final = 1.2
"""Between names of a legend, in letters' heights."""
_TICKS: Final = 5
"""Numbers below an axis at most: more would run into each other."""
_SETTINGS: Final[dict[Any, Any]] = {
    "svg.hashsalt": "noughts",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.6,
    "grid.color": INK,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "text.hinting": "none",
}
mpl.rcParams.update(_SETTINGS)  # once, for nothing else draws: a context for each picture takes a tenth of its time


class Drawing:
    """One picture, drawn once and saved as often as needed."""

    def __init__(self, picture: Picture) -> None:
        self._figure = _drawn(picture)

    def svg(self) -> str:
        file = BytesIO()
        metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        self._figure.savefig(file, format="svg", transparent=True, metadata=metadata)
        return _for_pages(file.getvalue().decode())

    def png(self) -> bytes:
        file = BytesIO()
        self._figure.savefig(
            file, format="png", dpi=_DPI, facecolor="white", metadata={"Software": None},
            pil_kwargs={"compress_level": _COMPRESSION},
        )  # fmt: skip
        return file.getvalue()


def _for_pages(svg: str) -> str:
    """Without a prologue and with the page's ink; ids that nothing refers to would be there twice on one page."""
    svg = svg[svg.index("<svg") :].replace(INK, _INK_IN_SVG).replace(_BLUE, _BLUE_IN_SVG)
    svg = re.sub(
        r' id="(?:figure|axes|patch|text|line2d|matplotlib\.axis|xtick|ytick|legend|\w*Collection)_\d+"', "", svg
    )
    return re.sub(r"(<svg[^>]*>)", lambda found: found[1] + _SVG_STYLE, svg, count=1)


def _drawn(picture: Picture) -> Figure:
    title = textwrap.wrap(picture.title, _TITLE_LETTERS)
    plot = picture.plot
    # Whoever draws makes room below the title.
    figure = Figure()
    top = 0.12 + 0.2 * len(title) + 0.08
    if isinstance(plot, Lines):
        _lines(figure, plot, top)
    elif isinstance(plot, Bars):
        _bars(figure, plot, top)
    elif isinstance(plot, Stacked):
        _stacked(figure, plot, top)
    elif isinstance(plot, Points):
        _points(figure, plot, top)
    else:
        draw_heat(figure, plot, top)
    height = figure.get_figheight()
    figure.text(0.1 / WIDTH, 1 - 0.1 / height, "\n".join(title), va="top", ha="left", fontsize=10.5, weight="bold")
    return figure


def _legend(figure: Figure, names: Sequence[str], handles: Sequence[Any]) -> None:
    figure.legend(
        handles, names, loc="lower center", ncols=_columns(names), frameon=False, borderaxespad=0.1,
        handlelength=1.2, columnspacing=_APART, fontsize=8.5,
    )  # fmt: skip


def _columns(names: Sequence[str]) -> int:
    if sum(len(name) + 5 for name in names) <= _LEGEND_LETTERS:
        return len(names)
    return max(1, min(len(names), _LEGEND_LETTERS // (max(map(len, names)) + 5)))


def _legend_height(names: Sequence[str]) -> float:
    return 0.06 + 0.19 * -(-len(names) // _columns(names)) if len(names) > 1 else 0.0


# Lines


def _lines(figure: Figure, plot: Lines, top: float) -> None:
    names = list(dict.fromkeys(line.name for panel in plot.panels for line in panel.lines if line.name))
    panel_height, gap = (2.3, 0.0) if len(plot.panels) == 1 else (1.35, 0.16)
    below = 0.48 + _legend_height(names)
    number = len(plot.panels)
    figure.set_size_inches(WIDTH, top + number * panel_height + (number - 1) * gap + below)
    handles: dict[str, Any] = {}
    first: Axes | None = None
    for place, panel in enumerate(plot.panels):
        bottom = below + (number - 1 - place) * (panel_height + gap)
        axes = add_axes(figure, 0.72, bottom, WIDTH - 0.87, panel_height)
        _panel(axes, panel, handles)
        axes.set_ylabel(panel.y_label)
        axes.yaxis.set_label_coords(-0.56 / (WIDTH - 0.87), 0.5)
        if first is not None:
            axes.set_xlim(first.get_xlim())
        first = first or axes
        if place < number - 1:
            axes.tick_params(labelbottom=False)
        else:
            axes.set_xlabel(plot.x_label)
    if len(names) > 1:
        _legend(figure, names, [handles[name] for name in names])


def _panel(axes: Axes, panel: Panel, handles: dict[str, Any]) -> None:
    for place, line in enumerate(panel.lines[: len(_COLOURS)]):
        style = place if line.style is None else line.style
        few = len(line.x) <= 30 or not line.joined
        [handle] = axes.plot(
            line.x,
            line.y,
            color=_COLOURS[style],
            linewidth=1.4 if line.joined else 0,
            marker=_MARKERS[style] if few else "",
            markersize=3 if line.joined else 4,
            solid_capstyle="round",
        )
        handles.setdefault(line.name, handle)
        if line.low:
            _band(axes, line, _COLOURS[style])
    values = [value for line in panel.lines for value in (*line.y, *line.low, *line.high)]
    if panel.log:
        _logarithmic(axes, min(values, default=1.0), max(values, default=1.0))
    else:
        if panel.limits is None:
            axes.set_ylim(0, 1.08 * max(values, default=0.0) or 1.0)
        else:
            axes.set_ylim(*panel.limits)
            axes.axhline(0, color=INK, linewidth=0.6)
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(_number))
    axes.xaxis.set_major_locator(MaxNLocator(_TICKS + 1, integer=True))
    axes.grid(axis="y")
    axes.margins(x=0.02)


def _band(axes: Axes, line: Line, colour: str) -> None:
    if len(line.x) == 1:
        axes.vlines(line.x, line.low, line.high, color=colour, alpha=_BAND, linewidth=6)
    else:
        axes.fill_between(line.x, line.low, line.high, color=colour, alpha=_BAND, linewidth=0)


def _logarithmic(axes: Axes, least: float, most: float) -> None:
    """Powers of ten that stand far enough apart, above 0 where that is a value."""
    lowest = math.floor(math.log10(least)) if least > 0 else 0
    highest = max(lowest + 1, math.ceil(math.log10(max(1.0, most))))
    powers = [10.0**power for power in range(lowest, highest + 1)]
    if least <= 0:
        axes.set_yscale("symlog", linthresh=1, linscale=0.3)
        if len(powers) > 4:  # 1 stands too near to 0
            powers = powers[2 :: 1 + (len(powers) - 3) // 5]
        powers.insert(0, 0.0)
        axes.set_ylim(-0.12, max(2.0, 1.6 * most))
    else:
        axes.set_yscale("log")
        powers = powers[:: 1 + (len(powers) - 1) // 6]
        axes.set_ylim(0.8 * 10.0**lowest, max(2.0 * 10.0**lowest, 1.6 * most))
    axes.yaxis.set_major_locator(FixedLocator(powers))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(_number))


def _number(value: float, _: object = None) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            unit = 1e3 if letter == "k" else size
            return f"{value / unit:,.3g}{letter}"
    return f"{value:,.4g}"


# Bars


def _bars(figure: Figure, plot: Bars, top: float) -> None:
    height, below = 2.2, 0.48
    figure.set_size_inches(WIDTH, top + height + below)
    axes = add_axes(figure, 0.72, below, WIDTH - 0.87, height)
    axes.bar(plot.x, plot.y, 0.86 * plot.width, color=_COLOURS[0])
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    axes.yaxis.set_label_coords(-0.56 / (WIDTH - 0.87), 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(_TICKS + 1, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(_number))
    axes.grid(axis="y")
    if plot.x:
        axes.set_xlim(min(plot.x) - 1.5 * plot.width, max(plot.x) + 1.5 * plot.width)
    axes.margins(y=0.14)
    if plot.mark:
        value, text = plot.mark
        axes.axvline(value, color=_COLOURS[1], linewidth=1.4)
        low, high = axes.get_xlim()
        right = value < (low + high) / 2
        axes.annotate(
            text, (value, 1), xycoords=("data", "axes fraction"), xytext=(4 if right else -4, -2),
            textcoords="offset points", ha="left" if right else "right", va="top", fontsize=8.5,
        )  # fmt: skip


# Lying bars and points, a row for each label


def _rows(figure: Figure, labels: Sequence[str], top: float, below: float) -> Axes:
    shown = [_short(label) for label in labels]
    left = min(1.75, 0.2 + _LETTER * max(map(len, shown), default=0))
    height = 0.1 + 0.27 * max(1, len(labels))
    figure.set_size_inches(WIDTH, top + height + below)
    axes = add_axes(figure, left, below, WIDTH - left - 0.3, height)
    axes.set_yticks(range(len(labels)), shown)
    axes.set_ylim(len(labels) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    return axes


def _short(label: str, most: int = _LABEL_LETTERS) -> str:
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _stacked(figure: Figure, plot: Stacked, top: float) -> None:
    names = [name for name, _ in plot.parts]
    colours = {"results": _RESULTS, "points": _PAIRS, "many": _ENDS}[plot.colours]
    axes = _rows(figure, plot.labels, top, 0.5 + _legend_height(names))
    totals = [sum(values[row] for _, values in plot.parts) or 1 for row in range(len(plot.labels))]
    left = [0.0] * len(plot.labels)
    handles = []
    for (_, values), colour in zip(plot.parts, colours, strict=False):
        shares = [100 * value / total for value, total in zip(values, totals, strict=True)]
        handles.append(axes.barh(range(len(plot.labels)), shares, left=left, color=colour, height=0.72))
        for row, (share, begin) in enumerate(zip(shares, left, strict=True)):
            if share >= 7:
                axes.text(
                    begin + share / 2, row, f"{share:.0f}", ha="center", va="center", fontsize=7.5, color=ink_on(colour)
                )
        left = [one + more for one, more in zip(left, shares, strict=True)]
    axes.set_xlim(0, 100)
    axes.set_xticks(range(0, 101, 25))
    axes.set_xlabel(plot.x_label)
    _legend(figure, names, handles)


def _points(figure: Figure, plot: Points, top: float) -> None:
    axes = _rows(figure, plot.labels, top, 0.5)
    rows = range(len(plot.labels))
    axes.xaxis.set_major_locator(MaxNLocator(_TICKS - 1))
    if plot.middle is not None:
        axes.axvline(plot.middle, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.hlines(rows, plot.low, plot.high, color=_COLOURS[0], linewidth=2.2, alpha=0.7)
    axes.plot(plot.values, rows, "o", color=_COLOURS[0], markersize=5)
    if plot.ends:
        axes.plot(plot.ends, rows, "D", color=_COLOURS[1], markersize=3.5)
    axes.set_xlabel(plot.x_label)
    axes.margins(x=0.06)
