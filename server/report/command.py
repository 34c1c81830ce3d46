"""`noughts report`: the database as one HTML file, with its charts."""

from __future__ import annotations

import platform
import re
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec
from click.core import ParameterSource

from server.console.examples import examples
from server.console.files import write_file
from server.console.interrupts import interrupted_by_signals
from server.console.lazy import Lazy, LazyGroup
from server.console.progress import Progress, progress
from server.db.options import database_option, failing_in_one_sentence
from server.report import require, require_folder
from server.report.options import chosen, game_option, since_option

if TYPE_CHECKING:
    from server.report.page.key_figures import Key
    from server.report.plots import Part, Picture

NAME: Final = "report.html"


_SUBCOMMANDS: Final = {
    "compare": Lazy("server.report.compare_command:compare", "Compare two reports or databases."),
    "game": Lazy("server.report.review.game_command:game", "Review a finished game: judge each move."),
    "puzzles": Lazy("server.report.review.puzzles_command:puzzles", "Make puzzles from recorded games."),
}


def _site(context: click.Context, parameter: click.Parameter, url: str | None) -> str | None:
    """The address without the slash at its end."""
    if url is not None and not re.fullmatch(r"https?://[^\s/?#]+[^\s?#]*", url):
        raise click.BadParameter(f"{url!r} is not a server's address: write it as https://example.org.")
    return url.rstrip("/") if url else None


@click.group(
    cls=LazyGroup,
    lazy=_SUBCOMMANDS,
    invoke_without_command=True,
    epilog=examples(
        "noughts report --db night.db --out night",
        "noughts report --game qubic --since 2026-11-01 --site https://example.org",
    ),
)
@database_option
@since_option
@game_option
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), default=Path("noughts-report"), show_default=True,
    help="Folder for the report, created if needed; it is compared with an earlier report found there.",
)  # fmt: skip
@click.option("--title", default="noughts: report on recorded games", show_default=True, help="The page's title.")
@click.option("--site", callback=_site, metavar="URL", help="Link games and openings to this server's pages.")
@click.pass_context
@failing_in_one_sentence()
def report(
    context: click.Context, path: Path, since_ms: int | None, game: str | None, folder: Path, title: str,
    site: str | None,
) -> None:  # fmt: skip
    """Report on recorded games: one HTML file, with its charts also as SVG files and its main tables as CSV."""
    context.with_resource(interrupted_by_signals())
    if context.invoked_subcommand is not None:
        _must_be_alone(context)
        return
    require(("polars", "jinja2"), "Reports")
    require_folder(folder)
    with progress() as shows:
        done = _make(path, since_ms, game, folder, title, site, shows)
    click.echo(done)


def _make(
    path: Path, since_ms: int | None, game: str | None, folder: Path, title: str, site: str | None, shows: Progress
) -> str:
    """What was done, in a sentence."""
    with shows.step("Loading polars"):
        from server.report.page.changes import NAME as KEY_NAME
        from server.report.page.changes import changes, key
        from server.report.page.csv_tables import csv_tables
        from server.report.page.document import page
        from server.report.page.frames import Choice, read
        from server.report.page.parts import every_part
        from server.report.page.replays import replays
        from server.report.page.summary import summary
        from server.report.page.words import ReportData

    as_of_ms = time.time_ns() // 1_000_000
    data = ReportData(read(path, Choice(game, since_ms), shows))
    parts: list[Part] = []
    with shows.step(f"Counting {data.games.height:,} games with {data.frames.moves.height:,} moves"):
        csvs = csv_tables(data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _before(folder)
        svgs = _draw(folder, _collected(every_part(data), parts), shows)
        now = key(data, as_of_ms, [NAME, *(f"{name}.svg" for name in svgs), *csvs], chosen(game, since_ms))
        first = summary(data, before, now)
        if before is not None:
            parts.insert(1, changes(before, now))
        shown = [] if site else replays(data, [first, *parts])
        for name, text in csvs.items():
            write_file(folder / name, text.encode())
        # The page and the key figures come last, when all files they mention exist.
        with shows.step("Writing the page"):
            html = page(title, _facts(path, now), parts, svgs, summary=first, replays=shown, site=site)
            write_file(folder / NAME, html.encode())
        write_file(folder / KEY_NAME, msgspec.json.format(msgspec.json.encode(now), indent=1) + b"\n")
        for old in set(before.files if before else []) - set(now.files):
            (folder / Path(old).name).unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror or error}.") from error
    return f"Wrote {folder / NAME} and {len(svgs)} charts about {now.games:,} games."


def _must_be_alone(context: click.Context) -> None:
    for option in context.command.params:
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option.opts[0]} before `{context.invoked_subcommand}` belongs to a report on all games: "
                f"its own options follow {'its id' if context.invoked_subcommand == 'game' else 'it'}."
            )


def _facts(path: Path, now: Key) -> list[str]:
    made = f"{datetime.fromtimestamp(now.as_of_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    return [
        f"{now.chosen[0].upper()}{now.chosen[1:]} in {path.name}: {now.games:,} that count, {now.moves:,} moves.",
        f"Made {made} by noughts {version('noughts')} on {platform.system()}, {platform.machine()}.",
    ]


def _before(folder: Path) -> Key | None:
    """The key figures of the previous report; None without one, or for a foreign file."""
    from server.report.page.changes import NAME as KEY_NAME
    from server.report.page.key_figures import Key

    try:
        return msgspec.json.decode((folder / KEY_NAME).read_bytes(), type=Key)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def _collected(parts: Iterable[Part], into: list[Part]) -> Iterator[Picture]:
    """The pictures of the parts, which are kept on the way."""
    from server.report.plots import walk

    for part in parts:
        into.append(part)
        for one in walk([part]):
            yield from one.pictures


def _draw(folder: Path, pictures: Iterable[Picture], shows: Progress) -> dict[str, str]:
    """Writes each picture, and returns its SVG by its name."""
    from server.report.drawing.picture import svg

    svgs = {}
    with shows.step("Drawing charts") as step:
        for picture in pictures:
            svgs[picture.name] = svg(picture)
            write_file(folder / f"{picture.name}.svg", svgs[picture.name].encode())
            step.advance(note=picture.name)
    return svgs
