"""The page of the sources: what each document has, where it is here, its figure and ours. Pure but for the files read.

A row of `sources/NAME.toml` names a figure of the experiment NAME, and then our value, whether it agrees and why come
from that experiment's report; or it says these itself, with `{figure}` for the value of a figure and `{games}` for the
number of games. No value of ours that a report has is written by hand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Final, Literal

import msgspec
from msgspec import Struct

from client.lab.experiments.findings import Figure, Report
from client.lab.experiments.report import PAGES, ours_text, value_text, wrapped

NAMES: Final = ("altekar", "depth3", "pawar-ren", "bragstad", "osipa")
"""In the order of the page; each is also the name of an experiment."""

Kind = Literal["system", "option", "evaluation", "experiment", "table", "figure", "number", "screen", "wish"]
_AGREES: Final = {True: "yes", False: "no", None: ""}


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a document describes, shows, measures or wishes for."""

    kind: Kind
    what: str
    where: str
    """The command, bot or page that has it here."""
    author: str = ""
    """The author's figure, in the document's own numbers; empty where there is none."""
    figure: str = ""
    """The figure of the experiment whose value, verdict and note this row takes."""
    ours: str = ""
    """Where no figure is named; it may hold the values of several."""
    agrees: Literal["yes", "no", ""] = ""
    why: str = ""
    """Why it differs, or what it means; after the figure's own note."""


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """A document, as it names itself."""

    citation: str
    rows: list[Row]


def sources() -> dict[str, Source]:
    """Every document's rows, in the order of the page. Raises ValueError for a file that is none."""
    found = {}
    for name in NAMES:
        path = files("client.lab.experiments.sources") / f"{name}.toml"
        if path.is_file():
            found[name] = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Source)
    return found


def page(reports: Sequence[Report]) -> str:
    """A table for each document; a figure whose experiment has not been run has a dash."""
    by_name = {report.name: report for report in reports}
    parts = [_INTRODUCTION, *(_document(name, source, by_name.get(name)) for name, source in sources().items())]
    return "\n\n".join(parts) + "\n"


_INTRODUCTION: Final = """# The sources, row by row

Everything that the documents behind the [bots of the literature](literature.md) describe, show, measure or wish for:
where it is here, the author's figure, ours with its 95 % interval, and where they differ, why. `noughts experiment run
all --out docs` writes this page with the [experiments](experiments.md), from which our figures come; what cannot be
measured is said in words. *Agrees* means what it means there."""


def _document(name: str, source: Source, report: Report | None) -> str:
    measured = f" Our figures: [{name}]({PAGES}/{name}.md)." if report else ""
    figures = _figures(report)
    values = {what: value_text(figure) for what, figure in figures.items()}
    if report:
        values["games"] = f"{report.games:,}"
    rows = [
        "| kind | what | here | the author's | ours, 95 % | agrees | why |",
        "|---|---|---|---|---|---|---|",
        *(_row(row, figures, values) for row in source.rows),
    ]
    about = wrapped(f"{source.citation}{measured}")
    return "\n\n".join([f"## {name}", about, "\n".join(rows)])


def _figures(report: Report | None) -> dict[str, Figure]:
    return {figure.what: figure for section in report.sections for figure in section.figures} if report else {}


def _row(row: Row, figures: dict[str, Figure], values: dict[str, str]) -> str:
    cells = [row.kind, row.what, row.where, row.author, *_ours(row, figures, values)]
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _ours(row: Row, figures: dict[str, Figure], values: dict[str, str]) -> tuple[str, str, str]:
    """Our value, whether it agrees, and why."""
    why = _filled(row.why, values)
    if not row.figure:
        return _filled(row.ours, values), row.agrees, why
    figure = figures.get(row.figure)
    if figure is None:
        return "-", "", why
    return ours_text(figure), _AGREES[figure.agrees], _joined([figure.note, why])


NAMED: Final = re.compile(r"\{([^{}]+)\}")
"""A figure whose value stands in a text."""


def _filled(text: str, values: dict[str, str]) -> str:
    return NAMED.sub(lambda found: values.get(found[1], "-"), text)


def _joined(sentences: Iterable[str]) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
