"""Conversion between text and cell numbers: `a1` on flat boards, `a1.1` in cubes, `5/3` on the nine boards.

Strict on purpose: one cell has exactly one text, so that stored records and messages compare as text. The patterns
name their digits because `str.isdigit` and `\\d` also accept the digits of other scripts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.rules.position import MalformedMove

FILES = "abcdefghijklmnopqrst"

_FLAT = re.compile(r"([a-t])([1-9][0-9]?)")
_CUBE = re.compile(r"([a-t])([1-9])\.([1-9])")
_NESTED = re.compile(r"([1-9])/([1-9])")
_SHOWN_CHARACTERS = 24


def shown(text: str, most: int = _SHOWN_CHARACTERS) -> str:
    """`text` quoted for an error sentence: cropped, and with every unprintable character escaped."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")


def parse_flat(text: str, columns: int, rows: int) -> int:
    """The cell `x + columns * y` named by file and rank, as in `c2`. Raises MalformedMove."""
    match = _FLAT.fullmatch(text)
    if match:
        x, y = FILES.index(match[1]), int(match[2]) - 1
        if x < columns and y < rows:
            return x + columns * y
    raise MalformedMove(
        f"{shown(text)} names no cell of this board: write a file a-{FILES[columns - 1]} and a rank 1-{rows}, as in a1."
    )


def format_flat(cell: int, columns: int, rows: int) -> str:
    """The text of a cell of a flat board. Raises MalformedMove for a number off the board."""
    _check_cell(cell, columns * rows)
    y, x = divmod(cell, columns)
    return f"{FILES[x]}{y + 1}"


def parse_cube(text: str, size: int) -> int:
    """The cell `x + size * y + size**2 * z` named by file, rank and level, as in `c2.4`. Raises MalformedMove."""
    match = _CUBE.fullmatch(text)
    if match:
        x, y, z = FILES.index(match[1]), int(match[2]) - 1, int(match[3]) - 1
        if x < size and y < size and z < size:
            return x + size * (y + size * z)
    raise MalformedMove(
        f"{shown(text)} names no cell of this cube: write a file a-{FILES[size - 1]}, a rank 1-{size}, "
        f"a dot and a level 1-{size}, as in a1.1."
    )


def format_cube(cell: int, size: int) -> str:
    """The text of a cell of a cube. Raises MalformedMove for a number off the board."""
    _check_cell(cell, size**3)
    rest, x = divmod(cell, size)
    z, y = divmod(rest, size)
    return f"{FILES[x]}{y + 1}.{z + 1}"


def parse_nested(text: str) -> int:
    """The cell `9 * board + square` named by board and square, each 1-9, as in `5/3`. Raises MalformedMove."""
    match = _NESTED.fullmatch(text)
    if match:
        return 9 * (int(match[1]) - 1) + int(match[2]) - 1
    raise MalformedMove(
        f"{shown(text)} names no cell of the nine boards: write a board 1-9, a slash and a square 1-9, as in 5/3."
    )


def format_nested(cell: int) -> str:
    """The text of a cell of the nine boards. Raises MalformedMove for a number off the board."""
    _check_cell(cell, 81)
    board, square = divmod(cell, 9)
    return f"{board + 1}/{square + 1}"


def text_of(cell: int, texts: Sequence[str]) -> str:
    """The text of a cell from a board's table of them. Raises MalformedMove for a number off the board."""
    _check_cell(cell, len(texts))
    return texts[cell]


def _check_cell(cell: int, cells: int) -> None:
    if not 0 <= cell < cells:
        raise MalformedMove(f"{cell} is no cell of this board: its cells are 0 to {cells - 1}.")
