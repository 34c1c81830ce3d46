"""Games between two bots without a network, and the list of games that a match is made of.

Pure: a match is a list of tasks, plain data that can be sent to other processes; the clock belongs to the caller, who
hands in a maker of watches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, Protocol, TypeAlias

from engine.bots.adjudication import NO_ADJUDICATION, Adjudication, Verdict
from engine.bots.cold import needs
from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, NO_WATCH, Limit, Watch, check, decide
from engine.bots.roster import Bot
from engine.record.model import GameRecord, Limits, Player, RecordedMove
from engine.rules.openings import Opening, openings
from engine.rules.position import IllegalMove, Move, O, Rules, Side, X, other, play_all
from engine.rules.registry import rules
from engine.rules.termination import Termination
from engine.search.decision import Decision
from engine.search.warm import compile_stage

_SHOWN_CHARACTERS: Final = 200
"""Characters shown of what a bot raised."""


class MoveWatch(Watch, Protocol):
    """The watch of one decision, fine enough to tell the times of fast moves."""

    def elapsed_us(self) -> int:
        """Microseconds since the watch was made; never falls."""

    def elapsed_ms(self) -> int:
        return self.elapsed_us() // 1000


Watches: TypeAlias = Callable[[Sequence[Move]], MoveWatch]
"""Makes the watch of one decision; called right before it with every move so far, the start's first."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two bots, called A and B, that are to play pairs of games: each opening twice, with sides swapped."""

    game: str
    """Canonical id."""
    a: Bot
    b: Bot
    pairs: int
    a_limit: Limit = NO_LIMIT
    b_limit: Limit = NO_LIMIT
    seed: int = 0
    plies: int = 2
    """Plies of each opening."""


@dataclass(frozen=True, slots=True)
class Task:
    """One game to be played."""

    number: int
    """From 0, in the order of the match."""
    pair: int
    """From 0; the games 2n and 2n + 1 are pair n."""
    a_side: Side
    """The side of the pairing's first bot."""
    game: str
    x: Bot
    o: Bot
    x_limit: Limit
    o_limit: Limit
    start: Opening
    seed: int

    def bot(self, side: Side) -> Bot:
        return self.x if side == X else self.o

    @property
    def limits(self) -> dict[Side, Limit]:
        return {X: self.x_limit, O: self.o_limit}


@dataclass(frozen=True, slots=True)
class Played:
    """A task that is done."""

    task: Task
    record: GameRecord
    fault: str | None = None
    """One sentence on what went wrong, when the game was forfeited."""

    @property
    def think_us(self) -> tuple[int, ...]:
        """Microseconds of each move of the record; empty without a clock."""
        return tuple(move.think_us for move in self.record.moves if move.think_us is not None)

    @property
    def a_points(self) -> float | None:
        """1, 1/2 or 0 for the pairing's first bot; None for a game without a result."""
        if self.record.termination in (None, "aborted"):
            return None
        if self.record.winner is None:
            return 0.5
        return 1.0 if self.record.winner == self.task.a_side else 0.0


def tasks(pairing: Pairing) -> tuple[Task, ...]:
    """Every game of the pairing, in order. The same pairing gives the same tasks, whoever plays them and when.

    Each game has a seed of its own: with one for both games of a pair, two equal bots would play the same game twice.
    Raises ValueError where `engine.rules.openings` does.
    """
    dealt = openings(rules(pairing.game), pairing.seed, pairing.pairs, pairing.plies)
    return tuple(_task(pairing, 2 * pair + (a_side == O), pair, a_side, start)
                 for pair, start in enumerate(dealt) for a_side in (X, O))  # fmt: skip


def one_sided_tasks(pairing: Pairing, games: int) -> tuple[Task, ...]:
    """Games from the first position in which A is X each time."""
    return tuple(_task(pairing, number, number, X, ()) for number in range(games))


def _task(pairing: Pairing, number: int, pair: int, a_side: Side, start: Opening) -> Task:
    a, b = (pairing.a, pairing.a_limit), (pairing.b, pairing.b_limit)
    (x, x_limit), (o, o_limit) = (a, b) if a_side == X else (b, a)
    # 48 bits: a record's seed is a 64-bit integer, and a reader in another language may hold it in a float.
    seed = Random(f"{pairing.seed}/{number}").getrandbits(48)
    return Task(number, pair, a_side, pairing.game, x, o, x_limit, o_limit, start, seed)


def play(
    task: Task,
    watches: Watches | None = None,
    overrun_ms: int | None = None,
    adjudication: Adjudication = NO_ADJUDICATION,
) -> Played:
    """Plays a task to its end. A bot that does something wrong loses the game, and nothing else is affected.

    A bot forfeits by `crash` when it raises an exception (a BotFault says by what else), by `illegal_move`, and by
    `flag` when it takes more than `overrun_ms` longer than its `move_ms`, or than `first_ms` of its entry where its
    first move is that long (never with None or without `watches`). A game that the adjudication ends has the
    termination `adjudication`.

    Raises ValueError for a bot that does not play the game or take its limit, IllegalMove for an illegal or finished
    start.
    """
    game = _Game(task, watches, overrun_ms)
    try:
        game.play_on(adjudication)
    except BotFault as fault:
        return _lost(task, game, fault.termination, str(fault))
    except Exception as error:  # whatever a bot may raise
        return _lost(task, game, "crash", f"raised {_said(error)}")
    return Played(task, game.record())


def forfeited(
    task: Task, moves: Iterable[Move], side: Side | None, termination: Literal["crash", "stall"], reason: str
) -> Played:
    """A task whose process was lost after `moves` (without the start), through the fault of `side`.

    Without a side to blame the game is aborted. `reason` ends a sentence that begins with the bot's name.
    """
    played = tuple(RecordedMove(move) for move in moves)
    record = _record(task, played, other(side) if side else None, termination if side else "aborted")
    ply = len(task.start) + len(played)
    fault = _sentence(task, side, ply, reason) if side else f"Game {task.number + 1} was aborted: its process {reason}."
    return Played(task, record, fault=fault)


def _lost(task: Task, game: _Game, termination: Termination, what: str) -> Played:
    """The side to move has forfeited."""
    fault = _sentence(task, game.position.to_move, game.position.ply, what)
    return Played(task, game.record(termination), fault)


def _said(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_SHOWN_CHARACTERS]


def _sentence(task: Task, side: Side, ply: int, what: str) -> str:
    return f"Game {task.number + 1}, move {ply + 1}: {task.bot(side).name} ({side.upper()}) {what.rstrip('.')}."


def warm_up(bot: Bot, rules: Rules) -> None:
    """Loads a bot's kernels, and makes it decide a few times, as briefly as it can, so that loading and compiling cost
    no later move time.

    More than once, because some bots do not search for their first move. Exceptions are ignored: they will occur again
    in the game.
    """
    with suppress(Exception):
        for stage in needs(bot, rules):
            compile_stage(stage)
        limit = next(limit for limit in _SHORT if bot.takes(limit) is None)
        position, moves = rules.initial, list[Move]()
        for _ in range(_WARM_UP_PLIES):
            watch = NO_WATCH if limit.depth else _STOPPED
            moves.append(decide(bot, position, limit, watch=watch, moves=moves).move)
            position = position.play(moves[-1])


_WARM_UP_PLIES: Final = 4


class _Stopped(Watch):
    """A watch that wants the answer at once."""

    def stopped(self) -> bool:
        return True


_STOPPED: Final = _Stopped()
_SHORT: Final = (Limit(depth=1), Limit(nodes=1), NO_LIMIT)


class _Game:
    """A game while it is played."""

    def __init__(self, task: Task, watches: Watches | None, overrun_ms: int | None) -> None:
        self._task = task
        self._watches = watches
        self._overrun_ms = overrun_ms
        self._moves: list[RecordedMove] = []
        self._ruled: Verdict | None = None
        self.position = play_all(rules(task.game).initial, task.start)
        if self.position.outcome is not None:
            raise IllegalMove("A game cannot begin with its end: the start is a finished game.")
        for side in (X, O):
            check(task.bot(side), self.position.rules, task.limits[side], len(task.start))

    def play_on(self, adjudication: Adjudication) -> None:
        """Play to the end. If a bot raises something, the position stays the one before its move."""
        while self.position.outcome is None and self._ruled is None:
            self._play_move()
            self._ruled = adjudication.verdict(self._moves, self.position)

    def record(self, forfeited_by: Termination | None = None) -> GameRecord:
        """The game's record. With `forfeited_by` the side to move has lost in this way."""
        outcome = self.position.outcome
        ended: tuple[Side | None, Termination | None] = (None, None)
        if outcome is not None:
            ended = (outcome.winner, outcome.termination)
        elif self._ruled is not None:
            ended = (self._ruled.winner, "adjudication")
        winner, termination = (other(self.position.to_move), forfeited_by) if forfeited_by else ended
        return _record(self._task, tuple(self._moves), winner, termination)

    def _play_move(self) -> None:
        side, cells = self.position.to_move, self._cells()
        watch = self._watches(cells) if self._watches else None
        decision = decide(
            self._task.bot(side), self.position, self._task.limits[side], self._task.seed, watch or NO_WATCH, cells
        )
        think_us = watch.elapsed_us() if watch else None
        self._check_time(side, think_us)
        if not self.position.is_legal(decision.move):
            raise BotFault("illegal_move", f"played the illegal move {decision.move}")
        self.position = self.position.play(decision.move)
        self._moves.append(_recorded(decision, think_us))

    def _check_time(self, side: Side, think_us: int | None) -> None:
        move_ms = self._task.limits[side].move_ms
        if self._overrun_ms is None or move_ms is None or think_us is None:
            return
        if len(self._moves) < 2:  # the first of its own
            move_ms = max(move_ms, self._task.bot(side).entry.first_ms)
        if think_us > 1000 * (move_ms + self._overrun_ms):
            raise BotFault("flag", f"took {think_us // 1000} ms of its {move_ms}")

    def _cells(self) -> tuple[Move, ...]:
        return (*self._task.start, *(move.cell for move in self._moves))


def _record(
    task: Task, moves: tuple[RecordedMove, ...], winner: Side | None, termination: Termination | None
) -> GameRecord:
    return GameRecord(
        game=task.game,
        x=_player(task.x),
        o=_player(task.o),
        moves=moves,
        start=task.start,
        winner=winner,
        termination=termination,
        limits=_limits(task.limits),
        seed=task.seed,
        source="match",
        pair=task.pair,
    )


def _player(bot: Bot) -> Player:
    return Player(bot.name, "bot", bot.version)


def _limits(limits: Mapping[Side, Limit]) -> Limits | None:
    x, o = (limits[side] if limits[side] != NO_LIMIT else None for side in (X, O))
    return Limits(x, o) if x or o else None


def _recorded(decision: Decision, think_us: int | None) -> RecordedMove:
    think_ms = None if think_us is None else think_us // 1000
    if decision.value is None:
        return RecordedMove(decision.move, think_ms=think_ms, think_us=think_us)
    return RecordedMove(
        decision.move,
        think_ms=think_ms,
        think_us=think_us,
        nodes=decision.nodes,
        depth=decision.depth,
        value=decision.value,
        win_in=decision.win_in,
    )
