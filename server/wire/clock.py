"""The bounds of a clock, which clients know too."""

from __future__ import annotations

from server.wire.parts import ClockSettings, RefusedField

INITIAL_MS = range(1_000, 10_800_000 + 1)
INCREMENT_MS = range(0, 180_000 + 1)
MOVE_MS = range(100, 86_400_000 + 1)


class BadClock(ValueError):
    """Clock settings out of bounds: `field` names the one at fault, or the clock as a whole; the message says what is
    wrong."""

    def __init__(self, message: str, field: RefusedField) -> None:
        super().__init__(message)
        self.field = field


def check_clock(settings: ClockSettings) -> ClockSettings:
    """The settings with every field filled in that its kind needs. Raises BadClock."""
    whole = RefusedField(name="clock")
    if settings.move_ms is not None:
        if settings.initial_ms is not None or settings.increment_ms is not None:
            raise BadClock("A clock has either move_ms, or initial_ms with increment_ms, not both.", whole)
        _check("move_ms", settings.move_ms, MOVE_MS)
        return settings
    if settings.initial_ms is None:
        raise BadClock("A clock needs move_ms, or initial_ms with increment_ms.", whole)
    increment_ms = settings.increment_ms or 0
    _check("initial_ms", settings.initial_ms, INITIAL_MS)
    _check("increment_ms", increment_ms, INCREMENT_MS)
    return ClockSettings(initial_ms=settings.initial_ms, increment_ms=increment_ms)


def _check(name: str, value: int, bounds: range) -> None:
    if value not in bounds:
        least, most = bounds.start, bounds.stop - 1
        raise BadClock(
            f"{name} is {value}; it must be {least} to {most} milliseconds.",
            RefusedField(name=f"clock.{name}", least=least, most=most),
        )
