"""Where the page is: its sources, and what `make bundle` makes of them."""

from __future__ import annotations

from pathlib import Path

import client

WEB = Path(client.__file__).parent / "web"
DIST = WEB / "dist"


def page_scripts() -> list[str]:
    """Those with code, of others too; what has types alone is none."""
    names = [name for pattern in ("*.ts", "*.tsx", "*.js") for name in page_sources(pattern)]
    return sorted(name for name in names if not name.endswith(".d.ts"))


def page_sources(pattern: str) -> list[str]:
    """Files of the page below WEB, as they are written."""
    return sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob(pattern) if DIST not in path.parents)
