"""How the ratings of a run came about."""

from __future__ import annotations

from server.db.ladder import ListRow
from server.ladder.history import history
from server.ladder.runs import BotKey, PlayedPair, Run
from server.ladder.schedule import PairScore


def test_pairs_count_in_the_order_in_which_they_ended() -> None:
    one, other = BotKey("one", 1), BotKey("other", 1)
    pairs = {
        0: PlayedPair(one, other, PairScore(1.0, 1.0), ended_ms=9),
        1: PlayedPair(one, other, PairScore(0.0, 0.0), ended_ms=5),
    }
    small = ListRow("night/small/0", "night", "small", "tictactoe", "{}", 0, None, None, None, 4, None)
    found = history(Run("some.db", small, None, pairs), 2)
    assert found.ended_ms == (5, 9)
    first = found.points[0].ratings[found.bots.index(one)]
    assert first is not None
    assert first.rating < 0, "it had lost the only pair"
