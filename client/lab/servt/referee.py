"""One game of UNSW's nine-board server: who is asked what, and when it is over. Pure.

A move that leads to a full board ends the game as a draw here, so no move is ever a free choice but the first, which is
made by lot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from engine.bots.fault import BotFault
from engine.rules.position import Move, O, Position, Side, X, other
from engine.rules.registry import rules
from server.workers.engines.servt import answered, square, turn

Cause: TypeAlias = Literal["triple", "full_board", "illegal_move", "timeout"]
NINE_BOARD: Final = rules("nine-board")


class TooLate(Exception):
    """An agent has not answered in its time, or is gone; the text ends a sentence that begins with its name."""


class Agent(Protocol):
    def tell(self, line: str) -> None:
        """Never raises: whether an agent is gone shows when it is asked."""

    def ask(self, line: str) -> str:
        """Its answer. Raises TooLate, and BotFault for bytes that are no line."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that is over."""

    moves: tuple[Move, ...]
    winner: Side | None
    cause: Cause
    fault: str | None = None
    """What the loser did wrong, as the end of a sentence that begins with its name."""


def play(agents: Mapping[Side, Agent], first: Move) -> Game:
    """Plays a game in which X begins with `first`; each agent is told its side before and how the game ended."""
    for side in (X, O):
        agents[side].tell(f"start({side}).")
    game = _played(agents, NINE_BOARD.initial.play(first), first)
    for side in (X, O):
        word = "draw" if game.winner is None else "win" if game.winner == side else "loss"
        agents[side].tell(f"{word}({game.cause}).")
    return game


def _played(agents: Mapping[Side, Agent], position: Position, first: Move) -> Game:
    moves: tuple[Move, ...] = (first,)
    while (ended := _end(position)) is None:
        side = position.to_move
        try:
            move = answered(agents[side].ask(turn(moves)), position)
        except TooLate as late:
            return Game(moves, other(side), "timeout", str(late))
        except BotFault as fault:
            return Game(moves, other(side), "illegal_move", str(fault))
        moves, position = (*moves, move), position.play(move)
    agents[position.to_move].tell(f"last_move({square(moves[-1])}).")
    return Game(moves, *ended)


def _end(position: Position) -> tuple[Side | None, Cause] | None:
    if position.outcome is not None and position.outcome.winner is not None:
        return position.outcome.winner, "triple"
    if position.outcome is not None or position.forced is None:
        return None, "full_board"
    return None
