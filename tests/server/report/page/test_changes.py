"""What changed since the previous report."""

from __future__ import annotations

import pytest
from msgspec import structs

from server.report.page.changes import changes, headlines, traced
from server.report.page.key_figures import Key, List, Place


def key(*bots: Place, chosen: str = "all games") -> Key:
    """Of a report with one list."""
    return Key(0, 1, 1, {}, [List("night/small/0", "night: small", [*bots])], chosen=chosen)


def place(bot: str, rating: float, below: float = 10, above: float = 10) -> Place:
    return Place(bot, 1, rating, 9, rating - below, rating + above)


RANDOM, WIDE = place("random", 0), place("level:1", 0, 999, 999)


@pytest.mark.parametrize(
    ("before", "now", "moved"),
    [
        (RANDOM, place("random", 14), False),
        (RANDOM, place("random", 15), True),
        (RANDOM, place("random", -14), False),
        (RANDOM, place("random", -15), True),
        (RANDOM, place("random", 30, below=40), False),
        (RANDOM, place("random", 30, above=40), True),
        (place("random", 0, above=40), place("random", 30), False),
        (place("random", 0, below=40), place("random", 30), True),
        (Place("random", 1, 0, 9), place("random", 999), False),
    ],
)
def test_who_moves_within_both_intervals_has_not_moved(before: Place, now: Place, moved: bool) -> None:
    against = structs.replace(WIDE, rating=-now.rating)
    said = " ".join(headlines(key(before, WIDE), key(now, against)))
    assert (f"random moved by {now.rating:+.0f} Elo in night: small" in said) == moved == ("moved" in said)


def test_who_enters_moves_nobody_else() -> None:
    before = key(place("random", -50), place("level:1", 50))
    now = key(place("random", 0), place("level:1", 120), place("level:2", -120))
    assert "moved" not in " ".join(headlines(before, now))
    table = changes(before, now).tables[1]
    assert [row[4] for row in table.rows] == ["-10", "+10", ""]
    assert table.note == "Changes of Elo are against the mean of the bots that were there before."
    assert not changes(before, key(place("random", -60), place("level:1", 60))).tables[1].note
    assert [one.change for one in traced(before.lists[0], now.lists[0])] == [-10, 10, None]


def versions(*bots: tuple[str, int, float]) -> Key:
    """Of a report with versions of one bot, each with its label and rating."""
    places = [
        Place(label, place, rating, 9, rating - 10, rating + 10, name="level:1", version=version)
        for place, (label, version, rating) in enumerate(bots, start=1)
    ]
    return key(*places)


def test_a_second_version_makes_nothing_new_of_the_first() -> None:
    before = versions(("level:1", 1, 0.0))
    now = versions(("level:1 v1", 1, 0.0), ("level:1 v2", 2, -50.0))
    said = " ".join(headlines(before, now))
    assert "New bots: level:1 v2." in said
    assert "The leader of 1 list is the same." in said
    [_, table] = changes(before, now).tables
    assert [row[:3] for row in table.rows] == [("level:1 v1", 1, ""), ("level:1 v2", 2, "new")]
    assert [(one.before and one.before.bot, one.now.bot) for one in traced(before.lists[0], now.lists[0])] == [
        ("level:1", "level:1 v1"),
        (None, "level:1 v2"),
    ]
    assert "Unchanged: night: small." in changes(before, versions(("level:1 v1", 1, 0.0))).sentences


def test_bots_of_reports_that_told_no_version_are_found_by_their_label() -> None:
    assert "New bots" not in " ".join(headlines(key(RANDOM), versions(("random", 4, 0.0))))


def test_reports_of_other_games_are_not_comparable() -> None:
    said = "The report before covered games since May, this one covers all games"
    assert said in " ".join(headlines(key(RANDOM, chosen="games since May"), key(RANDOM)))
    assert "covers" not in " ".join(headlines(key(RANDOM), key(RANDOM)))
