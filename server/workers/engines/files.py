"""An engines' file as it is on a disk, and the programs that it names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from engine.bots.roster import Roster
from engine.rules.notation import shown
from server.typed_toml import TomlError
from server.workers.engines.config import parse, roster
from server.workers.engines.engine import Engine

_PATH_CHARACTERS: Final = 160


class CannotRun(Exception):
    """An engine cannot be started; one sentence says why, and what would be right."""


def read(path: Path) -> tuple[Engine, ...]:
    """The engines of a file. Raises TomlError, also for names that two bots have, OSError and UnicodeDecodeError."""
    engines = parse(path.read_text(encoding="utf-8"), path.absolute().parent)
    roster(engines)
    return engines


def read_roster(path: Path) -> Roster:
    """Our bots and the engines of a file, after a check that each program and folder exists. Raises as `read`."""
    engines = read(path)
    for engine in engines:
        try:
            program(engine)
            folder(engine)
        except CannotRun as error:
            raise TomlError(str(error)) from None
    return roster(engines)


def program(engine: Engine) -> str:
    """The path of its program. Raises CannotRun."""
    named = shown(engine.command, _PATH_CHARACTERS)
    if os.sep not in engine.command:
        found = shutil.which(engine.command)
        if found is None:
            raise CannotRun(
                f"Engine {engine.name}: there is no program {named} on the PATH; write the path of "
                "one, as in ./my-engine."
            )
        return found
    path = Path(engine.home, engine.command)
    if not path.is_file():
        raise CannotRun(f"Engine {engine.name}: there is no program {named} in {engine.home}.")
    if not os.access(path, os.X_OK):
        raise CannotRun(
            f"Engine {engine.name}: {named} is not executable; make it so with chmod +x, or name what "
            'runs it, as in command = "python3".'
        )
    return str(path)


def folder(engine: Engine) -> str:
    """Where it runs. Raises CannotRun."""
    path = Path(engine.home, engine.folder)
    if not path.is_dir():
        named = shown(engine.folder, _PATH_CHARACTERS)
        raise CannotRun(f"Engine {engine.name}: there is no folder {named} in {engine.home}.")
    return str(path)
