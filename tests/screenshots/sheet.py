"""A page that shows all pictures of a folder, four a row: desktop and phone, light and dark."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from pathlib import Path

HEAD = """<!doctype html>
<meta charset="utf-8">
<title>Screenshots of noughts</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 1rem; background: #888; color: #000 }
div { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start }
img { width: auto; max-height: 40rem; max-width: 45rem }
</style>
"""


def write_sheet(folder: Path) -> None:
    """Picture files are called STATE.SIZE.THEME.png."""
    rows: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.glob("*.png")):
        rows[path.name.split(".")[0]].append(path.name)
    body = "".join(
        f"<h2>{escape(state)}</h2>\n<div>"
        + "".join(f'<a href="{name}"><img src="{name}" alt="{escape(name)}" loading="lazy"></a>' for name in names)
        + "</div>\n"
        for state, names in rows.items()
    )
    (folder / "index.html").write_text(HEAD + body, encoding="utf-8")
