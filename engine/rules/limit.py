"""What bounds a bot's decision."""

from __future__ import annotations

from dataclasses import dataclass, fields


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
        given = self.bounds
        if len(given) > 1:
            raise ValueError(f"A limit has one bound, not {' and '.join(given)}.")
        for name, value in given.items():
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}.")

    @property
    def bounds(self) -> dict[str, int]:
        """The bound by its name; empty without one."""
        given = {bound.name: getattr(self, bound.name) for bound in fields(self)}
        return {name: value for name, value in given.items() if value is not None}


NO_LIMIT = Limit()
