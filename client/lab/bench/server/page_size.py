"""How many bytes a browser loads to show the page: index.html, whatever it refers to, and so on.

What the page loads when somebody opens it, by `import()`, is not counted.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

from client.lab.bench.figures import Part, Table, figure
from client.lab.bench.processes import get, noughts

TARGET_KB = 200.0
"""In KB of 1,000 bytes."""
LISTS = ("/api/rules", "/api/bots")
"""What the page asks for to offer games and bots."""

_JS_COMMENT = re.compile(rb"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
_REFERENCES = {
    # The texts of one language are loaded.
    "text/html": re.compile(rb"""(?:src|href)=["']([^"'#]+)["']|\ben=(/static/[^\s"']+)"""),
    "text/javascript": re.compile(rb"""(?:\bfrom|\bimport)\s*["']([^"']+)["']"""),
    "text/css": re.compile(rb"""url\(["']?(?!data:)([^"')#]+)["']?\)|@import\s+["']([^"']+)["']"""),
}


async def measure(folder: Path) -> Part:
    with noughts(folder) as server:
        loaded = await load(server.port, "/")
        for path in LISTS:
            loaded[path] = (await get(server.port, path)).bytes
    total = sum(loaded.values())
    rows = [(path, f"{size:,}") for path, size in sorted(loaded.items(), key=lambda one: -one[1])]
    return Part(
        "page",
        "bytes to load the page with all its files, heads and the lists of games and bots included",
        [figure("loaded", "KB", [total / 1000], TARGET_KB), figure("requests", "", [len(loaded)])],
        [Table("What is loaded", ("path", "bytes"), rows)],
    )


async def load(port: int, first: str) -> dict[str, int]:
    """Everything that `first` refers to, itself included, with the bytes of each answer."""
    loaded: dict[str, int] = {}
    waiting = [first]
    while waiting:
        path = waiting.pop()
        if path in loaded:
            continue
        answer = await get(port, path)
        loaded[path] = answer.bytes
        waiting += references(path, answer.body, answer.kind)
    return loaded


def references(path: str, body: bytes, kind: str) -> list[str]:
    """Paths on this server that a file makes the browser load."""
    pattern = _REFERENCES.get(kind)
    if pattern is None:
        return []
    text = _JS_COMMENT.sub(b"", body) if kind == "text/javascript" else body
    found = [next(group for group in match.groups() if group).decode() for match in pattern.finditer(text)]
    return [urljoin(path, name) for name in found if "://" not in name and not name.startswith("data:")]
