"""Where a value stands on an axis, and which values have their number beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_STEPS: Final = (1, 2, 5)
_LINEAR: Final = 0.3
"""Share of a decade that 0 to 1 takes on a logarithmic axis that begins at 0."""
_ONES: Final = (0.0, 1.0, "")
_UNITS: Final = ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k"), _ONES)
"""The value from which on each unit is used, the unit and its letter."""
_FINEST: Final = 0.01
"""Share of a unit: a value that is nearer to its neighbour is written in full."""


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from `low` to `high`, drawn from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (self._bent(value) - self._bent(self.low)) / (self._bent(self.high) - self._bent(self.low))
        return self.start + share * (self.end - self.start)

    def _bent(self, value: float) -> float:
        return value


class LogScale(Scale):
    """Logarithmic from `low` on; where that is not above 0, from 1 on, with 0 to 1 in a straight line below."""

    __slots__ = ()

    def _bent(self, value: float) -> float:
        if self.low > 0:
            return math.log10(max(value, self.low))
        return _LINEAR * value if value < 1 else _LINEAR + math.log10(value)


def spanned(values: Sequence[float], start: float, end: float, margin: float) -> Scale:
    """A scale from the least to the greatest value, and a share of that beyond both."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    beyond = margin * (high - low) if high > low else max(0.05 * abs(low), 0.5)
    return Scale(low - beyond, high + beyond, start, end)


def ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """Round numbers with a round distance, `most` of them at most, but two where there is room for them."""
    for step in _distances((high - low) / 1000, whole):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            return [number * step for number in range(first, last + 1)]
    raise AssertionError("distances grow without bound")


def _distances(least: float, whole: bool) -> Iterator[float]:
    power = 0 if whole else math.floor(math.log10(least)) if least > 0 else 0
    while True:
        for step in _STEPS:
            yield step * 10**power if power >= 0 else step / 10**-power
        power += 1


def powers(least: float, most: float) -> list[float]:
    """Powers of ten that are far enough apart, beginning with 0 if that is a value."""
    lowest = math.floor(math.log10(least)) if least > 0 else 0
    highest = max(lowest + 1, math.ceil(math.log10(max(1.0, most))))
    found = [10.0**power for power in range(lowest, highest + 1)]
    if least > 0:
        return found[:: 1 + (len(found) - 1) // 6]
    if len(found) > 4:  # 1 stands too near to 0
        found = found[2 :: 1 + (len(found) - 3) // 5]
    return [0.0, *found]


def labels(values: Sequence[float]) -> list[str]:
    """`12.5k`, `1,250`, `0.0002`: short, but with the digits that tell neighbours apart."""
    gaps = [abs(b - a) for a, b in pairwise(values)]
    nearest = [min(pair) for pair in zip([*gaps[:1], *gaps], [*gaps, *gaps[-1:]], strict=True)]
    return [
        _label(value, gap) for value, gap in zip(values, nearest or [abs(one) / 1000 for one in values], strict=True)
    ]


def _label(value: float, gap: float) -> str:
    """`gap` is the distance to the nearest neighbour."""
    _, unit, letter = next(one for one in _UNITS if abs(value) >= one[0])
    if gap < _FINEST * unit:
        _, unit, letter = _ONES
    digits = max(0, -math.floor(math.log10(gap / unit) + 1e-9)) if gap else 0
    text = f"{value / unit:,.{digits}f}"
    return (text.rstrip("0").rstrip(".") if digits else text).replace("-", "\N{MINUS SIGN}") + letter
