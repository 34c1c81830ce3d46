"""The report as one HTML file: pictures and styles are in it, nothing is fetched, no script is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from server.report.durations import span
from server.report.page.replays import Board, Replay
from server.report.plots import Cell, Link, Part, Table, text_of, written

_LONG: Final = 40
"""Letters of a cell, above which it may be broken into lines."""
_NUMBER: Final = re.compile(r"[-+]?[\d.,]+( %| to | µs$| ms$| s$| min | h |/\d|$)")
"""The beginning of a cell that is to stand on the right."""


def page(
    title: str,
    facts: Sequence[str],
    parts: Sequence[Part],
    svgs: Mapping[str, str],
    *,
    summary: Part | None = None,
    replays: Sequence[Replay] = (),
    site: str | None = None,
) -> str:
    """`svgs` has the picture of each name. Games lead to their replay in the page, or to their page on a `site`."""
    shown = {replay.game_id for replay in replays}
    return _template().render(
        title=title, facts=facts, parts=parts, svgs=svgs, summary=summary, replays=replays,
        target=lambda link: _target(link, shown, site),
    )  # fmt: skip


def _target(link: Link, shown: Set[int], site: str | None) -> str | None:
    """Where a link leads; None where there is nothing to see."""
    if link.explored and site:
        kind, moves = link.explored
        return f"{site}/explorer?game={quote(kind)}" + (f"&moves={','.join(map(quote, moves))}" if moves else "")
    if link.game_id is None:
        return f"#{link.place}" if link.place else None
    move = None if link.ply is None else link.ply + 1
    if site:
        return f"{site}/game/{link.game_id}" + ("" if move is None else f"?ply={move}")
    if link.game_id not in shown:
        return None
    return f"#replay-{link.game_id}" + ("" if move is None else f"-{move}")


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters.update(
        heads=_heads, labelled=_labelled, shade=_shade, written=written, span=span, grid=_grid, blocks=_blocks
    )
    environment.tests.update(
        empty=_is_empty,
        long=lambda cell: len(text_of(cell)) > _LONG,
        number_like=_is_number,
        link=lambda cell: isinstance(cell, Link),
    )
    return environment.from_string(files(__package__).joinpath("document.html").read_text(encoding="utf-8"))


def _labelled(svg: str, alt: str) -> Markup:
    return Markup(svg.replace("<svg ", Markup('<svg role="img" aria-label="{}" ').format(alt), 1))


def _heads(table: Table) -> list[tuple[str, bool]]:
    """The names above the columns, and whether a name stands above numbers: on the right, as they do."""
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    return [(name, _has_numbers(column)) for name, column in zip(table.head, columns, strict=True)]


def _grid(board: Board) -> str:
    """The style of a board's grid."""
    rows, columns = (
        " ".join("var(--cell)" if cells else ".4rem" for cells in tracks)
        for tracks in (board.row_tracks, board.column_tracks)
    )
    return f"grid-template:{rows}/{columns};--wide:{len(board.column_tracks)}"


def _blocks(board: Board) -> Iterator[str]:
    """The styles of what lies below the marks: a block of cells each."""
    rows, columns = board.block_rows, board.block_columns
    for row, column in board.blocks:
        yield f"grid-area:{row}/{column}/{row + rows}/{column + columns};--m:{rows};--n:{columns}"


def _has_numbers(column: Sequence[Cell]) -> bool:
    numbers = [_is_number(cell) for cell in column if cell not in ("", None)]
    return bool(numbers) and all(numbers)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) or bool(_NUMBER.match(text_of(cell)))


def _is_empty(cell: Cell) -> bool:
    """Whether a cell of a crosstable stands for two that have not met."""
    return "/" not in str(cell)


def _shade(cell: Cell) -> str:
    """`12.5/20`: blue for much, orange for little."""
    points, _, games = str(cell).partition("/")
    share = float(points) / float(games)
    colour = "var(--much)" if share >= 0.5 else "var(--little)"
    return f"--c:{colour};--s:{abs(share - 0.5) * 120:.0f}%"
