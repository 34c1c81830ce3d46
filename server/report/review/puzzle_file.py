"""The file of puzzles that the page reads: made of puzzles. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from engine.analysis.puzzle import Answer, Difficulty, Kind, Puzzle, Turn, difficulty
from engine.rules.registry import rules

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Source:
    """The recorded game that a puzzle is from. People's names are None, since they are not published."""

    game: int
    """Its id in the database."""
    x: str | None
    o: str | None


class TurnText(Struct, forbid_unknown_fields=True):
    """A turn of whoever solves the puzzle: the right moves with what follows, and what refutes the others.

    A right move leads to null where the puzzle is solved by it. `refute` refutes every move that is not right, except
    those in `except_`, which map to their own refutation; it is null where every legal move is right.
    """

    right: dict[str, AnswerText | None]
    refute: str | None = None
    except_: dict[str, str] = msgspec.field(default_factory=dict, name="except")


class AnswerText(Struct, forbid_unknown_fields=True):
    reply: str
    turn: TurnText


class SourceText(Struct, forbid_unknown_fields=True, omit_defaults=True):
    game: int
    x: str | None = None
    o: str | None = None


class PuzzleText(Struct, forbid_unknown_fields=True):
    moves: list[str]
    kind: Kind
    plies: int
    alone: bool
    difficulty: Difficulty
    source: SourceText
    turn: TurnText


def file_text(found: Mapping[str, Sequence[tuple[Puzzle, Source]]]) -> str:
    """One line per puzzle, for readable diffs."""
    games = []
    for game, puzzles in found.items():
        texts = rules(game).texts
        lines = [_line(puzzle_text(puzzle, source, texts)) for puzzle, source in puzzles]
        games.append(f"{json.dumps(game)}: [\n" + ",\n".join(lines) + "\n]")
    return f'{{"version": {VERSION}, "games": {{\n' + ",\n".join(games) + "\n}}\n"


def _line(puzzle: PuzzleText) -> str:
    return msgspec.json.encode(puzzle).decode()


def puzzle_text(puzzle: Puzzle, source: Source, texts: Sequence[str]) -> PuzzleText:
    return PuzzleText(
        moves=[texts[move] for move in puzzle.moves],
        kind=puzzle.kind,
        plies=puzzle.plies,
        alone=puzzle.alone,
        difficulty=difficulty(puzzle, rules(puzzle.game)),
        source=SourceText(source.game, source.x, source.o),
        turn=_turn_text(puzzle.turn, texts),
    )


def _turn_text(turn: Turn, texts: Sequence[str]) -> TurnText:
    right = {texts[move]: _answer_text(answer, texts) for move, answer in turn.right.items()}
    replies = list(turn.wrong.values())
    usual = max(replies, key=replies.count, default=None)
    odd = {texts[move]: texts[reply] for move, reply in turn.wrong.items() if reply != usual}
    return TurnText(right, None if usual is None else texts[usual], odd)


def _answer_text(answer: Answer | None, texts: Sequence[str]) -> AnswerText | None:
    return None if answer is None else AnswerText(texts[answer.reply], _turn_text(answer.turn, texts))
