"""The Gomocup protocol, from the manager's side. Pure.

    > START 15 | RECTSTART 20,15          < OK
    > INFO timeout_turn 1000, and the other limits
    > BEGIN                               < 7,7
    > TURN 7,8                            < 8,8
    > RESTART                             < OK
    > BOARD, X,Y,1 for its own stones and X,Y,2 for the others, in the order of play, DONE     < 9,9

After https://plastovicka.github.io/protocl2en.htm. Coordinates count from 0, columns first. It plays freestyle, five or
more in a row, and on exact boards standard, exactly five. MESSAGE, DEBUG, SUGGEST and what we do not know are passed
over.
"""

from __future__ import annotations

import re
from typing import Final

from engine.bots.fault import BotFault
from engine.rules.flat import FlatRules
from engine.rules.notation import shown
from engine.rules.position import Move, Rules
from engine.search.decision import Decision
from server.workers.engines.dialogue import Event, Question, Ready, Say, decoded
from server.workers.engines.engine import Engine

_FREESTYLE: Final = 0
_STANDARD: Final = 1
_AGAINST_A_BRAIN: Final = 1
_NO_HURRY_MS: Final = 2_147_483_647
"""Time left for the game, which has no limit here."""
_MEGABYTE: Final = 1 << 20
_ERROR_CHARACTERS: Final = 160
_MOVE: Final = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*")


class Gomocup:
    """See Dialogue. A brain remembers one game: another position is told as a whole board."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._rules: Rules
        self._told: tuple[Move, ...] | None = None
        """The moves that are on its board; None before it has said OK to an empty one."""
        self._question: Question | None = None
        self._is_asked = False

    def begin(self, rules: Rules) -> list[Event]:
        self._rules = rules
        return self._start()

    def ask(self, question: Question) -> list[Event]:
        self._question = question
        if question.rules != self._rules:
            self._rules, self._told = question.rules, None
            return self._start()
        if self._told and question.moves[:-1] != self._told:
            self._told = None
            return [Say("RESTART")]
        return self._go_on(question)

    def hear(self, line: bytes) -> list[Event]:
        text = decoded(line).strip()
        word = text.partition(" ")[0].upper()
        if word == "ERROR" or (word == "UNKNOWN" and self._told is None):
            raise BotFault("crash", f"said {shown(text, _ERROR_CHARACTERS)}")
        if word == "OK" and self._told is None:
            self._told = ()
            return [Ready()] if self._question is None else self._go_on(self._question)
        found = _MOVE.fullmatch(text)
        if found is None:
            if text[:1].isdigit():
                raise BotFault("illegal_move", f"wrote {shown(text)}: a move is a column and a row, as in 7,7")
            return []
        return [self._decision(int(found[1]), int(found[2]))]

    def _start(self) -> list[Event]:
        columns, rows = self._rules.dimensions
        return [Say(f"START {columns}" if columns == rows else f"RECTSTART {columns},{rows}")]

    def _go_on(self, question: Question) -> list[Event]:
        """Have it move, on a board that has all, but perhaps the last, of the position's moves or none."""
        self._is_asked = True
        moves, told = question.moves, self._told
        self._told = moves
        if not moves:
            return [*self._limits(question), Say("BEGIN")]
        if moves[:-1] == told:
            return [*self._limits(question), Say(f"TURN {self._place(moves[-1])}")]
        stones = [Say(f"{self._place(move)},{2 if (len(moves) - ply) % 2 else 1}") for ply, move in enumerate(moves)]
        return [*self._limits(question), Say("BOARD"), *stones, Say("DONE")]

    def _limits(self, question: Question) -> list[Event]:
        told: dict[str, object] = {
            "timeout_turn": question.move_ms,
            "timeout_match": 0,
            "time_left": _NO_HURRY_MS,
            "max_memory": self._engine.memory_mb * _MEGABYTE,
            "game_type": _AGAINST_A_BRAIN,
            "rule": _STANDARD if isinstance(self._rules, FlatRules) and self._rules.exact else _FREESTYLE,
            **dict(self._engine.options),
        }
        return [Say(f"INFO {key} {_text(value)}") for key, value in told.items()]

    def _decision(self, column: int, row: int) -> Decision:
        question = self._question
        if question is None or not self._is_asked:
            raise BotFault("illegal_move", f"played {column},{row} without being asked")
        columns, rows = self._rules.dimensions
        if column >= columns or row >= rows:
            raise BotFault("illegal_move", f"played {column},{row}, which is off the board")
        move = column + columns * row
        if not question.position.is_legal(move):
            raise BotFault("illegal_move", f"played {column},{row}, which is taken")
        self._is_asked = False
        self._told = (*question.moves, move)
        return Decision(move, pv=(move,))

    def _place(self, move: Move) -> str:
        row, column = divmod(move, self._rules.dimensions[0])
        return f"{column},{row}"


def _text(value: object) -> str:
    """Numbers are all that the protocol's own keys have for yes and no."""
    return str(int(value)) if isinstance(value, bool) else str(value)
