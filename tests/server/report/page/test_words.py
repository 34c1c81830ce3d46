"""How the report writes figures."""

from __future__ import annotations

import pytest

from server.report.page.words import percent


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (None, 0, ""),
        (0.0, 0, "0 %"),
        (1.0, 0, "100 %"),
        (0.6251, 0, "63 %"),
        (0.6251, 1, "62.5 %"),
        (0.9975, 0, "99.8 %"),
        (0.99999, 0, "99.9 %"),
        (0.002, 0, "0.2 %"),
        (0.00001, 1, "0.01 %"),
        (0.9997, 1, "99.97 %"),
    ],
)
def test_a_share_is_whole_only_where_nothing_is_missing(share: float | None, digits: int, text: str) -> None:
    assert percent(share, digits) == text
