"""Reports as JSON, as pages in Markdown and as lines for the terminal. The pages are made of the JSON alone. Pure."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable
from typing import Final

import msgspec

from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Report, Section, Table
from client.lab.experiments.plots import file_name

PAGES: Final = "experiments"
"""Where the overview links to the pages."""
PICTURES: Final = "pictures/experiments"
"""Beside the overview."""


def to_json(report: Report) -> str:
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"


def from_json(text: str | bytes) -> Report:
    """Raises ValueError for anything but a report."""
    return msgspec.json.decode(text, type=Report)


def overview(reports: Iterable[Report]) -> str:
    """How to read the pages, and a line for each."""
    return f"{_INTRODUCTION}\n\n{_contents(reports)}\n"


def page(report: Report) -> str:
    """All sections of one experiment."""
    command = f"`noughts experiment run {report.name} --games {report.games} --seed {report.seed}`"
    parts = [
        f"# {report.name}: {report.title}",
        wrapped(f"{report.source}. {command}, noughts {report.version}; {report.machine}; {report.seconds:.0f} s."),
        f"What *ours* and *agrees* mean: [{PAGES}.md](../{PAGES}.md).",
    ]
    parts += [_section(report, section) for section in report.sections]
    return "\n\n".join(parts) + "\n"


def lines(report: Report) -> list[str]:
    """The figures as text for a terminal."""
    text = [f"{report.name}: {report.title}"]
    for section in report.sections:
        text += [f"  {figure.what}: {ours_text(figure)}{_said(figure)}" for figure in section.figures]
    return text


def shown(value: float, unit: str = "") -> str:
    """A readable number: percent with one decimal, otherwise whole or with three significant digits."""
    if unit == "%":
        return f"{value:.1f}"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):.10f}".rstrip("0").rstrip(".")


def estimate_text(estimate: Estimate | None, unit: str = "") -> str:
    """`12.3 (11.8 to 12.9)`; without an interval if it has none or no width; a dash for none."""
    if estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return shown(estimate.value, unit)
    if estimate.high - estimate.low <= _NO_WIDTH * abs(estimate.value):
        return shown(estimate.value, unit)
    numbers = (estimate.value, estimate.low, estimate.high)
    decimals = 1 if unit == "%" else _decimals(estimate.high - estimate.low)
    value, low, high = (f"{number:,.{decimals}f}" for number in numbers)
    return f"{value} ({low} to {high})"


_NO_WIDTH: Final = 1e-9
"""What rounding leaves of the interval of numbers that are all the same, as a share of them."""


def _decimals(width: float) -> int:
    """As many decimals as are meaningful for an interval of this width."""
    return max(0, -math.floor(math.log10(width / 4)))


_INTRODUCTION: Final = """# The experiments of the literature, run again

The authors of the bots in [literature.md](literature.md) measured their programs. These pages compare each of
their figures with ours, measured with the rebuilt bots by

    noughts experiment run all --out docs

(in a checkout `make experiments`), which writes this page, the pictures, and each experiment's page and data in
`experiments/`. `noughts experiment list` names the experiments; `run NAME... --games N --seed S` runs some of them,
larger or with other games.

How to read them:

- *Ours* is followed by its 95 % interval: Wilson's for shares; for averages Student's t over games, not moves, since
  the moves of a game depend on each other. *Exact* figures are counted or computed over the whole tree. A number
  without an interval is exact, or the same in every game, or from a single game.
- *Agrees* says whether the author's figure lies within our interval, or, if the number of the author's games is known,
  whether the two 95 % intervals overlap. One comparison in twenty fails by chance.
- What is played and counted depends only on the seed and the number of games, not on the machine or `--jobs`. Times
  depend on the machine and on games running in parallel; they are in sections of their own.
- Nodes are positions visited, not counting the root. The branching factor is nodes divided by the positions whose moves
  were searched."""


def _contents(reports: Iterable[Report]) -> str:
    head = "| experiment | of | figures | agree | differ | games | took |\n|---|---|---|---|---|---|---|"
    return "\n".join([head, *map(_contents_row, reports)])


def _contents_row(report: Report) -> str:
    figures = [figure for section in report.sections for figure in section.figures if figure.author]
    agree = sum(figure.agrees is True for figure in figures)
    differ = sum(figure.agrees is False for figure in figures)
    counts = f"{len(figures)} | {agree} | {differ} | {report.games:,} | {report.seconds:.0f} s"
    return f"| [{report.name}]({PAGES}/{report.name}.md) | {report.source} | {counts} |"


def _section(report: Report, section: Section) -> str:
    parts = [f"## {section.title}", *map(wrapped, section.text)]
    if section.figures:
        parts.append(_figures(section.figures))
        notes = _notes(section.figures)
        if notes:
            parts.append("\n".join(notes))
    parts += [_table(table) for table in section.tables]
    if report.pictures:
        parts += [_picture(report, plot) for plot in section.plots]
    return "\n\n".join(parts)


def _notes(figures: Iterable[Figure]) -> list[str]:
    """Notes on figures; a note that several figures share appears once."""
    of: dict[str, list[str]] = {}
    for figure in figures:
        if figure.note:
            of.setdefault(figure.note, []).append(f"*{figure.what}*")
    return [wrapped(f"- {'; '.join(names)}: {note}", "  ") for note, names in of.items()]


_MARKUP: Final = re.compile(r" (?=(?:[-+*#]|[<>]=?|\d+[.)]) )")
"""A space before text that would be markup at the start of a line."""


def wrapped(text: str, indent: str = "") -> str:
    kept = _MARKUP.sub("\0", text)
    lines = textwrap.wrap(kept, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def _figures(figures: Iterable[Figure]) -> str:
    rows = ["| figure | the author's | ours, 95 % | agrees |", "|---|---|---|---|"]
    for figure in figures:
        agrees = {True: "yes", False: "no", None: ""}[figure.agrees]
        rows.append(f"| {figure.what} | {figure.author} | {ours_text(figure)} | {agrees} |")
    return "\n".join(rows)


def ours_text(figure: Figure) -> str:
    return f"{value_text(figure)}, exact" if figure.ours is not None and figure.exact else value_text(figure)


def value_text(figure: Figure) -> str:
    """Our value in a sentence."""
    if figure.ours is None:
        return "-"
    unit = f" {figure.unit}" if figure.unit else ""
    return f"{estimate_text(figure.ours, figure.unit)}{unit}"


def _said(figure: Figure) -> str:
    agrees = {True: ", agrees", False: ", differs", None: ""}[figure.agrees]
    return f"; the author: {figure.author}{agrees}" if figure.author else ""


def _table(table: Table) -> str:
    rows = [
        f"**{table.title}**",
        "",
        f"| {' | '.join(table.head)} |",
        "|" + "---|" * len(table.head),
        *(f"| {' | '.join(map(_cell, row, table.head))} |" for row in table.rows),
    ]
    if table.note:
        rows += ["", wrapped(table.note)]
    return "\n".join(rows)


def _cell(cell: Cell, head: str) -> str:
    unit = "%" if head.endswith("%") else ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Estimate) or cell is None:
        return estimate_text(cell, unit)
    return shown(cell, unit)


def _picture(report: Report, plot: Plot) -> str:
    png, svg = (f"../{PICTURES}/{file_name(report, plot, suffix)}" for suffix in ("png", "svg"))
    return f"[![{plot.title}]({png})]({svg})"
