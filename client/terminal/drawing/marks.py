"""X and O as drawings, for cells of several lines. Pure.

A drawing is a square of pixels. A half block makes two of them of a character, which is twice as high as wide; with
letters, every second line of pixels is drawn, in the letter that it means.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def in_blocks(is_o: bool, lines: int) -> list[str]:
    """The mark in this many lines, each of `2 * lines - 1` columns."""
    size = 2 * lines - 1
    pixels = [*_pixels(is_o, size), [False] * size]
    return [
        "".join(_HALVES[pair] for pair in zip(pixels[line], pixels[line + 1], strict=True))
        for line in range(0, 2 * lines, 2)
    ]


def in_letters(is_o: bool, lines: int, letter: str) -> list[str]:
    """The same made of one letter, a column wide."""
    pixels = list(_pixels(is_o, 2 * lines - 1))
    return ["".join(letter if on else " " for on in line) for line in pixels[::2]]


def _pixels(is_o: bool, size: int) -> Iterator[list[bool]]:
    middle, thick = (size - 1) / 2, (size + 3) // 12
    for y in range(size):
        if is_o:
            yield [size / 2 - 1 - thick < hypot(x - middle, y - middle) <= size / 2 for x in range(size)]
        else:
            yield [abs(x - y) <= thick or abs(x + y - size + 1) <= thick for x in range(size)]
