"""Times as text, with as many digits as were measured. Pure."""

from __future__ import annotations


def milliseconds(us: float) -> float:
    """Milliseconds with three digits, and no decimals where they are whole."""
    ms = us / 1_000
    return round(ms) if ms >= 100 or us % 1_000 == 0 else round(ms, 1 if ms >= 10 else 2 if ms >= 1 else 3)


def span(us: float) -> str:
    """A time in the unit that suits it: `85 µs`, `840 ms`, `1.50 s`, `3 min 20 s`, `2 h 5 min`."""
    if us < 1_000:
        return f"{us:.0f} µs" if us >= 0.5 else "<1 ms"
    if us < 999_500:
        return f"{milliseconds(us):g} ms"
    seconds = us / 1_000_000
    if seconds < 59.95:
        return f"{seconds:.2f} s" if seconds < 9.995 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"
