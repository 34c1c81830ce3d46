"""CodinGame's Ultimate Tic-Tac-Toe, and its first league on one board of 3 x 3.

Source: the statement of https://www.codingame.com/multiplayer/bot-programming/tic-tac-toe

Each turn: a line `ROW COLUMN` with the opponent's move, -1 -1 where there is none yet; a line with the number of moves
that are allowed; then so many lines `ROW COLUMN`. The answer is one of them. Rows and columns count from 0 over all
nine boards; a turn may take 100 ms, the first one a second. The protocol has no message for an error, and none for the
end.
"""

from __future__ import annotations

from typing import Final

from client.lab.brain.choice import Choose, ProtocolError, numbers
from engine.rules.position import Move, Position, Rules
from server.workers.engines.places import cell, place

FIRST_MS: Final = 1000
MOVE_MS: Final = 100
_NONE: Final = (-1, -1)


class CodinGame:
    """One game: lines in, lines out."""

    ended: Final = False
    """It ends with its input."""

    def __init__(self, game: Rules, choose: Choose) -> None:
        self._choose = choose
        self._position: Position = game.initial
        self._moves: list[Move] = []
        self._move_ms = FIRST_MS
        self._turn: list[tuple[int, ...]] = []
        """The lines of this turn so far."""

    def hear(self, line: str) -> list[str]:
        """Our move where this line completes a turn. Raises ProtocolError."""
        try:
            self._turn.append(numbers(line))
        except ValueError as error:
            raise ProtocolError(str(error)) from None
        if len(self._turn) < 2 or len(self._turn) < 2 + self._count():
            return []
        opponents, _, *allowed = self._turn
        self._turn = []
        if opponents != _NONE:
            self._play(self._cell(opponents))
        if {self._cell(told) for told in allowed} != set(self._position.legal_moves()):
            raise ProtocolError(
                f"After {self._position.ply} moves the moves that are allowed are not those of "
                f"{self._position.rules.id}: choose another --game."
            )
        move = self._choose(self._position, self._move_ms, self._moves, 0).move
        self._move_ms = MOVE_MS
        self._play(move)
        return [place(self._position.rules, move)]

    def _count(self) -> int:
        """How many moves are allowed."""
        if len(self._turn[1]) != 1 or self._turn[1][0] < 0:
            raise ProtocolError("The second line of a turn is the number of moves that are allowed.")
        return self._turn[1][0]

    def _play(self, move: Move) -> None:
        try:
            self._position = self._position.play(move)
        except ValueError as error:
            raise ProtocolError(str(error)) from None
        self._moves.append(move)

    def _cell(self, told: tuple[int, ...]) -> int:
        found = cell(self._position.rules, *told) if len(told) == 2 else None
        if found is None:
            raise ProtocolError(f"{' '.join(map(str, told))} is not a place: write ROW COLUMN, counted from 0.")
        return found
