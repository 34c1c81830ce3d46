"""Finished games out of records of one JSON line each, as `noughts export` and `noughts match --record` write them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated

import msgspec

from engine.rules.nested import NestedRules
from engine.rules.position import IllegalMove, MalformedMove, Position, X


@dataclass(slots=True)
class Games:
    """What can be learned from."""

    moves: list[tuple[int, ...]] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    """X's: 1, 1/2 or 0."""
    left_out: int = 0
    """Lines of other games, of unfinished ones and of those that break the rules."""
    complaint: str | None = None
    """What was wrong with the first line that breaks the rules."""


class _Move(msgspec.Struct):
    cell: Annotated[str, msgspec.Meta(max_length=9)]


class _Line(msgspec.Struct):
    game: str
    moves: list[_Move]
    start: list[str] = []


def add(games: Games, rules: NestedRules, name: str, lines: Iterable[str]) -> None:
    """Add the games of a file. A game counts if the rules ended it; what it says of its result is not read."""
    for number, line in enumerate(lines, 1):
        try:
            record = msgspec.json.decode(line, type=_Line)
            ended = _played(record, rules) if record.game == rules.id else None
        except (msgspec.MsgspecError, MalformedMove, IllegalMove) as error:
            games.complaint = games.complaint or f"{name}, line {number}: {error}"
            ended = None
        if ended is None or ended[1].outcome is None:
            games.left_out += 1
            continue
        winner = ended[1].outcome.winner
        games.moves.append(ended[0])
        games.results.append(0.5 if winner is None else float(winner == X))


def _played(record: _Line, rules: NestedRules) -> tuple[tuple[int, ...], Position]:
    position: Position = rules.initial
    moves = tuple(rules.parse_move(text) for text in (*record.start, *(move.cell for move in record.moves)))
    for move in moves:
        position = position.play(move)
    return moves, position
