"""The exit status that commands share, besides those of click: 0 done, 1 failed, 2 misused."""

from __future__ import annotations

from typing import Final

INTERRUPTED: Final = 130
"""What a shell tells of a program that Ctrl-C ended."""
