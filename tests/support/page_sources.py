"""Where the page is: its sources, and what `make bundle` makes of them."""

from __future__ import annotations

from pathlib import Path

import client

WEB = Path(client.__file__).parent / "web"
DIST = WEB / "dist"


def page_sources(pattern: str) -> list[str]:
    """Files of the page below WEB, as they are written."""
    return sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob(pattern) if DIST not in path.parents)
