"""Numbers of things in sentences."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 game`, `1,200 games`; `many` where it takes more than an s, as `1 ply`, `12 plies`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
