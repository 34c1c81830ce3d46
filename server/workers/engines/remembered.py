"""Engines that remember their games: each game has a process of its own, from its first move to its last.

Such an engine chooses for itself, so it cannot be brought to a position by playing the game again. A process is known
by what has been played in it: the one that has followed a position's moves, all but the opponent's last, answers for
it. On a server, which tells when a game is over, it must be of that game too. In a match, of two processes with the
same moves either will do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine.bots.fault import BotFault
from engine.rules.position import Move, Rules
from engine.search.decision import Decision
from engine.search.watch import Watch
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import PROTOCOLS, Engine
from server.workers.engines.session import Session, Unwanted

MAX_GAMES: Final = 32
"""Games at a time, which a server enforces itself. Of games whose end is not reported, the one whose engine was asked
longest ago ends for a new one."""
IDLE_S: Final = 3600.0
"""A game whose engine was not asked for this long is over."""
LOST: Final = "has lost its game: it remembers its games itself, and its process of this one has ended"


@dataclass(eq=False, slots=True)
class _Game:
    """A process, and what has been played in it."""

    engine: Engine
    session: Session
    asked_s: float
    rules: Rules | None = None
    moves: tuple[Move, ...] = ()
    """The engine's answer is the last of them."""
    seed: int | None = None
    """Seed of the game, where its end will be told."""
    answer: Decision | None = None
    """Its latest answer; None before the first, when the process can begin any game."""


class RememberedGames:
    """The remembered games of one worker. A game's next question must come to the same worker."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._games: list[_Game] = []
        """Sorted by when they were last asked, the longest ago first."""
        self._seed: int | None = None
        """Seed of the game that was prepared last, which the next question is about."""

    def prepare(
        self, engine: Engine, rules: Rules, moves: tuple[Move, ...], watch: Watch, seed: int | None = None
    ) -> None:
        """Have a process for a game that begins with these moves. Raises BotFault or Unwanted."""
        self._seed = seed
        game = self._found(engine, rules, moves)
        if game is not None and game.answer is None:
            game.session.prepare(rules, watch)

    def decide(self, engine: Engine, question: Question, watch: Watch) -> Decision:
        """The engine's move, which is legal. Raises BotFault or Unwanted."""
        game = self._found(engine, question.rules, question.moves)
        if game is None:
            raise BotFault("crash", LOST)
        if game.answer is not None and game.moves[:-1] == question.moves:  # asked once more
            return game.answer
        if game.answer is None:
            game.session.prepare(question.rules, watch, starts_anyway=True)
            question = replace(question, move_ms=max(question.move_ms, PROTOCOLS[engine.protocol].first_ms))
        if watch.stopped():
            raise Unwanted
        try:
            answer = game.session.decide(question, watch)
        except BaseException:
            # Its session goes on to begin other games, after the pause that a fault costs.
            game.session.end()
            game.rules, game.moves, game.answer, game.seed = None, (), None, None
            raise
        game.rules, game.moves, game.answer = question.rules, (*question.moves, answer.move), answer
        game.seed = self._seed
        return answer

    def end_idle(self) -> None:
        """Nobody has asked for a while: processes that have begun no game end, and those that wait for too long."""
        now_s = self._now_s()
        self._end([game for game in self._games if game.answer is None or now_s - game.asked_s >= IDLE_S])

    def end_game(self, seed: int) -> None:
        """The game with this seed is over."""
        self._end([game for game in self._games if game.answer is not None and game.seed == seed])

    def end_begun(self) -> None:
        """The games that were played are over."""
        self._end([game for game in self._games if game.answer is not None])

    def _found(self, engine: Engine, rules: Rules, moves: tuple[Move, ...]) -> _Game | None:
        """The process for this game; None where it must remember what it does not."""
        most = PROTOCOLS[engine.protocol].opening_plies
        assert most is not None
        ours = [game for game in self._games if game.engine == engine]
        begun = [game for game in ours if game.answer is not None and (game.rules, game.seed) == (rules, self._seed)]
        found = [game for game in begun if game.moves == moves[:-1]]
        if not found and len(moves) <= most + 1:
            found = [game for game in ours if game.answer is None] or [self._new(engine)]
        found = found or [game for game in begun if game.moves[:-1] == moves]
        if not found:
            return None
        game = found[0]
        game.asked_s = self._now_s()
        self._games.remove(game)
        self._games.append(game)
        return game

    def _new(self, engine: Engine) -> _Game:
        if len(self._games) >= MAX_GAMES:
            self.end_idle()
            untold = [game for game in self._games if game.seed is None]
            self._end(untold[: max(0, len(self._games) + 1 - MAX_GAMES)])
        game = _Game(engine, Session(engine), self._now_s())
        self._games.append(game)
        return game

    def _end(self, games: list[_Game]) -> None:
        for game in games:
            game.session.end()
            self._games.remove(game)
