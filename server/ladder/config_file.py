"""Reads the configuration of a ladder from a file, or from one of the examples that come with noughts."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.bots.roster import Roster
from server.console.files import named_file
from server.ladder.config import Ladder, parse
from server.workers.engines.files import read_roster

EXAMPLES: Final = Path(__file__).parents[2] / "ladders"
"""At the top of a checkout and of an installation alike."""


def read(config: Path) -> Ladder:
    """Raises click.UsageError."""
    file = found(config)

    def beside(name: str) -> str:
        """A file that the configuration names."""
        with named_file(path := file.parent / name):
            return path.read_text(encoding="utf-8")

    def roster(name: str) -> Roster:
        with named_file(path := file.parent / name):
            return read_roster(path)

    with named_file(config):
        return parse(file.read_text(encoding="utf-8"), beside, roster)


def found(config: Path) -> Path:
    """The file; where there is none, the example `overnight`, which may also be called `ladders/overnight.toml`."""
    if not config.exists():
        for example in EXAMPLES.glob("*.toml"):
            if config in (Path(example.stem), Path(EXAMPLES.name, example.name)):
                return example
    return config
