"""Reads the file of puzzles back, as the page does."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from engine.analysis.puzzle import Answer, Puzzle, Turn
from engine.rules.position import Move, Rules
from engine.rules.registry import rules
from server.report.review.puzzle_file import VERSION, PuzzleText, Source, TurnText


class PuzzleFile(Struct, forbid_unknown_fields=True):
    version: int
    games: dict[str, list[PuzzleText]]


def read_file(content: bytes | str) -> dict[str, list[tuple[Puzzle, Source]]]:
    """The puzzles of a file, by game. Raises ValueError for what is no such file, IllegalMove and MalformedMove."""
    read = msgspec.json.decode(content, type=PuzzleFile)
    if read.version != VERSION:
        raise ValueError(f"Puzzles of version {read.version} cannot be read: {VERSION} is read here.")
    return {game: [_puzzle(rules(game), each) for each in puzzles] for game, puzzles in read.games.items()}


def _puzzle(game: Rules, read: PuzzleText) -> tuple[Puzzle, Source]:
    position: Any = game.initial
    moves = tuple(map(game.parse_move, read.moves))
    for move in moves:
        position = position.play(move)
    puzzle = Puzzle(game.id, moves, read.kind, read.plies, read.alone, _turn(game, position, read.turn))
    return puzzle, Source(read.source.game, read.source.x, read.source.o)


def _turn(game: Rules, position: Any, read: TurnText) -> Turn:
    right: dict[Move, Answer | None] = {}
    for text, answer in read.right.items():
        move = game.parse_move(text)
        after = position.play(move)
        if answer is None:
            right[move] = None
        else:
            reply = game.parse_move(answer.reply)
            right[move] = Answer(reply, _turn(game, after.play(reply), answer.turn))
    odd = {game.parse_move(move): game.parse_move(reply) for move, reply in read.except_.items()}
    usual = None if read.refute is None else game.parse_move(read.refute)
    wrong: dict[Move, Move] = {}
    for move in position.legal_moves():
        refutation = odd.get(move, usual)
        if move not in right and refutation is not None and position.play(move).outcome is None:
            wrong[move] = refutation
    return Turn(right, wrong)
