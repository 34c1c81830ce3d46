"""For what must not keep a room from going on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)


def quietly(act: Callable[..., object], *arguments: Any) -> bool:
    """Do it, and log what it raises; whether it was done."""
    try:
        act(*arguments)
    except Exception:
        log.exception("%s failed", getattr(act, "__name__", act))
        return False
    return True
