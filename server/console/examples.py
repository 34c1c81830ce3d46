"""Examples at the end of a command's help."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """A text for `epilog=` that keeps the lines as they are."""
    heading = "Examples:" if len(lines) > 1 else "Example:"
    return "\n".join(("\b", heading, *(f"  {line}" for line in lines)))
