"""The nine-board protocol of the University of New South Wales, from the server's side. Pure.

    > init.
    > start(x).  start(o).         the agent's side
    > second_move(B,S).            X began in board B at square S, by lot                 < 4
    > third_move(B,S,R).           the agent began so, by lot, and O answered at R        < 4
    > next_move(R).                the opponent's square                                  < 4

After COMP3411 and COMP9814, assignment 3, "Nine-Board Tic-Tac-Toe", Alan Blair, UNSW. Boards and squares are numbered
from 1 in reading order. An agent never moves first: that move is made by lot, unless an opening has one. Nor can it be
told of a free choice, since a full board ends the game there.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from engine.bots.fault import BotFault
from engine.rules.notation import shown
from engine.rules.position import Move, Position, Rules
from engine.search.decision import Decision
from server.workers.engines.dialogue import Event, Question, Ready, Say, asked, decoded
from server.workers.engines.engine import CONNECTED, Engine

_SQUARE: Final = re.compile(r"[1-9]\.?")


def turn(moves: tuple[Move, ...]) -> str:
    """The line that asks the side to move for its next move, after at least one."""
    if len(moves) > 2:
        return f"next_move({square(moves[-1])})."
    name = "second_move" if len(moves) == 1 else "third_move"
    told = (moves[0] // 9 + 1, *map(square, moves))
    return f"{name}({','.join(map(str, told))})."


def answered(text: str, position: Position) -> Move:
    """The move of an answer, in a position with a forced board. Raises BotFault."""
    if _SQUARE.fullmatch(text) is None:
        raise BotFault("illegal_move", f"wrote {shown(text)}: a move is a square, 1 to 9")
    assert position.forced is not None
    move = 9 * position.forced + int(text[0]) - 1
    try:
        position.play(move)
    except ValueError as error:
        raise BotFault("illegal_move", f"played {text}: {error}") from None
    return move


def full_board(rules: Rules, moves: tuple[Move, ...]) -> int | None:
    """The number of the board that was full when a move led to it, which ends the game at UNSW; None without one."""
    position = rules.initial
    for move in moves:
        position = position.play(move)
        if position.outcome is None and position.forced is None:
            return square(move)
    return None


class Servt:
    """See Dialogue. The questions of one game in its order, each after the answer to the one before."""

    def __init__(self, engine: Engine) -> None:
        self._question: Question | None = None
        self._is_connected = False

    def begin(self, rules: Rules) -> list[Event]:
        return []

    def ask(self, question: Question) -> list[Event]:
        moves = question.moves
        if not moves:
            return [Decision(Random(question.seed).choice(question.position.legal_moves()))]
        full = full_board(question.rules, moves)
        if full is not None:
            raise BotFault("crash", f"cannot go on: a move led to board {full}, which is full, and that ends its game")
        self._question = question
        begins = [Say("init."), Say(f"start({question.position.to_move}).")] if len(moves) <= 2 else []
        return [*begins, Say(turn(moves))]

    def hear(self, line: bytes) -> list[Event]:
        text = decoded(line).strip()
        if not self._is_connected and text == CONNECTED:
            self._is_connected = True
            return [Ready()]
        if not text:
            return []
        move = answered(text, asked(self._question, text).position)
        self._question = None
        return [Decision(move, pv=(move,))]


def square(move: Move) -> int:
    """Number of the move's square in its board."""
    return move % 9 + 1
