"""What bounds one decision, and the shell's side of a running search."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limit:
    """At most one bound on a decision; none leaves the bot its own depth. Raises ValueError for anything else."""

    move_ms: int | None = None
    """Milliseconds, at least 1."""
    nodes: int | None = None
    """Positions made by the search, at least 1."""
    depth: int | None = None
    """Plies, at least 1."""

    def __post_init__(self) -> None:
        given = {bound.name: getattr(self, bound.name) for bound in fields(self)}
        given = {name: value for name, value in given.items() if value is not None}
        if len(given) > 1:
            raise ValueError(f"A limit has one bound, not {' and '.join(given)}.")
        for name, value in given.items():
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} is a whole number of at least 1, not {value!r}.")


NO_LIMIT = Limit()


class Watch(Protocol):
    """What a search may ask and tell while it runs. The shell owns the clock and the stop flag."""

    def elapsed_ms(self) -> int:
        """Milliseconds since the decision was asked for; never falls."""

    def stopped(self) -> bool:
        """True once the answer is wanted at once, with whatever has been found."""

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        """The result of the deepest finished search so far; `value` is from the side to move."""


class _NoWatch:
    """No clock and no stop flag: time stands still and nobody listens."""

    def elapsed_ms(self) -> int:
        return 0

    def stopped(self) -> bool:
        return False

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        return None


NO_WATCH: Watch = _NoWatch()
