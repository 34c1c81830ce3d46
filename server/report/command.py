"""`noughts report`: the database as one HTML file, with its charts."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec
from click.core import ParameterSource

from server.db.options import database_option, failing_in_one_sentence
from server.report import require, require_folder
from server.report.options import game_option, since_option

if TYPE_CHECKING:
    from server.report.changes import Key
    from server.report.plots import Part

NAME: Final = "report.html"


class _Group(click.Group):
    """Without a subcommand a report on all games; modules of subcommands are loaded on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["game", "puzzles"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "game":
            from server.report.game_command import game

            return game
        if cmd_name == "puzzles":
            from server.report.puzzles_command import puzzles

            return puzzles
        return None


@click.group(cls=_Group, invoke_without_command=True)
@database_option
@since_option
@game_option
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), default=Path("noughts-report"), show_default=True,
    help="Folder for the report, created if needed; it is compared with an earlier report found there.",
)  # fmt: skip
@click.option("--title", default="noughts: report on recorded games", show_default=True)
@click.pass_context
@failing_in_one_sentence()
def report(
    context: click.Context, path: Path, since_ms: int | None, game: str | None, folder: Path, title: str
) -> None:
    """Report on recorded games: one HTML file, with its charts also as PNG files."""
    if context.invoked_subcommand is not None:
        _must_be_alone(context)
        return
    require(("polars", "matplotlib", "jinja2"), "Reports")
    require_folder(folder)
    from server.report.changes import changes, key
    from server.report.frames import Choice, read
    from server.report.parts import every_part
    from server.report.words import ReportData

    as_of_ms = time.time_ns() // 1_000_000
    data = ReportData(read(path, Choice(game, since_ms)))
    parts = every_part(data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _before(folder)
        pngs = [f"{name}.png" for name in _names(parts)]
        now = key(data, as_of_ms, [NAME, *pngs], _chosen(game, since_ms))
        parts.insert(1, changes(before, now))
        _write(folder, title, _facts(path, now), parts, now)
        for old in set(before.files if before else []) - set(now.files):
            (folder / Path(old).name).unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {folder / NAME} and {len(pngs)} charts about {now.games:,} games.")


def _must_be_alone(context: click.Context) -> None:
    for option in context.command.params:
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option.opts[0]} before `{context.invoked_subcommand}` belongs to a report on all games: "
                f"its own options follow {'its id' if context.invoked_subcommand == 'game' else 'it'}."
            )


def _names(parts: Sequence[Part]) -> list[str]:
    from server.report.plots import walk

    return [picture.name for part in walk(parts) for picture in part.pictures]


def _chosen(game: str | None, since_ms: int | None) -> str:
    """Which games, in words."""
    kind = f"games of {game}" if game else "all games"
    if since_ms is None:
        return kind
    return f"{kind} since {datetime.fromtimestamp(since_ms / 1000, UTC):%Y-%m-%d %H:%M} (UTC)"


def _facts(path: Path, now: Key) -> list[str]:
    made = f"{datetime.fromtimestamp(now.as_of_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return [
        f"{now.chosen[0].upper()}{now.chosen[1:]} in {path.name}: {now.games:,} that count, {now.moves:,} moves.",
        f"Made {made} by noughts {version('noughts')} on {platform.system()}, {platform.machine()}, {cores} cores.",
    ]


def _before(folder: Path) -> Key | None:
    """The key figures of the previous report; None without one, or for a foreign file."""
    from server.report import changes

    try:
        return msgspec.json.decode((folder / changes.NAME).read_bytes(), type=changes.Key)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def _write(folder: Path, title: str, facts: Sequence[str], parts: Sequence[Part], now: Key) -> None:
    """Writes the page and the key figures last, when all files they mention exist."""
    from server.report import changes
    from server.report.drawing import Drawing
    from server.report.files import put
    from server.report.page import page
    from server.report.plots import walk

    svgs = {}
    for part in walk(parts):
        for picture in part.pictures:
            drawing = Drawing(picture)
            svgs[picture.name] = drawing.svg()
            put(folder / f"{picture.name}.png", drawing.png())
    put(folder / NAME, page(title, facts, parts, svgs).encode())
    put(folder / changes.NAME, msgspec.json.format(msgspec.json.encode(now), indent=1) + b"\n")
