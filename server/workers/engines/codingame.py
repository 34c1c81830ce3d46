"""CodinGame's protocol for Ultimate Tic-Tac-Toe and its first league, from the arena's side. Pure.

    > 4 7                 the opponent's row and column; -1 -1 where there is no move yet
    > 9                   how many moves are valid
    > 3 0                 each of them
    > ...
                          < 3 0

After https://www.codingame.com/multiplayer/bot-programming/tic-tac-toe. A bot is ready when it runs: there is no word
for that, and none for a new game.
"""

from __future__ import annotations

import re
from typing import Final

from engine.bots.fault import BotFault
from engine.rules.notation import shown
from engine.rules.position import Rules
from engine.search.decision import Decision
from server.workers.engines.dialogue import Event, Question, Ready, Say, asked, decoded
from server.workers.engines.engine import Engine
from server.workers.engines.places import cell, place

_NO_MOVE: Final = "-1 -1"
_MOVE: Final = re.compile(r"([0-9]{1,3})\s+([0-9]{1,3})")


class CodinGame:
    """See Dialogue. The questions of one game in its order, each after the answer to the one before."""

    def __init__(self, engine: Engine) -> None:
        self._question: Question | None = None

    def begin(self, rules: Rules) -> list[Event]:
        return [Ready()]

    def ask(self, question: Question) -> list[Event]:
        self._question = question
        rules, valid = question.rules, question.position.legal_moves()
        opponents = place(rules, question.moves[-1]) if question.moves else _NO_MOVE
        return [Say(opponents), Say(str(len(valid))), *(Say(place(rules, move)) for move in valid)]

    def hear(self, line: bytes) -> list[Event]:
        text = decoded(line).strip()
        if not text:
            return []
        question = asked(self._question, text)
        found = _MOVE.fullmatch(text)
        if found is None:
            raise BotFault("illegal_move", f"wrote {shown(text)}: a move is a row and a column, as in 4 7")
        move = cell(question.rules, int(found[1]), int(found[2]))
        if move is None:
            raise BotFault("illegal_move", f"played {text}, which is off the board")
        try:
            question.position.play(move)
        except ValueError as error:
            raise BotFault("illegal_move", f"played {text}: {error}") from None
        self._question = None
        return [Decision(move, pv=(move,))]
