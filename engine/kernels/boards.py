"""The operations that every kind of board offers a search, chosen by the type of the board when a search is compiled.

`flat.py` says what each of them does. A search is written once, in terms of these; plain Python looks them up at run
time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.kernels import flat, nested, weighted
from engine.kernels.flat import FlatBoard
from engine.kernels.jit import offer
from engine.kernels.nested import NestedBoard
from engine.kernels.weighted import WeightedBoard

Board: TypeAlias = FlatBoard | NestedBoard | WeightedBoard

_MODULES: dict[type, Any] = {FlatBoard: flat, NestedBoard: nested, WeightedBoard: weighted}


def _module(board: Board) -> Any:
    return _MODULES[type(board)]


def legal(board: Board, ply: int, row: Any) -> int:
    found: int = _module(board).legal(board, ply, row)
    return found


def following(board: Board, ply: int, previous: int) -> int:
    found: int = _module(board).following(board, ply, previous)
    return found


def frontier(
    board: Board, ply: int, best: int, bound: int, won: int, win_adds: int, draw_adds: int
) -> tuple[int, int, int, int]:
    found: tuple[int, int, int, int] = _module(board).frontier(board, ply, best, bound, won, win_adds, draw_adds)
    return found


def count(board: Board, ply: int) -> int:
    found: int = _module(board).count(board, ply)
    return found


def look(board: Board, ply: int, move: int) -> tuple[int, int]:
    found: tuple[int, int] = _module(board).look(board, ply, move)
    return found


def make(board: Board, ply: int, move: int) -> None:
    _module(board).make(board, ply, move)


def unmake(board: Board, ply: int, move: int) -> None:
    _module(board).unmake(board, ply, move)


def threats(board: Board, ply: int, row: Any) -> tuple[int, int, int]:
    found: tuple[int, int, int] = _module(board).threats(board, ply, row)
    return found


def drawn(board: Board, ply: int) -> bool:
    found: bool = _module(board).drawn(board, ply)
    return found


def promise(board: Board, ply: int, move: int) -> int:
    found: int = _module(board).promise(board, ply, move)
    return found


def key(board: Board, ply: int) -> tuple[Any, int]:
    found: tuple[Any, int] = _module(board).key(board, ply)
    return found


def _choice(name: str) -> Callable[..., Any]:
    """Chooses an operation for a board whose type the compiler knows."""

    def choose(board: Any, *others: Any) -> Any:
        return getattr(_MODULES[board.instance_class], name).py_func

    return choose


for _operation in (legal, following, frontier, count, look, make, unmake, threats, drawn, promise, key):
    offer(_operation, _choice(_operation.__name__))
