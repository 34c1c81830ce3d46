"""A game's clock: what each side has left and whose time runs since when. Pure: `now_ms` is always an argument.

A game without a time limit has a clock too, without settings: it only measures how long a move took.
"""

from __future__ import annotations

from server.wire import ClockSettings, ClockView, Side


class Clock:
    """Both sides' time. `running` is the side to move; its time passes only while `since_ms` is set.

    `x_ms` and `o_ms` are what was left when the present turn began, `spent_ms` what the turn had cost by `since_ms`.
    """

    __slots__ = ("o_ms", "running", "settings", "since_ms", "spent_ms", "x_ms")

    def __init__(self, settings: ClockSettings | None) -> None:
        self.settings = settings
        full_ms = 0 if settings is None else (settings.move_ms or settings.initial_ms or 0)
        self.x_ms = full_ms
        self.o_ms = full_ms
        self.running: Side | None = None
        self.since_ms: int | None = None
        self.spent_ms = 0

    def turn(self, side: Side | None, since_ms: int | None) -> None:
        """Hand the turn to a side; its time passes from `since_ms`, or not yet where that is None."""
        self.running = side
        self.since_ms = since_ms
        self.spent_ms = 0

    def pause(self, now_ms: int) -> None:
        """Let no time pass until `go_on` or `turn` is called."""
        self.spent_ms = self.elapsed_ms(now_ms)
        self.since_ms = None

    def go_on(self, now_ms: int, spent_ms: int | None = None) -> None:
        """Let time pass again in the present turn; `spent_ms` is what it has cost so far, if the caller knows."""
        self.since_ms = now_ms
        if spent_ms is not None:
            self.spent_ms = spent_ms

    def elapsed_ms(self, now_ms: int) -> int:
        """How long the present turn has taken, pauses left out."""
        return self.spent_ms + (max(0, now_ms - self.since_ms) if self.since_ms is not None else 0)

    def remaining_ms(self, side: Side, now_ms: int) -> int:
        left_ms = self.x_ms if side == "x" else self.o_ms
        return max(0, left_ms - self.elapsed_ms(now_ms)) if side == self.running else left_ms

    @property
    def deadline_ms(self) -> int | None:
        """The last moment at which the side to move still has time."""
        if self.settings is None or self.running is None or self.since_ms is None:
            return None
        return self.since_ms + max(0, (self.x_ms if self.running == "x" else self.o_ms) - self.spent_ms)

    def after_move(self, side: Side, spent_ms: int) -> tuple[int, int]:
        """What x and o have left once `side` has moved, its increment or refill included."""
        settings = self.settings
        if settings is None:
            return 0, 0
        if settings.move_ms is not None:
            left_ms = settings.move_ms
        else:
            left_ms = max(0, (self.x_ms if side == "x" else self.o_ms) - spent_ms) + (settings.increment_ms or 0)
        return (left_ms, self.o_ms) if side == "x" else (self.x_ms, left_ms)

    def set(self, x_ms: int, o_ms: int) -> None:
        self.x_ms = x_ms
        self.o_ms = o_ms

    def view(self, now_ms: int) -> ClockView | None:
        """The clock as a room shows it, settings included."""
        if self.settings is None:
            return None
        return ClockView(
            x_ms=self.remaining_ms("x", now_ms),
            o_ms=self.remaining_ms("o", now_ms),
            running=self.running,
            initial_ms=self.settings.initial_ms,
            increment_ms=self.settings.increment_ms,
            move_ms=self.settings.move_ms,
        )
