"""The JSON answers about ladders, made of rows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.db.ladder import MeetingRow, StandingRow
from server.http.answers.ladders import bots_of, list_answer, list_page_answer
from tests.support.http.record_examples import BOT, LIST, LIVE_GAME, list_page


def test_a_list_has_the_settings_that_bots_are_limited_by() -> None:
    answer = list_answer(LIST, True)
    assert (answer.run, answer.ladder, answer.list, answer.game) == (LIST.run_id, LIST.ladder, LIST.list, LIST.game)
    assert answer.running
    assert not list_answer(LIST, False).running


@pytest.mark.parametrize("settings", ["nope", "[]", '{"limit":7}', '{"entrants":[[]],"line_ups":[{}]}'])
def test_settings_that_are_damaged_cost_no_answer(settings: str) -> None:
    damaged = replace(LIST, settings=settings)
    assert (list_answer(damaged, False).run, list_answer(damaged, False).limit) == (LIST.run_id, None)
    page = list_page_answer(damaged, False, [], [MeetingRow(8, 8, 1, 0, 0, 1, 0, 0, 0)], [], [replace(BOT, id=8)])
    assert [one.left for one in page.standings] == [True]


def test_standings_are_counted_from_both_seats() -> None:
    page = list_page()
    first, second = page.standings
    assert (first.player, second.player) == ("8", "9")
    assert (first.games, first.won, first.drawn, first.lost, first.points) == (4, 3, 1, 0, 3.5)
    assert (second.games, second.won, second.drawn, second.lost, second.points) == (4, 0, 1, 3, 0.5)
    assert (page.x_won, page.drawn, page.o_won, page.games) == (2, 1, 1, 4)
    assert [[cell.points if cell else None for cell in row] for row in page.crosstable.cells] == [
        [None, 3.5],
        [0.5, None],
    ]
    assert second.retired


def test_a_list_without_ratings_is_in_the_order_of_shares() -> None:
    page = list_page(rated=False)
    assert [(one.player, one.place, one.rating) for one in page.standings] == [("8", None, None), ("9", None, None)]


def test_a_bot_without_games_comes_last_without_a_place() -> None:
    rows = [
        StandingRow(7, 1, 300.0, -500.0, 900.0, 0.6, 0),  # as they were written once: first by a rating of nothing
        StandingRow(9, 2, 20.0, 10.0, 30.0, 0.9, 0),
        StandingRow(8, 3, -20.0, -30.0, -10.0, None, 0),
    ]
    names = [replace(BOT, id=id) for id in (7, 8, 9)]
    page = list_page_answer(LIST, False, rows, [MeetingRow(8, 9, 1, 0, 0, 1, 0, 0, 0)], [], names)
    assert [(one.player, one.place, one.games) for one in page.standings] == [("9", 1, 1), ("8", 2, 1), ("7", None, 0)]
    last = page.standings[-1]
    assert (last.rating, last.low, last.high, last.superiority) == (None, None, None, None)


def test_the_bots_of_a_list_are_those_rated_and_those_that_have_played_since() -> None:
    standing = StandingRow(5, 1, 0.0, -1.0, 1.0, None, 0)
    meeting = MeetingRow(7, 6, 1, 1, 0, 0, 0, 0, 0)
    assert bots_of([standing], [meeting]) == [5, 6, 7]
    assert bots_of([], []) == []


def test_a_game_that_is_played_now() -> None:
    assert (LIVE_GAME.x.name, LIVE_GAME.o.name) == ("strongest", "random")
    assert (LIVE_GAME.start, LIVE_GAME.moves) == (["a1"], ["b2"])
