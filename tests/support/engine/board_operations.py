"""The operations of the boards' kernels as Python can call them: compiled alone, for either kind of board."""

from __future__ import annotations

from typing import Any

from engine.kernels import boards
from engine.kernels.boards import Board
from engine.kernels.jit import jit


@jit
def legal(board: Board, ply: int, row: Any) -> int:
    return boards.legal(board, ply, row)


@jit
def following(board: Board, ply: int, previous: int) -> int:
    return boards.following(board, ply, previous)


@jit
def frontier(
    board: Board, ply: int, best: int, bound: int, won: int, win_adds: int, draw_adds: int
) -> tuple[int, int, int, int]:
    return boards.frontier(board, ply, best, bound, won, win_adds, draw_adds)


@jit
def count(board: Board, ply: int) -> int:
    return boards.count(board, ply)


@jit
def look(board: Board, ply: int, move: int) -> tuple[int, int]:
    return boards.look(board, ply, move)


@jit
def make(board: Board, ply: int, move: int) -> None:
    boards.make(board, ply, move)


@jit
def unmake(board: Board, ply: int, move: int) -> None:
    boards.unmake(board, ply, move)


@jit
def threats(board: Board, ply: int, row: Any) -> tuple[int, int, int]:
    return boards.threats(board, ply, row)


@jit
def drawn(board: Board, ply: int) -> bool:
    return boards.drawn(board, ply)


@jit
def key(board: Board, ply: int) -> tuple[Any, int]:
    return boards.key(board, ply)
