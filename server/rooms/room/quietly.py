"""What must not stop a room when it fails."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)


def quietly(act: Callable[..., object], *arguments: Any) -> bool:
    """Run it and log what it raises; return whether it succeeded."""
    try:
        act(*arguments)
    except Exception:
        log.exception("%s failed", getattr(act, "__name__", act))
        return False
    return True
