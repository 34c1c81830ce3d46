"""Where the user's files are kept, and how one is written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def folder() -> Path:
    """The user's folder for settings, as the XDG base directories say."""
    named = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(named) if os.path.isabs(named) else Path.home() / ".config"
    return base / "noughts"


def write_whole(path: Path, text: str) -> None:
    """Write a file in one step: a crash leaves the old one. Only the user can read it. Raises OSError.

    A link, as those who share their settings between machines have, stays one.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def reason(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else str(error)
