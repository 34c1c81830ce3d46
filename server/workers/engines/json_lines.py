"""JSON lines: a position, its legal moves and limits go out on one line; a move comes back on another. Pure.

    > {"game": "tictactoe", "moves": ["b2"], "board": "....x....", "to_move": "o", "legal": ["a1", ...], "move_ms": 500}
    < {"depth": 3, "nodes": 120, "value": 0.1, "line": ["a1", "c1"]}      any number of these, if it likes
    < {"move": "a1", "depth": 4, "nodes": 300, "value": 0, "line": ["a1", "c3"]}

`board` has a character for each cell, in the order of the first position's legal moves. `nodes`, `depth`, `forced` and
`options` are there where they apply. Of an answer only `move` is needed.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from engine.bots.fault import BotFault
from engine.rules.limit import NO_LIMIT
from engine.rules.notation import shown
from engine.rules.position import Rules
from engine.search.decision import Decision
from server.wire.explain import explain
from server.workers.engines.dialogue import (
    WARM_UP_MS,
    Depth,
    Event,
    Nodes,
    Question,
    Ready,
    Report,
    Say,
    Value,
    asked,
    decoded,
    legal_part,
    move_of,
)
from server.workers.engines.engine import Engine

_RIGHT: Final = 'an answer is a line such as {"move": "b2"}'


class _Said(Struct, frozen=True):
    """Without a move it is a report of a search under way."""

    move: str | None = None
    value: Value | None = None
    win_in: Annotated[int, Meta(ge=-1000, le=1000)] | None = None
    depth: Depth = 0
    nodes: Nodes = 0
    line: list[str] = []


class JsonLines:
    """See Dialogue. Each question tells all, so an engine need remember nothing."""

    def __init__(self, engine: Engine) -> None:
        self._options = dict(engine.options)
        self._question: Question | None = None
        self._is_ready = False

    def begin(self, rules: Rules) -> list[Event]:
        return self.ask(Question(rules.initial, (), NO_LIMIT, WARM_UP_MS))

    def ask(self, question: Question) -> list[Event]:
        self._question = question
        return [Say(msgspec.json.encode(self._told(question)).decode())]

    def hear(self, line: bytes) -> list[Event]:
        text = decoded(line).strip()
        if not text:
            return []
        question = asked(self._question, text)
        try:
            said = msgspec.json.decode(text, type=_Said)
        except (msgspec.MsgspecError, RecursionError):
            wrong = explain(text, _Said).sentence.rstrip(".")
            raise BotFault("illegal_move", f"wrote {shown(text)} ({wrong}): {_RIGHT}") from None
        position = question.position
        if said.move is None:
            return [Report(said.nodes, said.depth, said.value or 0.0, legal_part(said.line, position))]
        move = move_of(said.move, position)
        self._question = None
        if not self._is_ready:
            self._is_ready = True
            return [Ready()]
        pv = legal_part(said.line, position)
        return [
            Decision(
                move,
                nodes=said.nodes,
                depth=said.depth,
                value=said.value,
                win_in=said.win_in or None,
                pv=pv if pv[:1] == (move,) else (move,),
            )
        ]

    def _told(self, question: Question) -> dict[str, object]:
        position, rules, limit = question.position, question.rules, question.limit
        told: dict[str, object] = {
            "game": rules.id,
            "moves": [rules.format_move(move) for move in question.moves],
            "board": "".join(position.mark(cell) or "." for cell in range(rules.cells)),
            "to_move": position.to_move,
            "legal": [rules.format_move(move) for move in position.legal_moves()],
            "move_ms": question.move_ms,
        }
        if position.forced is not None:
            told["forced"] = position.forced + 1
        for bound in ("nodes", "depth"):
            if (value := getattr(limit, bound)) is not None:
                told[bound] = value
        return told | ({"options": self._options} if self._options else {})
