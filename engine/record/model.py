"""A game's record, checked when it is made: its moves are legal and its result is one they allow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final, get_args

from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.notation import shown
from engine.rules.position import IllegalMove, Kind, Move, O, Position, Rules, Side, UnknownGame, X
from engine.rules.registry import rules
from engine.rules.termination import (
    RULE_TERMINATIONS,
    TERMINATIONS_WITH_WINNER,
    TERMINATIONS_WITHOUT_WINNER,
    Termination,
)

_INTEGER_BOUND: Final = 1 << 63


class MalformedRecord(ValueError):
    """Fields that make no record of a game, or that contradict each other."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who played a side; the version is a bot's."""

    name: str
    kind: Kind = "person"
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """The time control in milliseconds: `initial_ms` and `increment_ms`, or `move_ms` for each move."""

    initial_ms: int | None = None
    increment_ms: int | None = None
    move_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What the bots' searches might spend on a move, for each side that had such a bound."""

    x: Limit | None = None
    o: Limit | None = None


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move with what is known of it. Values are in the mover's own scale, as in a Decision."""

    cell: Move
    at: int | None = None
    """Unix milliseconds when it was made."""
    think_ms: int | None = None
    think_us: int | None = None
    """The same in microseconds, if it was measured that finely."""
    wait_ms: int | None = None
    """How long a bot waited for a worker, which cost it no time."""
    remaining_ms: int | None = None
    """Left on the mover's clock after the move."""
    nodes: int | None = None
    depth: int | None = None
    value: float | None = None
    win_in: int | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game, finished or not. Raises MalformedRecord for moves or a result that the rules do not allow."""

    game: str
    """Canonical id."""
    x: Player
    o: Player
    moves: tuple[RecordedMove, ...] = ()
    start: tuple[Move, ...] = ()
    """The opening that was set, before `moves`; X made its first."""
    winner: Side | None = None
    termination: Termination | None = None
    """None while the game runs."""
    clock: Clock | None = None
    started: int | None = None
    """Unix milliseconds."""
    ended: int | None = None
    """Unix milliseconds; None while the game runs."""
    limits: Limits | None = None
    rated: bool = False
    seed: int | None = None
    source: str | None = None
    """What made the game: a server, a ladder, an experiment."""
    machine: str | None = None
    """The name of the computer that ran the game."""
    software: str | None = None
    """The version of noughts."""
    run: str | None = None
    """The run of a ladder or an experiment."""
    pair: int | None = None
    """Two games with one opening and sides swapped share it."""
    opening: str | None = None
    """The start's name in its list."""
    id: int | None = None
    """The game's id in the database."""

    def __post_init__(self) -> None:
        _check_fields(self)
        _check_result(self, self.final_position())

    @property
    def rules(self) -> Rules:
        return rules(self.game)

    def cells(self) -> tuple[Move, ...]:
        """Every move from the first position on, the start's first."""
        return (*self.start, *(move.cell for move in self.moves))

    def final_position(self) -> Position:
        """The position after every move."""
        position = _rules_of(self.game).initial
        try:
            for cell in self.cells():
                position = position.play(cell)
        except IllegalMove as illegal:
            raise MalformedRecord(f"Move {position.ply + 1} is illegal: {illegal}") from None
        except TypeError:
            raise MalformedRecord(f"Move {position.ply + 1} is no integer.") from None
        return position

    @property
    def result(self) -> str:
        """`1-0` when X won, `0-1` when O did, `1/2-1/2` for a draw, `*` while it runs and after an abort."""
        if self.winner is not None:
            return "1-0" if self.winner == X else "0-1"
        return "*" if self.termination in (None, "aborted") else "1/2-1/2"


def known_fields(part: Player | Clock | RecordedMove) -> dict[str, Any]:
    """The fields that are known, by their names."""
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    return {name: value for name, value in values.items() if value is not None}


def _rules_of(game_id: str) -> Rules:
    try:
        return rules(game_id)
    except UnknownGame as unknown:
        raise MalformedRecord(str(unknown)) from None


def _check_fields(record: GameRecord) -> None:
    if record.game != _rules_of(record.game).id:
        raise MalformedRecord(f"{shown(record.game)} is not the canonical id {_rules_of(record.game).id}.")
    for name, number in _numbers(record):
        if number is not None and not -_INTEGER_BOUND <= number < _INTEGER_BOUND:
            raise MalformedRecord(f"{name} is beyond 64 bits.")
        if number is not None and number < 0 and name not in ("seed", "win_in"):
            raise MalformedRecord(f"{name} cannot be negative.")
    for move in record.moves:
        if move.value is not None and not math.isfinite(move.value):
            raise MalformedRecord("A value is a finite number.")
    clock = record.clock
    if clock and (clock.initial_ms is None) == (clock.move_ms is None):
        raise MalformedRecord("A clock has either initial_ms or move_ms.")
    if clock and (clock.initial_ms is None) != (clock.increment_ms is None):
        raise MalformedRecord("A clock has initial_ms and increment_ms together.")
    if record.limits == Limits():
        raise MalformedRecord("Limits are those of x, of o or of both.")
    if NO_LIMIT in _limits(record):
        raise MalformedRecord("A limit has one of move_ms, nodes and depth.")
    if record.ended is not None and record.termination is None:
        raise MalformedRecord("A game that has ended has a termination.")


def _limits(record: GameRecord) -> list[Limit]:
    limits = record.limits or Limits()
    return [limit for limit in (limits.x, limits.o) if limit is not None]


def _numbers(record: GameRecord) -> Iterator[tuple[str, int | None]]:
    yield from (("id", record.id), ("started", record.started), ("ended", record.ended))
    yield from (("seed", record.seed), ("pair", record.pair))
    yield from (("version", player.version) for player in (record.x, record.o))
    parts: list[RecordedMove | Clock | Limit] = [*record.moves, *_limits(record)]
    if record.clock is not None:
        parts.append(record.clock)
    for part in parts:
        for field in fields(part):
            if field.name not in ("cell", "value"):
                yield field.name, getattr(part, field.name)


def _check_result(record: GameRecord, position: Position) -> None:
    termination, winner = record.termination, record.winner
    if winner not in (None, X, O):
        raise MalformedRecord(f"A winner is {X} or {O}, not {shown(str(winner))}.")
    if termination is not None and termination not in get_args(Termination):
        raise MalformedRecord(f"There is no termination {shown(str(termination))}.")
    outcome = position.outcome
    if outcome is not None or termination in RULE_TERMINATIONS:
        if outcome is None or (outcome.winner, outcome.termination) != (winner, termination):
            raise MalformedRecord(f"The moves do not end in {termination} with the winner {winner or 'nobody'}.")
    elif winner is not None and (termination is None or termination in TERMINATIONS_WITHOUT_WINNER):
        raise MalformedRecord(f"A game with the termination {termination} has no winner.")
    elif winner is None and termination in TERMINATIONS_WITH_WINNER:
        raise MalformedRecord(f"A game with the termination {termination} has a winner.")
