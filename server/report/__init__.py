"""Reports: figures, charts and tables of recorded games, with a folder for what each command makes.

Of `noughts report`, `page.frames` reads the database into frames of polars, `page.figures` counts, `page.parts` puts it
into tables, sentences and plots (`plots`), `drawing` makes pictures of plots, and `page.document` a file of it all.
Only this package loads polars and jinja2 (the extra `analysis`), and only when a command runs. The serving process
needs neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from server.db.connect import DatabaseError


class MissingExtra(DatabaseError):
    """A package of an extra is not installed."""


def require(packages: Sequence[str], what: str, extra: str = "analysis") -> None:
    """Raises MissingExtra, which says what to install, if not all packages are there."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise MissingExtra(
            f"{what} need {' and '.join(missing)}: in a checkout of noughts, {'make serve or ' * (extra == 'analysis')}"
            f"pip install '.[{extra}]' installs that."
        )


def require_folder(folder: Path) -> None:
    """Raises DatabaseError if something else is in its place; it may be missing."""
    if folder.exists() and not folder.is_dir():
        raise DatabaseError(f"{folder} is a file: name a folder to write to.")
