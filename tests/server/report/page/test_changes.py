"""What changed since the previous report."""

from __future__ import annotations

import pytest

from server.report.comparison import as_object
from server.report.page.changes import changes, headlines
from server.report.page.key_figures import Key, List, Place


def key(rating: float, chosen: str = "all games") -> Key:
    """Of a report with one bot, whose interval reaches 10 Elo to either side."""
    place = Place("random", 1, rating, 9, rating - 10, rating + 10)
    return Key(0, 1, 1, {}, [List("night/small/0", "night: small", [place])], chosen=chosen)


@pytest.mark.parametrize(("rating", "moved"), [(9.0, False), (-9.0, False), (11.0, True), (-11.0, True)])
def test_who_moves_within_the_interval_has_not_moved(rating: float, moved: bool) -> None:
    said = " ".join(headlines(key(0.0), key(rating)))
    assert (f"random moved by {rating:+.0f} Elo in night: small" in said) == moved == ("moved" in said)


def versions(*bots: tuple[str, int, float]) -> Key:
    """Of a report with versions of one bot, each with its label and rating."""
    places = [
        Place(label, place, rating, 9, rating - 10, rating + 10, name="level:1", version=version)
        for place, (label, version, rating) in enumerate(bots, start=1)
    ]
    return Key(0, 1, 1, {}, [List("night/small/0", "night: small", places)])


def test_a_second_version_makes_nothing_new_of_the_first() -> None:
    before = versions(("level:1", 1, 0.0))
    now = versions(("level:1 v1", 1, 50.0), ("level:1 v2", 2, -50.0))
    said = " ".join(headlines(before, now))
    assert "New bots: level:1 v2." in said
    assert "The leader of 1 list is the same." in said
    assert "level:1 v1 moved by +50 Elo" in said
    [_, table] = changes(before, now).tables
    assert [row[:3] for row in table.rows] == [("level:1 v1", 1, ""), ("level:1 v2", 2, "new")]
    assert [(one.before and one.before.bot, one.after.bot) for one in as_object(before, now).lists[0].bots] == [
        ("level:1", "level:1 v1"),
        (None, "level:1 v2"),
    ]
    assert "Unchanged: night: small." in changes(before, versions(("level:1 v1", 1, 0.0))).sentences


def test_bots_of_reports_that_told_no_version_are_found_by_their_label() -> None:
    assert "New bots" not in " ".join(headlines(key(0.0), versions(("random", 4, 0.0))))


def test_reports_of_other_games_are_not_comparable() -> None:
    said = "The report before covered games since May, this one covers all games"
    assert said in " ".join(headlines(key(0.0, "games since May"), key(0.0)))
    assert "covers" not in " ".join(headlines(key(0.0), key(0.0)))
