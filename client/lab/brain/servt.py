"""The nine-board protocol of the University of New South Wales, whose server is called servt.

Source: COMP3411 and COMP9814, assignment 3, "Nine-Board Tic-Tac-Toe", Alan Blair, UNSW.

An agent connects to the server, which sends lines and awaits a square, 1 to 9, in reading order:

    init.                       a series of games begins
    start(x). start(o).         a game begins, and this is our side
    second_move(B,S).           X began in board B at square S, by lot: our answer
    third_move(B,S,R).          we began so, O answered at square R: our next move
    next_move(R).               the opponent's square: our next one
    last_move(R).               the opponent's square, which ended the game
    win(WHY). loss(WHY). draw(WHY).
    end.                        of the series

There a game is drawn as soon as a move leads to a full board, where our rules give a free choice. That is so late that
the same moves are good.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from client.lab.brain.choice import Choose, ProtocolError, numbers
from engine.rules.position import Move, Position
from engine.rules.registry import rules

_LINE: Final = re.compile(r"([a-z_]+)(?:\(([^()]*)\))?\.?")


class Servt:
    """A series of games: lines in, lines out. Every turn may take `move_ms`."""

    def __init__(self, choose: Choose, move_ms: int) -> None:
        self._choose = choose
        self._move_ms = move_ms
        self._start: Position = rules("nine-board").initial
        self._position = self._start
        self._moves: list[Move] = []
        self._game = -1
        self.ended = False
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "init": lambda _: [],
            "start": self._begin,
            "second_move": lambda squares: self._turn(squares, 2),
            "third_move": lambda squares: self._turn(squares, 3),
            "next_move": lambda squares: self._turn(squares, 1),
            "last_move": lambda _: [],
            "win": lambda _: [],
            "loss": lambda _: [],
            "draw": lambda _: [],
            "end": self._end,
        }

    def hear(self, line: str) -> list[str]:
        """Our square where it is our turn. Raises ProtocolError."""
        if not line.strip():
            return []
        found = _LINE.fullmatch(line.strip())
        if found is None or found[1] not in self._commands:
            raise ProtocolError(f"{line[:40]!r} is not one of the server's lines: {', '.join(self._commands)}.")
        return self._commands[found[1]](found[2] or "")

    def _begin(self, _: str) -> list[str]:
        self._position, self._moves = self._start, []
        self._game += 1
        return []

    def _end(self, _: str) -> list[str]:
        self.ended = True
        return []

    def _turn(self, squares: str, count: int) -> list[str]:
        try:
            told = numbers(squares, ",")
            if len(told) != count or not all(1 <= square <= 9 for square in told):
                raise ValueError(f"({squares[:40]}) must be {count} of the numbers 1 to 9.")
            for cell in self._cells(told):
                self._play(cell)
        except ValueError as error:
            raise ProtocolError(str(error)) from None
        if self._position.outcome is not None:
            raise ProtocolError("The server asks for a move, but the game is over.")
        move = self._choose(self._position, self._move_ms, self._moves, self._game).move
        self._play(move)
        return [str(move % 9 + 1)]

    def _play(self, move: Move) -> None:
        self._position = self._position.play(move)
        self._moves.append(move)

    def _cells(self, told: tuple[int, ...]) -> list[int]:
        """The cells of the squares that are told, the first two being a board and a square where there are several."""
        if len(told) == 1:
            if self._position.forced is None:
                raise ValueError("next_move names a square, and no board is forced.")
            return [9 * self._position.forced + told[0] - 1]
        board, square, *reply = told
        return [9 * (board - 1) + square - 1, *(9 * (square - 1) + one - 1 for one in reply)]
