"""Moments, also those of a damaged database."""

from __future__ import annotations

import pytest

from server.console.moments import moment_text


def test_it_is_told_in_utc() -> None:
    assert moment_text(1_795_910_400_000, "%Y-%m-%d %H:%M", local=False) == "2026-11-29 00:00"


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("unix_ms", [1 << 62, -(1 << 62), 9_000_000_000_000_000])
def test_what_no_calendar_has_is_told_too(unix_ms: int, local: bool) -> None:
    assert moment_text(unix_ms, "%Y", local=local) == "an impossible time"
