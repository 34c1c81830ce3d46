"""Moments as people read them, whatever a database says."""

from __future__ import annotations

from datetime import UTC, datetime


def moment_text(unix_ms: int, form: str, *, local: bool) -> str:
    """In the form of `strftime`, here or in UTC."""
    try:
        moment = datetime.fromtimestamp(unix_ms / 1000, UTC)
        return (moment.astimezone() if local else moment).strftime(form)
    except (ValueError, OverflowError, OSError):
        return "an impossible time"
