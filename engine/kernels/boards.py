"""The operations that every kind of board offers a search, chosen by the type of the board when a search is compiled.

`flat.py` says what each of them does. A search is written once, in terms of these; plain Python looks them up at run
time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from engine.kernels import flat, nested
from engine.kernels.flat import FlatBoard
from engine.kernels.jit import overload
from engine.kernels.nested import NestedBoard

Operation = TypeVar("Operation", bound=Callable[..., Any])
Board: TypeAlias = FlatBoard | NestedBoard

_MODULES: dict[type, Any] = {FlatBoard: flat, NestedBoard: nested}


def _module(board: Board) -> Any:
    return _MODULES[type(board)]


def _compiled(board: Any) -> Any:
    """The module for a board whose type the compiler knows."""
    return _MODULES[board.instance_class]


def _offers(operation: Operation) -> Callable[[Operation], Operation]:
    def register(choose: Operation) -> Operation:
        choose.__annotations__ = {}  # numba compares signatures, annotations too
        overload(operation, jit_options={"forceinline": True, "_nrt": False})(choose)
        return choose

    return register


def legal(board: Board, ply: int, row: Any) -> int:
    found: int = _module(board).legal(board, ply, row)
    return found


@_offers(legal)
def _legal(board: Any, ply: Any, row: Any) -> Any:
    legal_here = _compiled(board).legal
    return lambda board, ply, row: legal_here(board, ply, row)


def following(board: Board, ply: int, previous: int) -> int:
    found: int = _module(board).following(board, ply, previous)
    return found


@_offers(following)
def _following(board: Any, ply: Any, previous: Any) -> Any:
    following_here = _compiled(board).following
    return lambda board, ply, previous: following_here(board, ply, previous)


def frontier(
    board: Board, ply: int, best: int, bound: int, won: int, win_adds: int, draw_adds: int
) -> tuple[int, int, int, int]:
    found: tuple[int, int, int, int] = _module(board).frontier(board, ply, best, bound, won, win_adds, draw_adds)
    return found


@_offers(frontier)
def _frontier(board: Any, ply: Any, best: Any, bound: Any, won: Any, win_adds: Any, draw_adds: Any) -> Any:
    frontier_here = _compiled(board).frontier
    return lambda board, ply, best, bound, won, win_adds, draw_adds: frontier_here(
        board, ply, best, bound, won, win_adds, draw_adds
    )


def count(board: Board, ply: int) -> int:
    found: int = _module(board).count(board, ply)
    return found


@_offers(count)
def _count(board: Any, ply: Any) -> Any:
    count_here = _compiled(board).count
    return lambda board, ply: count_here(board, ply)


def look(board: Board, ply: int, move: int) -> tuple[int, int]:
    found: tuple[int, int] = _module(board).look(board, ply, move)
    return found


@_offers(look)
def _look(board: Any, ply: Any, move: Any) -> Any:
    look_here = _compiled(board).look
    return lambda board, ply, move: look_here(board, ply, move)


def make(board: Board, ply: int, move: int) -> None:
    _module(board).make(board, ply, move)


@_offers(make)
def _make(board: Any, ply: Any, move: Any) -> Any:
    make_here = _compiled(board).make
    return lambda board, ply, move: make_here(board, ply, move)


def unmake(board: Board, ply: int, move: int) -> None:
    _module(board).unmake(board, ply, move)


@_offers(unmake)
def _unmake(board: Any, ply: Any, move: Any) -> Any:
    unmake_here = _compiled(board).unmake
    return lambda board, ply, move: unmake_here(board, ply, move)


def threats(board: Board, ply: int, row: Any) -> tuple[int, int, int]:
    found: tuple[int, int, int] = _module(board).threats(board, ply, row)
    return found


@_offers(threats)
def _threats(board: Any, ply: Any, row: Any) -> Any:
    threats_here = _compiled(board).threats
    return lambda board, ply, row: threats_here(board, ply, row)


def drawn(board: Board, ply: int) -> bool:
    found: bool = _module(board).drawn(board, ply)
    return found


@_offers(drawn)
def _drawn(board: Any, ply: Any) -> Any:
    drawn_here = _compiled(board).drawn
    return lambda board, ply: drawn_here(board, ply)


def promise(board: Board, ply: int, move: int) -> int:
    found: int = _module(board).promise(board, ply, move)
    return found


@_offers(promise)
def _promise(board: Any, ply: Any, move: Any) -> Any:
    promise_here = _compiled(board).promise
    return lambda board, ply, move: promise_here(board, ply, move)


def key(board: Board, ply: int) -> tuple[Any, int]:
    found: tuple[Any, int] = _module(board).key(board, ply)
    return found


@_offers(key)
def _key(board: Any, ply: Any) -> Any:
    key_here = _compiled(board).key
    return lambda board, ply: key_here(board, ply)
