"""The JSON answers about a player, made of rows."""

from __future__ import annotations

from msgspec.structs import replace

from server.db.ladder import EntryRow, PlayedRow
from server.db.play import RatingPoint, RatingRow
from server.http.answers.players import DAY_MS, HISTORY_POINTS, player_answer
from tests.support.http.record_examples import BOT, PERSON, player


def test_a_bot_is_told_with_its_family_and_places() -> None:
    answer = player()
    assert answer.bot is not None
    assert answer.bot.family == "random"
    [entry] = answer.ladder
    # Of two meetings in this list, two games each.
    assert (entry.place, entry.of, entry.games, entry.points, entry.retired) == (2, 2, 4, 0.5, True)
    [time] = answer.times
    assert (time.games, time.moves, time.median_ms, time.p90_ms) == (3, 9, 40, 80)


def test_a_person_and_a_bot_of_no_family_have_none() -> None:
    assert player(bot=False).bot is None
    for row in (PERSON, replace(BOT, family="gone"), replace(BOT, version=None)):
        assert player_answer(row, [], [], [], []).bot is None


def test_another_version_is_not_the_present_one() -> None:
    now, old = (player_answer(replace(BOT, version=version), [], [], [], []).bot for version in (BOT.version, 10_000))
    assert now is not None
    assert old is not None
    assert not old.current


def test_a_bot_has_a_place_only_where_it_has_played() -> None:
    entry = EntryRow("night/new/1", "night", "new", "tictactoe", 5, 1, 3, 200.0, -500.0, 900.0, 0)
    played = replace(entry, run_id="night/small/1")
    answer = player_answer(BOT, [], [entry, played], [PlayedRow("night/small/1", 2, 0.5)], [])
    assert [one.run for one in answer.ladder] == ["night/small/1"]


def test_a_rating_tells_the_day_and_its_newest_points() -> None:
    rating = RatingRow("tictactoe", 1520.5, 90.0, 3, 3 * DAY_MS + 17)
    history = [RatingPoint(id, id, 1500.0 + id, 90.0) for id in range(HISTORY_POINTS + 2)]
    [answer] = player_answer(PERSON, [(rating, history)], [], [], []).ratings
    assert answer.updated_ms == 3 * DAY_MS
    assert [point.at_ms for point in answer.history] == list(range(2, HISTORY_POINTS + 2))
