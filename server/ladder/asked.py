"""Reads the configuration of a ladder from a file, or from one of the examples that come with noughts."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from engine.rules.notation import shown
from server.ladder.config import Ladder, parse
from server.typed_toml import TomlError
from server.workers.engines.files import read_roster

EXAMPLES: Final = Path(__file__).parents[2] / "ladders"
"""At the top of a checkout and of an installation alike."""


def read(config: Path) -> Ladder:
    """Raises ClickException and UsageError."""
    file = found(config)

    def beside(name: str) -> str:
        """A file that the configuration names."""
        try:
            return (file.parent / name).read_text(encoding="utf-8")
        except OSError as error:
            told = f"{shown(name)} cannot be read beside {shown(file.name)}: {error.strerror}."
            raise click.ClickException(told) from None
        except ValueError:
            raise click.UsageError(f"{shown(name)} is not text; openings are lines of moves.") from None

    try:
        return parse(file.read_text(encoding="utf-8"), beside, lambda engines: read_roster(file.parent / engines))
    except OSError as error:
        raise click.ClickException(f"{shown(str(config))} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"{shown(str(config))} is not text; a ladder's configuration is TOML.") from None
    except TomlError as error:
        raise click.UsageError(f"{shown(str(config))}: {error}") from None


def found(config: Path) -> Path:
    """The file; where there is none, the example `overnight`, which may also be called `ladders/overnight.toml`."""
    if not config.exists():
        for example in EXAMPLES.glob("*.toml"):
            if config in (Path(example.stem), Path(EXAMPLES.name, example.name)):
                return example
    return config
