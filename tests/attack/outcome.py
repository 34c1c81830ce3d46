"""What came of an attack, as its process tells and as the table shows it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tests.attack.entry import Attack

HEAD = (
    "attack", "from", "tried", "refused", "dropped", "idle p99", "p99", "times", "beside", "CPU", "memory", "files",
    "damage",
)  # fmt: skip


class Told(Struct, frozen=True):
    """By an attacking process."""

    tried: int
    refused: dict[str, int]
    dropped: int
    harm: list[str]


class Outcome(Struct, frozen=True):
    """Of one attack from so many addresses. Times are acknowledgements of honest moves, in ms."""

    name: str
    sources: int
    told: Told
    idle_ms: float
    """the median of all stretches without an attack so far"""
    attacked_ms: float
    beside_ms: float | None
    """on a second server at the same time, which is not attacked: what the machine's other load costs by itself"""
    cpu_percent: float
    grown_mb: float
    files: int
    """open after the attack, beyond those before"""
    failures: list[str]
    """what honest players met"""

    @property
    def damage(self) -> list[str]:
        return [*self.told.harm, *self.failures]


def row(outcome: Outcome) -> tuple[str, ...]:
    told = outcome.told
    refused = sum(told.refused.values())
    return (
        outcome.name,
        f"{outcome.sources}",
        f"{told.tried:,}",
        f"{refused:,}" + (f" ({', '.join(sorted(told.refused))})" if refused else ""),
        f"{told.dropped:,}",
        f"{outcome.idle_ms:.1f} ms",
        f"{outcome.attacked_ms:.1f} ms",
        f"{outcome.attacked_ms / outcome.idle_ms:.1f}",
        f"{outcome.beside_ms:.1f} ms" if outcome.beside_ms is not None else "",
        f"{outcome.cpu_percent:.0f} %",
        f"{outcome.grown_mb:+.1f} MB",
        f"{outcome.files:+d}",
        "; ".join(outcome.damage) or "none",
    )


def markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table."""
    head, *rest = rows
    return [_line(head), _line(["---"] * len(head)), *map(_line, rest)]


def shown_by_tests(attacks: Sequence[Attack]) -> list[str]:
    """A table of what tests show."""
    found = [(one.name, one.does, one.must_not, one.shown_by) for one in attacks]
    return markdown([("attack", "what it does", "what it must not achieve", "shown by"), *found])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
