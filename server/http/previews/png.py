"""The picture of a position as PNG, without a library: `docs/decisions/0021-pictures-and-links.md` says why. Pure.

A picture has few colours, so a pixel is an index into a palette. A mark is drawn once for its size, as the share of
each pixel that it covers, and then copied row by row to where it stands: a full board of 19 x 19 takes some 15 ms.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache, lru_cache
from math import ceil, hypot

from engine.rules.position import Side
from server.http.previews.board import CORNER, HEIGHT, INK, PAPER, RULE, WIDTH, WIN_EDGE, Box, Mark, Scene, Strike

LEVELS = 12
"""How finely the edge of a stroke fades into what is behind it."""
STEPS = 3
"""How finely that of a strike does, which lies over many colours: a palette has room for few more."""
_ALL_COLOURS = 256


def png(drawn: Scene) -> bytes:
    canvas = _Canvas()
    for box, colour in drawn.panels:
        canvas.fill(box, colour)
        canvas.round_corners(box, colour)
    for box, colour in drawn.squares:
        canvas.fill(box, colour)
    for box in drawn.lines:
        canvas.fill(box, RULE)
    for mark in drawn.marks:
        canvas.stamp(mark)
    for strike in drawn.strikes:
        canvas.strike(strike)
    return canvas.png()


class _Canvas:
    def __init__(self) -> None:
        self._palette: dict[tuple[int, ...], int] = {}
        self._mixed: dict[tuple[int, int], int] = {}
        self._rows = [bytearray([self._index(_rgb(PAPER))]) * WIDTH for _ in range(HEIGHT)]

    def fill(self, box: Box, colour: str) -> None:
        left, top, width, height = box
        row = bytes([self._index(_rgb(colour))]) * width
        for y in range(top, top + height):
            self._rows[y][left : left + width] = row

    def round_corners(self, box: Box, colour: str) -> None:
        left, top, width, height = box
        colours = self._fading(PAPER, colour)
        for y, covered in enumerate(_corner()):
            shown = covered.translate(colours)
            for row in (self._rows[top + y], self._rows[top + height - 1 - y]):
                row[left : left + CORNER] = shown
                row[left + width - CORNER : left + width] = shown[::-1]

    def stamp(self, mark: Mark) -> None:
        tile = _tile(mark.side, mark.half, mark.stroke)
        colours = self._fading(mark.ground, INK[mark.side])
        left, top = mark.x - len(tile) // 2, mark.y - len(tile) // 2
        for y, covered in enumerate(tile):
            first = len(covered) - len(covered.lstrip(b"\0"))
            shown = covered.strip(b"\0")  # nothing around the mark is painted over
            if shown:
                start = left + first
                self._rows[top + y][start : start + len(shown)] = shown.translate(colours)

    def strike(self, strike: Strike) -> None:
        (x1, y1), (x2, y2) = strike.start, strike.end
        length = hypot(x2 - x1, y2 - y1)
        right, down = (x2 - x1) / length, (y2 - y1) / length
        reach = strike.width / 2 + 1
        for y in range(int(min(y1, y2) - reach), ceil(max(y1, y2) + reach)):
            first, last = min(x1, x2) - reach, max(x1, x2) + reach
            if abs(down) > abs(right) / 2:  # a slope cuts each row of pixels in a short piece
                middle = x1 + (y + 0.5 - y1) * right / down
                first, last = max(first, middle - 2 * reach), min(last, middle + 2 * reach)
            row = self._rows[y]
            for x in range(int(first), ceil(last)):
                along = min(length, max(0.0, (x + 0.5 - x1) * right + (y + 0.5 - y1) * down))
                away = hypot(x + 0.5 - x1 - along * right, y + 0.5 - y1 - along * down)
                row[x] = self._struck(row[x], min(STEPS, max(0, round((strike.width / 2 - away + 0.5) * STEPS))))

    def _struck(self, behind: int, step: int) -> int:
        """The colour index of a pixel of which a strike covers `step` of STEPS."""
        if step == 0:
            return behind
        if (behind, step) not in self._mixed:
            back, front = [*self._palette][behind], _rgb(WIN_EDGE)
            mixed = tuple(round(b + (f - b) * step / STEPS) for b, f in zip(back, front, strict=True))
            self._mixed[behind, step] = self._index(mixed)
        return self._mixed[behind, step]

    def png(self) -> bytes:
        header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
        palette = bytes(part for colour in self._palette for part in colour)
        pixels = b"".join(b"\0" + row for row in self._rows)
        chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(pixels, 6)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)

    def _fading(self, ground: str, colour: str) -> bytes:
        """Table for `bytes.translate`: the colour index of a pixel by how much of it a shape covers."""
        behind, front = _rgb(ground), _rgb(colour)
        shares = (level / LEVELS for level in range(LEVELS + 1))
        mixed = (tuple(round(b + (f - b) * share) for b, f in zip(behind, front, strict=True)) for share in shares)
        return bytes(map(self._index, mixed)).ljust(_ALL_COLOURS, b"\0")

    def _index(self, colour: tuple[int, ...]) -> int:
        return self._palette.setdefault(colour, len(self._palette))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


@cache
def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


@lru_cache(maxsize=64)
def _tile(side: Side, half: float, stroke: float) -> tuple[bytes, ...]:
    """How much of each pixel a mark covers, 0 to LEVELS, in a square with the mark in its middle."""
    reach = ceil(half + stroke / 2 + 1)
    quarter = [
        [_level(stroke / 2 - _distance(side, half, x + 0.5, y + 0.5)) for x in range(reach)] for y in range(reach)
    ]
    below = tuple(bytes([*reversed(row), *row]) for row in quarter)
    return (*reversed(below), *below)


def _distance(side: Side, half: float, x: float, y: float) -> float:
    """Distance from the middle of the stroke, in the quarter where both are positive."""
    if side == "o":
        return abs(hypot(x, y) - half)
    along = min((x + y) / 2, half)
    return hypot(x - along, y - along)


@cache
def _corner() -> tuple[bytes, ...]:
    """How much of each pixel the upper left corner of a panel covers."""
    places = [CORNER - 0.5 - place for place in range(CORNER)]
    return tuple(bytes(_level(CORNER - hypot(x, y)) for x in places) for y in places)


def _level(inside: float) -> int:
    """Level of a pixel whose middle lies this far within the edge of a shape."""
    return round(min(1.0, max(0.0, 0.5 + inside)) * LEVELS)
