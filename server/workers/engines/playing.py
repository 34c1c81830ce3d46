"""Engines where games are played: in worker processes, each of which has engines of its own, kept warm between moves.

So an engine's thinking takes a worker's turn, like that of a bot of ours, and ends with that worker.
"""

from __future__ import annotations

from collections import OrderedDict
from random import Random
from typing import Final

from engine.bots.player import NO_WATCH
from engine.rules.limit import Limit
from engine.rules.position import Move, Position, Rules
from engine.search.decision import Decision
from engine.search.watch import Watch
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import Engine
from server.workers.engines.remembered import RememberedGames
from server.workers.engines.session import Session

MAX_WARM: Final = 4
"""Engines that a process keeps at a time; the one that was asked longest ago is ended for a new one."""

_sessions: OrderedDict[Engine, Session] = OrderedDict()
_remembered: Final = RememberedGames()


def decide(
    values: tuple[Engine, tuple[Move, ...]], position: Position, limit: Limit, random: Random, watch: Watch
) -> Decision:
    """See `engine.bots.player.decide`. Raises BotFault, and Unwanted once the watch says stop."""
    engine, moves = values
    question = Question(position, moves, limit, limit.move_ms or engine.move_ms, random.getrandbits(32))
    if engine.remembers:
        return _remembered.decide(engine, question, watch)
    return _session(engine).decide(question, watch)


def prepare(
    engine: Engine, rules: Rules, moves: tuple[Move, ...] = (), watch: Watch = NO_WATCH, seed: int | None = None
) -> None:
    """Start the engine, in nobody's time, unless it is running where these moves can be continued.

    `seed` is that of their game, if its end will be reported: the next decision belongs to it. Raises BotFault, and
    Unwanted once the watch says stop.
    """
    if engine.remembers:
        _remembered.prepare(engine, rules, moves, watch, seed)
    else:
        _session(engine).prepare(rules, watch)


def end_idle() -> None:
    """Nobody has asked for a while."""
    for session in _sessions.values():
        session.end()
    _remembered.end_idle()


def end_games() -> None:
    """Every game that was begun here is over."""
    _remembered.end_begun()


def end_game(seed: int) -> None:
    """The game with this seed is over."""
    _remembered.end_game(seed)


def _session(engine: Engine) -> Session:
    session = _sessions.pop(engine, None) or Session(engine)
    _sessions[engine] = session
    if len(_sessions) > MAX_WARM:
        _sessions.popitem(last=False)[1].end()
    return session
