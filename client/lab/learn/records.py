"""Finished games as JSON lines, as `noughts export` and `noughts match --record` write them, to be learned from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, NamedTuple

import msgspec

from engine.bots.roster import bot
from engine.record.json_line import to_json_line
from engine.record.model import GameRecord, Player, RecordedMove
from engine.rules.position import IllegalMove, MalformedMove, Position, Rules, X
from engine.search.decision import Decision, win_in

_SEARCH: Final = "strongest"
"""The bot whose values are in units of the weights."""


class Scale(NamedTuple):
    """The scale of a search's values."""

    unit: int
    """The odds to win are the exponential of the value / unit."""
    since_version: int
    """The first version of the bot with such values."""


@dataclass(slots=True)
class Games:
    """What can be learned from."""

    moves: list[tuple[int, ...]] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    """X's results: 1, 1/2 or 0."""
    values: list[tuple[float, ...]] = field(default_factory=list)
    """X's expected result at each move, 0 to 1, as the search saw it before the move; NaN where none is known."""
    left_out: int = 0
    """Lines of other games, of unfinished ones and of those that break the rules."""
    complaint: str | None = None
    """What was wrong with the first line that breaks the rules."""


class _Player(msgspec.Struct, frozen=True):
    name: str | None = None
    kind: str | None = None
    version: int | None = None


class _Move(msgspec.Struct):
    cell: Annotated[str, msgspec.Meta(max_length=9)]
    value: float | None = None


class _Line(msgspec.Struct):
    game: str
    moves: list[_Move]
    start: list[str] = []
    x: _Player = _Player()
    o: _Player = _Player()


def add(games: Games, rules: Rules, scale: Scale, name: str, lines: Iterable[str]) -> None:
    """Add the games of a file. A game counts if the rules ended it; what it says of its result is not read."""
    for number, line in enumerate(lines, 1):
        try:
            record = msgspec.json.decode(line, type=_Line)
            ended = _played(record, rules) if record.game == rules.id else None
        except (msgspec.MsgspecError, RecursionError):
            games.complaint = games.complaint or f"{name}, line {number}: not a game as noughts export writes it."
            ended = None
        except (MalformedMove, IllegalMove) as error:
            games.complaint = games.complaint or f"{name}, line {number}: {error}"
            ended = None
        if ended is None or ended[1].outcome is None:
            games.left_out += 1
            continue
        winner = ended[1].outcome.winner
        games.moves.append(ended[0])
        games.results.append(0.5 if winner is None else float(winner == X))
        games.values.append(_values(record, scale))


def expected(value: float | None, by: int, unit: int) -> float:
    """X's expected result by a search's value, `by` being 0 for X and 1 for O; NaN for None."""
    if value is None:
        return math.nan
    plies = win_in(value)
    chance = float(plies > 0) if plies else 0.5 + 0.5 * math.tanh(value / unit / 2)
    return 1 - chance if by else chance


def to_line(moves: Sequence[int], decisions: Sequence[Decision | None], last: Position, seed: int) -> str:
    """A finished game of the search against itself, as `add` reads it; no decision is known of a random move."""
    made = tuple(
        RecordedMove(move, nodes=found.nodes, depth=found.depth, value=found.value, win_in=found.win_in)
        if found
        else RecordedMove(move)
        for move, found in zip(moves, decisions, strict=True)
    )
    player = Player(_SEARCH, "bot", bot(_SEARCH).version)
    assert last.outcome is not None
    winner, termination = last.outcome.winner, last.outcome.termination
    return to_json_line(
        GameRecord(
            last.rules.id, player, player, made, winner=winner, termination=termination, seed=seed, source="learn"
        )
    )


def _values(record: _Line, scale: Scale) -> tuple[float, ...]:
    """Values of the search whose weights are learned only: nobody knows the scales of others."""
    known = [
        player.name == _SEARCH and player.kind == "bot" and (player.version or 0) >= scale.since_version
        for player in (record.x, record.o)
    ]
    before = len(record.start)
    after = (
        expected(move.value if known[ply & 1] else None, ply & 1, scale.unit)
        for ply, move in enumerate(record.moves, before)
    )
    return (*[math.nan] * before, *after)


def _played(record: _Line, rules: Rules) -> tuple[tuple[int, ...], Position]:
    position: Position = rules.initial
    moves = tuple(rules.parse_move(text) for text in (*record.start, *(move.cell for move in record.moves)))
    for move in moves:
        position = position.play(move)
    return moves, position
