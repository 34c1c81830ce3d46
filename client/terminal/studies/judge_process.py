"""What the terminal asks of the engine, in a process of its own, so that compiling and searching do not hold up the
terminal.

A line of JSON asks about the position after some moves of a game, one answers: what best play leads to, and what the
last of the moves was worth where that is asked. Ends at the end of input.
"""

from __future__ import annotations

import sys

import msgspec

from client.terminal.studies.judge import Answer, Found, Question
from engine.analysis.review import EVEN, judge
from engine.rules import registry
from engine.rules.position import Position, Rules
from engine.search.assess import assess
from engine.search.watch import NO_WATCH
from server.wire import JudgedMove


def answer(question: Question) -> Answer:
    rules = registry.rules(question.game)
    position = before = rules.initial
    for text in question.moves:
        before, position = position, position.play(rules.parse_move(text))
    judged = _judged(rules, before, question.moves) if question.judge and question.moves else None
    return Answer(question.id, _found(rules, position) if position.outcome is None else None, judged)


def _found(rules: Rules, position: Position) -> Found:
    found = assess(position, NO_WATCH)
    return Found(
        exact=found.exact,
        value=found.value,
        even=EVEN,
        win_in=found.win_in,
        bound=found.bound,
        line=[rules.format_move(move) for move in found.line],
    )


def _judged(rules: Rules, before: Position, moves: list[str]) -> JudgedMove:
    verdict = judge(before, rules.parse_move(moves[-1]))
    return JudgedMove(
        ply=len(moves) - 1,
        verdict=verdict.verdict,
        exact=verdict.exact,
        value=verdict.value,
        win_in=verdict.win_in,
        best=[rules.format_move(move) for move in verdict.best],
        could=verdict.best_verdict,
        could_in=verdict.best_win_in,
        at_most=verdict.bound,
    )


def main() -> None:
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(msgspec.json.decode(line, type=Question))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
