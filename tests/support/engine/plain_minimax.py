"""Minimax without cuts, with ends and leaves judged mark by mark: what the bots of the literature are compared with."""

from __future__ import annotations

from random import Random

from engine.rules.flat import FlatPosition
from engine.rules.nested import NestedPosition
from engine.rules.position import Move, Position, Side, other
from engine.rules.registry import rules
from engine.search.fixed import Scoring
from tests.support.engine.random_games import running_after


def values(position: Position, depth: int, scoring: Scoring) -> dict[Move, int]:
    """The exact value of every move, for the side to move, in the order of the cells."""
    side = position.to_move
    return {move: _value(position.play(move), depth - 1, scoring, side) for move in position.legal_moves()}


def _value(position: Position, depth: int, scoring: Scoring, side: Side) -> int:
    if position.outcome is not None:
        return _end(position, depth, scoring, side)
    if depth == 0:
        return evaluation(position, scoring, side)
    best = max if position.to_move == side else min
    return best(_value(position.play(move), depth - 1, scoring, side) for move in position.legal_moves())


def _end(position: Position, depth: int, scoring: Scoring, side: Side) -> int:
    assert position.outcome is not None
    winner = position.outcome.winner
    if winner is None:
        return evaluation(position, scoring, side) if scoring.draw_adds_lines else 0
    if scoring.win_adds_lines:
        return evaluation(position, scoring, side)
    won = scoring.win + scoring.faster * depth
    return won if winner == side else -won


def evaluation(position: Position, scoring: Scoring, side: Side) -> int:
    if scoring.lines is not None:
        assert isinstance(position, FlatPosition)
        return sum(
            scoring.lines[_count(position, line, side)][_count(position, line, other(side))]
            for line in position.rules.lines
        )
    if scoring.boards is not None:
        assert isinstance(position, NestedPosition)
        return sum(
            scoring.boards(_squares(position, board, side), _squares(position, board, other(side)))
            for board in range(9)
            if position.board_owner(board) is None
        )
    return 0


def _count(position: Position, cells: tuple[int, ...], side: Side) -> int:
    return sum(position.mark(cell) == side for cell in cells)


def _squares(position: Position, board: int, side: Side) -> int:
    return sum(1 << square for square in range(9) if position.mark(9 * board + square) == side)


def position_after(game_id: str, plies: int, seed: int) -> Position:
    """A running position after random moves, none of which ends the game."""
    random = Random(seed)
    while (position := running_after(rules(game_id).initial, plies, random)).ply < plies:
        pass
    return position
