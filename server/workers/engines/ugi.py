"""UGI, the Universal Game Interface, from the arena's side. Pure.

    > ugi                                   < id name ..., option name N type T ..., ugiok
    > setoption name N value V              the file's options, and the game where the engine has an option for it
    > isready                               < readyok
    > position startpos moves b2 a1
    > go movetime 1000 | nodes N | depth N  < info depth D score S nodes N pv a1 c3 ..., bestmove a1

After https://github.com/kz04px/cutegames/blob/master/ugi.md; moves are in our notation. Any other line is passed over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.bots.fault import BotFault
from engine.rules.notation import shown
from engine.rules.position import Move, Rules
from engine.search.decision import Decision
from server.workers.engines.dialogue import (
    MAX_VALUE,
    Event,
    Question,
    Ready,
    Report,
    Say,
    decoded,
    legal_part,
    move_of,
)
from server.workers.engines.engine import Engine

_GAME = "game"
"""The option by which an engine of several games is told which; `noughts ugi` has it."""


class Ugi:
    """See Dialogue. Its position is told whole each time, so it may play several games at once."""

    def __init__(self, engine: Engine) -> None:
        self._options = dict(engine.options)
        self._known: set[str] = set()
        """The names of its options, in lower case."""
        self._rules: Rules
        self._moves: tuple[Move, ...] = ()
        """Moves of the position that it was asked about last."""
        self._question: Question | None = None
        self._info = _Info()

    def begin(self, rules: Rules) -> list[Event]:
        self._rules = rules
        return [Say("ugi")]

    def ask(self, question: Question) -> list[Event]:
        limit, format_move = question.limit, question.rules.format_move
        bound = f"nodes {limit.nodes}" if limit.nodes else f"depth {limit.depth}" if limit.depth else None
        moves = "".join(f" {format_move(move)}" for move in question.moves)
        told = self._new_game(question)
        self._question, self._moves, self._info = question, question.moves, _Info()
        return [
            *told,
            Say("position startpos" + (f" moves{moves}" if moves else "")),
            Say(f"go {bound or f'movetime {question.move_ms}'}"),
        ]

    def hear(self, line: bytes) -> list[Event]:
        words = decoded(line).split()
        match words[:1]:
            case ["option"]:
                self._known.add(_name(words).lower())
            case ["ugiok"]:
                return [*self._set_options(), *self._choose_game(), Say("isready")]
            case ["readyok"] if self._question is None:
                return [Ready()]
            case ["info"] if self._question is not None:
                return self._report(words[1:], self._question)
            case ["bestmove"]:
                return [self._decision(words[1:])]
        return []

    def _set_options(self) -> list[Event]:
        unknown = [name for name in self._options if name.lower() not in self._known]
        if unknown:
            known = ", ".join(sorted(self._known)) or "none"
            raise BotFault("crash", f"has no option {shown(unknown[0])}: its options are {known}")
        return [Say(f"setoption name {name} value {_text(value)}") for name, value in self._options.items()]

    def _choose_game(self) -> list[Event]:
        return [Say(f"setoption name {_GAME} value {self._rules.id}")] if _GAME in self._known else []

    def _new_game(self, question: Question) -> list[Event]:
        """What the engine is told where the question does not go on from the one before."""
        if question.rules == self._rules and question.moves[: len(self._moves)] == self._moves:
            return []
        is_another, self._rules = question.rules != self._rules, question.rules
        return [*(self._choose_game() if is_another else []), Say("uginewgame")]

    def _report(self, words: list[str], question: Question) -> list[Event]:
        if words[:1] == ["string"]:
            return []
        self._info.take(words)
        if "pv" not in words or self._info.value is None:
            return []
        pv = legal_part(self._info.pv, question.position)
        return [Report(self._info.nodes, self._info.depth, self._info.value, pv)]

    def _decision(self, words: list[str]) -> Decision:
        question, info = self._question, self._info
        if question is None:
            raise BotFault("illegal_move", "wrote a bestmove without being asked")
        if not words:
            raise BotFault("illegal_move", "wrote a bestmove without a move")
        self._question = None
        move = move_of(words[0], question.position)
        pv = legal_part(info.pv, question.position)
        return Decision(
            move, nodes=info.nodes, depth=info.depth, value=info.value, pv=pv if pv[:1] == (move,) else (move,)
        )


class _Info:
    """What the `info` lines of one search have said so far. Malformed numbers are passed over."""

    def __init__(self) -> None:
        self.depth = 0
        self.nodes = 0
        self.value: float | None = None
        self.pv: list[str] = []

    def take(self, words: list[str]) -> None:
        for name, values in _pairs(words):
            number = _number(values)
            if name == "pv":
                self.pv = values
            elif name == "depth" and number is not None and 0 <= number <= 1000:
                self.depth = int(number)
            elif name == "nodes" and number is not None and 0 <= number <= 10**15:
                self.nodes = int(number)
            elif name == "score" and number is not None:
                self.value = max(-MAX_VALUE, min(MAX_VALUE, number))


_NAMES = ("depth", "seldepth", "score", "nodes", "nps", "time", "hashfull", "multipv", "pv")


def _pairs(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each name of an `info` line with the words up to the next; a pv goes to the end of its line."""
    at = 0
    while at < len(words):
        name, begin = words[at], at + 1
        at = begin
        while at < len(words) and (name == "pv" or words[at] not in _NAMES):
            at += 1
        yield name, words[begin:at]


def _number(words: list[str]) -> float | None:
    """The number in `12`, in `-0.5`, or in `cp 12` as UCI writes it."""
    try:
        number = float(words[1] if words[:1] == ["cp"] else words[0])
    except (IndexError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _name(words: list[str]) -> str:
    """The name N in `option name N type T ...`; it may have several words."""
    if words[1:2] != ["name"]:
        return ""
    end = words.index("type") if "type" in words else len(words)
    return " ".join(words[2:end])


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
