"""Two runs beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from server.db.ladder import ListRow
from server.ladder.comparison import as_json, as_text, compared
from server.ladder.runs import BotKey, PlayedPair, Run
from server.ladder.schedule import PairScore

STRONG, WEAK, THIRD = BotKey("level:3", 1), BotKey("random", 1), BotKey("alphabeta:2", 3)
ROW = ListRow("night/small/0", "night", "small", "tictactoe", "{}", 0, None, None, None, 0, None)


def run(results: Sequence[tuple[BotKey, BotKey, float, float]], night: int | None, file: str = "a.db") -> Run:
    pairs = {number: PlayedPair(a, b, PairScore(x, o), number) for number, (a, b, x, o) in enumerate(results)}
    return Run(file, ROW, night, pairs)


EARLIER = [(STRONG, WEAK, 1.0, 0.5), (STRONG, THIRD, 1.0, 0.5), (WEAK, THIRD, 0.5, 0.0)] * 4
LATER = [*EARLIER, *[(STRONG, THIRD, 0.0, 0.0)] * 20]


def test_who_moved_places() -> None:
    found = compared(run(EARLIER, 1), run(LATER, 2), resamples=100)
    places = {line.bot: (line.place_before, line.place_after) for line in found.bots}
    assert places == {"alphabeta:2": (2, 1), "level:3": (1, 2), "random": (3, 3)}
    assert {line.bot for line in found.moved} == {"alphabeta:2", "level:3"}
    assert [line.place_after for line in found.bots] == [1, 2, 3]
    for line in found.bots:
        assert None not in (line.change, line.low, line.high, line.rating_after, line.rating_before)
        assert line.rating_after is not None
        assert abs(line.rating_after - (line.rating_before or 0) - (line.change or 0)) < 1e-6
    first = found.bots[0]
    assert (first.games_before, first.games_after) == (16, 56)
    assert 0 < (first.low or 0) < (first.change or 0) < (first.high or 0)
    assert as_text(found)[-1] == "  2 bots changed places among those in both; 2 ratings changed with 95 % certainty"


def test_a_bot_that_only_one_run_has_moves_nobody() -> None:
    new = BotKey("level:3", 2)
    found = compared(
        run(EARLIER, 1), run([*EARLIER, (new, STRONG, 1.0, 1.0), (new, STRONG, 1.0, 1.0)], 2), resamples=50
    )
    assert not found.moved
    first = found.bots[0]
    assert (first.bot, first.version, first.place_before) == ("level:3", 2, None)
    text = as_text(found)
    assert "level:3 v2" in text[1]
    assert "new" in text[1]
    assert text[-1].startswith("  nobody changed places; ")
    back = as_text(compared(run(LATER, 1), run([(STRONG, WEAK, 1.0, 1.0)], 2, "b.db"), resamples=50))
    assert "only in the first" in back[3]
    assert all(len(line) <= 80 for line in back[1:])


def test_a_bot_whose_pairs_have_an_aborted_game_is_not_rated() -> None:
    both = run(EARLIER, 1)
    both.pairs[99] = PlayedPair(STRONG, BotKey("level:9", 1), PairScore(None, 1.0), 99)
    assert as_text(compared(both, both, resamples=20))[-2].split() == ["-", "level:9", "not", "rated", "+0", "games"]


def test_ratings_are_against_those_in_both() -> None:
    new = BotKey("level:9", 1)
    found = compared(run(EARLIER, 1), run([*EARLIER, *[(new, STRONG, 1.0, 1.0)] * 30], 2), resamples=20)
    both = [line for line in found.bots if line.bot != new.name]
    assert len(both) == 3
    assert sum(line.rating_before or 0 for line in both) == pytest.approx(0, abs=1e-6)
    assert sum(line.rating_after or 0 for line in both) == pytest.approx(0, abs=1e-6)


def test_the_same_twice_is_no_change() -> None:
    same = compared(run(EARLIER, 1), run(EARLIER, None), resamples=50)
    assert [(line.change, line.low, line.high) for line in same.bots] == [(0, 0, 0)] * 3
    apart = compared(run(EARLIER, 1), run(EARLIER, None, "b.db"), resamples=50)
    assert all((line.low or 0) < 0 < (line.high or 0) for line in apart.bots), "nothing is shared by two databases"


def test_as_json() -> None:
    told = msgspec.to_builtins(as_json(compared(run(EARLIER, 1), run(LATER, None), resamples=50)))
    assert told["before"] == {"run": "night/small/0", "night": 1, "database": "a.db", "games": 24}
    assert told["after"]["night"] is None
    assert told["bots"][0].keys() == {
        "bot", "version", "place_before", "place_after", "rating_before", "rating_after", "change", "low", "high",
        "games_before", "games_after",
    }  # fmt: skip


def test_runs_without_games() -> None:
    assert as_text(compared(run([], None), run([], None)))[1:] == [
        "  nobody changed places; 0 ratings changed with 95 % certainty"
    ]
