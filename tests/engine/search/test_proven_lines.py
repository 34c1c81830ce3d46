"""A win that was found is played on, without another search, as long as the other side plays along."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.limit import Limit
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import proven_lines
from engine.search.decision import Decision, win_in
from tests.support.engine.watches import Clock, Stop

STRONGEST = bot("strongest")


def won(game: str) -> tuple[Position, Decision]:
    """A position with a proven win in five or more, found in time without end."""
    random = Random(5)
    while True:
        position = rules(game).initial
        while position.outcome is None:
            position = position.play(random.choice(position.legal_moves()))
            if position.outcome is None and position.ply > 5:
                decision = decide(STRONGEST, position, Limit(nodes=30_000))
                if (decision.win_in or 0) >= 5 and len(decision.pv) > 2:
                    return position, decide(STRONGEST, position, Limit(move_ms=1000), watch=Clock())


@pytest.mark.parametrize("game", ["qubic", "nine-board", "mnk:7,7,4"])
def test_the_line_is_played_on_without_a_search(game: str) -> None:
    position, decision = won(game)
    assert decision.win_in is not None
    assert decision.proven
    line = decision.pv
    plies = decision.win_in
    while len(line) > 2:
        position = position.play(line[0]).play(line[1])
        line, plies = line[2:], plies - 2
        again = decide(STRONGEST, position, Limit(move_ms=1), watch=Stop())
        assert (again.move, again.win_in, again.pv, again.nodes) == (line[0], plies, line, 0)
        assert again.value is not None
        assert win_in(again.value) == plies


def test_after_another_reply_there_is_a_new_search() -> None:
    position, decision = won("mnk:7,7,4")
    after = position.play(decision.pv[0])
    other = next(move for move in after.legal_moves() if move != decision.pv[1])
    assert proven_lines.known(after.play(decision.pv[1])) is not None
    assert proven_lines.known(after.play(other)) is None


def test_limits_that_can_be_repeated_know_nothing_of_it() -> None:
    position, decision = won("mnk:7,7,4")
    after = position.play(decision.pv[0]).play(decision.pv[1])
    assert decide(STRONGEST, after, Limit(nodes=5000)).nodes > 0
