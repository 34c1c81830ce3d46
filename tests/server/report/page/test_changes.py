"""What changed since the previous report."""

from __future__ import annotations

import pytest

from server.report.page.changes import headlines
from server.report.page.key_figures import Key, List, Place


def key(rating: float, chosen: str = "all games") -> Key:
    """Of a report with one bot, whose interval reaches 10 Elo to either side."""
    place = Place("random", 1, rating, 9, rating - 10, rating + 10)
    return Key(0, 1, 1, {}, [List("night/small/0", "night: small", [place])], chosen=chosen)


@pytest.mark.parametrize(("rating", "moved"), [(9.0, False), (-9.0, False), (11.0, True), (-11.0, True)])
def test_who_moves_within_the_interval_has_not_moved(rating: float, moved: bool) -> None:
    said = " ".join(headlines(key(0.0), key(rating)))
    assert (f"random moved by {rating:+.0f} Elo in night: small" in said) == moved == ("moved" in said)


def test_reports_of_other_games_are_not_comparable() -> None:
    said = "The report before covered games since May, this one covers all games"
    assert said in " ".join(headlines(key(0.0, "games since May"), key(0.0)))
    assert "covers" not in " ".join(headlines(key(0.0), key(0.0)))
