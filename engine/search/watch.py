"""What a running search may ask and report. The shell owns the clock and the stop flag."""

from __future__ import annotations

from typing import Protocol


class Watch(Protocol):
    """The shell's side of a running search. A subclass that overrides nothing has no clock and no stop flag, and nobody
    listens."""

    def elapsed_ms(self) -> int:
        """Milliseconds since the decision was asked for; never falls."""
        return 0

    def stopped(self) -> bool:
        """True once the answer is wanted at once, with whatever has been found."""
        return False

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        """The result of the deepest finished search so far; `value` is from the side to move."""
        return


class _NoWatch(Watch):
    """Time stands still."""


NO_WATCH: Watch = _NoWatch()
