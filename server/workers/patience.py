"""Whether work that no clock bounds has hung, judged by the processor time that it uses. Pure.

On a busy machine a search may take far longer on the clock than it would alone: that is no fault of its bot.
"""

from __future__ import annotations

from typing import Final

_LOOKS: Final = 10
"""Looks within the time of the bound, once that is over on the clock."""


class Patience:
    """Patience with one decision, or with the loading of one bot."""

    def __init__(self) -> None:
        self._used_ms = 0
        self._busy_ms = 0.0
        """When it was last seen to have used more, since it began."""

    def left_ms(self, bound_ms: int, passed_ms: float, used_ms: int | None) -> float:
        """When to look again; 0 or less if it has hung: it has used its bound, or nothing for as long as that.

        `passed_ms` and `used_ms` count from its beginning; where the latter is not to be known, the clock decides.
        """
        if passed_ms < bound_ms or used_ms is None:
            return bound_ms - passed_ms
        if used_ms > self._used_ms:
            self._used_ms, self._busy_ms = used_ms, passed_ms
        if used_ms >= bound_ms or passed_ms - self._busy_ms >= bound_ms:
            return 0
        return bound_ms / _LOOKS
