"""What the languages of engines have in common. Pure: lines in, events out; `session` carries them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple, Protocol, TypeAlias

from msgspec import Meta

from engine.bots.fault import BotFault
from engine.rules.limit import Limit
from engine.rules.notation import shown
from engine.rules.position import Move, Position, Rules
from engine.search.decision import Decision

MAX_VALUE: Final = 1_000_000
"""Bound on the value that an engine gives a position, on its own scale, to either side of 0."""
WARM_UP_MS: Final = 100
"""The time for a first move that nobody plays: it shows that the engine answers."""

Value: TypeAlias = Annotated[float, Meta(ge=-MAX_VALUE, le=MAX_VALUE)]
Nodes: TypeAlias = Annotated[int, Meta(ge=0, le=10**15)]
Depth: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]


@dataclass(frozen=True, slots=True)
class Question:
    """A move to be decided."""

    position: Position
    moves: tuple[Move, ...]
    """All that led to the position from the first one."""
    limit: Limit
    move_ms: int
    """Time for the move, whatever the limit."""
    seed: int = 0
    """Seed for what is decided by lot."""

    @property
    def rules(self) -> Rules:
        return self.position.rules


class Say(NamedTuple):
    """A line for the engine, without its end."""

    line: str


class Ready(NamedTuple):
    """The engine can be asked."""


class Report(NamedTuple):
    """How far the engine's search has come; the line's first move is its own."""

    nodes: int
    depth: int
    value: float
    pv: tuple[Move, ...]


Event: TypeAlias = Say | Ready | Report | Decision


class Dialogue(Protocol):
    """A conversation with one process of an engine. What it says wrongly raises BotFault and ends it."""

    def begin(self, rules: Rules) -> list[Event]:
        """What to say before the first question, which may be asked once the engine is Ready."""

    def ask(self, question: Question) -> list[Event]:
        """What to say for a question. One question at a time."""

    def hear(self, line: bytes) -> list[Event]:
        """A line of the engine, without its end; the answer to a question is a Decision."""


def decoded(line: bytes) -> str:
    """The text of a line. Raises BotFault."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise BotFault("illegal_move", f"wrote what is not UTF-8: {shown(line.decode(errors='replace'))}") from None


def asked(question: Question | None, text: str) -> Question:
    """The question that a line is about. Raises BotFault where there is none."""
    if question is None:
        raise BotFault("illegal_move", f"wrote {shown(text)} without being asked")
    return question


def move_of(text: str, position: Position) -> Move:
    """A legal move in our notation. Raises BotFault."""
    try:
        move = position.rules.parse_move(text)
        position.play(move)
    except ValueError as error:
        raise BotFault("illegal_move", f"played {shown(text)}: {error}") from None
    return move


def legal_part(texts: list[str], position: Position) -> tuple[Move, ...]:
    """The moves of a line, up to the first that is not legal: a line is shown and decides nothing."""
    moves: list[Move] = []
    for text in texts:
        try:
            move = position.rules.parse_move(text)
            position = position.play(move)
        except ValueError:
            break
        moves.append(move)
    return tuple(moves)
