"""What somebody types in plain lines, for tests."""

from __future__ import annotations


class Typed:
    """Lines, then the end of input."""

    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)

    async def next(self) -> str | None:
        return next(self._lines, None)
