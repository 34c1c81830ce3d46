"""The pictures of the page of statistics, made in a process of its own:

    python -m server.report.pictures --db FILE --out FOLDER [--game GAME] [--since WHEN] [--public]

FOLDER must not exist, or hold what an earlier run made: it is replaced as a whole, by a rename, when everything is
ready. It then holds an SVG for each picture and `stats.json`:

    {"as_of_ms": when the database was read, "games": how many games count,
     "pictures": [{"name", "title", "alt", "reading", "file", "part", "game"}],
     "tables": [{"title", "head", "rows", "note", "part", "game"}],
     "parts": [{"name", "title", "sentences"}],
     "said": {text: {"key", "values"}}}

`name` is made of a-z, 0-9 and "-", and `file` is "NAME.svg" in FOLDER; `game` is a game's id or null; `part` is the
name of one of `parts`, whose order is that of the page; `reading` says how to read the picture. A picture shows its own
title. Cells of `rows` are text, numbers or null. `said` maps these texts, and labels in the pictures, to their
key and values, except for fixed words: see `wording`. An SVG has no background, scripts or
links; its colours can be read on light and dark pages, and follow prefers-color-scheme. `--public` leaves out games of
invite rooms.

The exit status is 0; or 2 with one sentence on stderr, and FOLDER is as it was: no such database, a folder that cannot
be written, no matplotlib or polars (the sentence says what to install).
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.db.options import Failed, database_option, failing_in_one_sentence
from server.report import require, require_folder
from server.report.options import game_option, since_option
from server.workers.lifeline import die_with_server

if TYPE_CHECKING:
    from server.report.plots import Part, Picture


@click.command()
@database_option
@click.option("--out", "folder", required=True, type=click.Path(path_type=Path), help="Folder to replace.")
@game_option
@since_option
@click.option("--public", is_flag=True, help="Leave out private games.")
@failing_in_one_sentence()
def pictures(path: Path, folder: Path, game: str | None, since_ms: int | None, public: bool) -> None:
    """Write the pictures and tables of the page of statistics into a folder."""
    require(("polars", "matplotlib"), "Statistics")
    require_folder(folder)
    from server.report.frames import Choice, read
    from server.report.parts import statistics
    from server.report.plots import walk

    as_of_ms = time.time_ns() // 1_000_000
    frames = read(path, Choice(game, since_ms, public))
    parts = [*walk(statistics(frames))]
    try:
        _write(folder, parts, {"as_of_ms": as_of_ms, "games": frames.games.height})
    except OSError as error:
        raise Failed(f"{folder} cannot be written: {error.strerror or error}.") from error


def _write(folder: Path, parts: list[Part], head: dict[str, Any]) -> None:
    """Makes a new folder next to the old one and renames it when it is complete."""
    from server.report.drawing import Drawing

    if folder.exists() and not (folder / "stats.json").exists() and any(folder.iterdir()):
        raise Failed(f"{folder} holds other files: name a new folder, which will be replaced as a whole.")
    made = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".partial", dir=folder.parent))
    try:
        for _, picture in _pictures(parts):
            (made / f"{picture.name}.svg").write_text(Drawing(picture).svg(), encoding="utf-8")
        (made / "stats.json").write_text(json.dumps(head | _described(parts)), encoding="utf-8")
        made.chmod(0o755)
        old = made.with_suffix(".old")
        with suppress(FileNotFoundError):
            folder.rename(old)
        made.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _described(parts: list[Part]) -> dict[str, Any]:
    from server.report.wording import said_in

    return {
        "said": {said: {"key": said.key, "values": said.values} for said in said_in(parts)},
        "parts": [{"name": part.name, "title": part.title, "sentences": part.sentences} for part in parts],
        "pictures": [
            {
                "name": picture.name,
                "title": picture.title,
                "alt": picture.alt,
                "reading": picture.reading,
                "file": f"{picture.name}.svg",
                "part": part,
                "game": picture.game,
            }
            for part, picture in _pictures(parts)
        ],
        "tables": [
            {
                "title": table.title,
                "head": table.head,
                "rows": table.rows,
                "note": table.note,
                "part": part.name,
                "game": table.game,
            }
            for part in parts
            for table in part.tables
        ],
    }


def _pictures(parts: list[Part]) -> Iterator[tuple[str, Picture]]:
    for part in parts:
        for picture in part.pictures:
            yield part.name, picture


if __name__ == "__main__":
    die_with_server()
    pictures()
