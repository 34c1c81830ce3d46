"""Games of two bots, for tests of the bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.bots.match import Task, play
from engine.bots.roster import Bot
from engine.record.model import GameRecord
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Move, Rules, Side, X

NO_LIMITS: Mapping[Side, Limit] = {"x": NO_LIMIT, "o": NO_LIMIT}


def play_game(
    x: Bot,
    o: Bot,
    rules: Rules,
    limits: Mapping[Side, Limit] = NO_LIMITS,
    seed: int = 0,
    start: Sequence[Move] = (),
) -> GameRecord:
    """The record of one game without a clock, in which no bot does anything wrong."""
    played = play(Task(0, 0, X, rules.id, x, o, limits["x"], limits["o"], tuple(start), seed))
    assert played.fault is None
    return played.record
