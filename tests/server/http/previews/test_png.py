"""The picture of a position in pixels, read back by hand."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from random import Random

import pytest

from engine.rules.position import play_all
from engine.rules.registry import rules
from server.http.previews.board import HEIGHT, INK, PAPER, WIDTH, WIN, WIN_EDGE, scene
from server.http.previews.png import png


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + body),)
        yield name, body
        at += 12 + length


def pixels(data: bytes) -> list[list[str]]:
    """Colours, row by row."""
    found = dict(chunks(data))
    assert list(found) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", found[b"IHDR"]) == (WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    palette = [f"#{found[b'PLTE'][at : at + 3].hex()}" for at in range(0, len(found[b"PLTE"]), 3)]
    raw = zlib.decompress(found[b"IDAT"])
    rows = [raw[at : at + WIDTH + 1] for at in range(0, len(raw), WIDTH + 1)]
    assert len(rows) == HEIGHT
    assert {row[0] for row in rows} == {0}
    return [[palette[index] for index in row[1:]] for row in rows]


def test_a_game_in_pixels() -> None:
    position = play_all(rules("tictactoe").initial, map(rules("tictactoe").parse_move, ("b2", "a1")))
    drawn = scene(position)
    image = pixels(png(drawn))
    assert image[0][0] == image[-1][-1] == PAPER
    x, o = drawn.marks[1], drawn.marks[0]
    assert (x.side, o.side) == ("x", "o")
    assert image[x.y][x.x] == INK["x"], "strokes cross in the middle"
    assert image[o.y][o.x] == o.ground, "a ring is empty"
    assert image[o.y][round(o.x + o.half)] == INK["o"]
    around = image[o.y][o.x - 70 : o.x + 70]
    assert len({*around}) > 2, "the edge of a stroke fades"
    assert image == pixels(png(drawn)), "the same picture each time"


@pytest.mark.parametrize("moves", ["a1 a2 b1 b2 c1", "a1 b1 a2 b2 a3", "a1 a2 b2 b1 c3", "a3 a2 b2 b1 c1"])
def test_a_stroke_through_what_has_won(moves: str) -> None:
    position = play_all(rules("tictactoe").initial, map(rules("tictactoe").parse_move, moves.split()))
    drawn = scene(position)
    image = pixels(png(drawn))
    (strike,) = drawn.strikes
    (x1, y1), (x2, y2) = strike.start, strike.end
    for part in (0.02, 0.3, 0.5, 0.98):
        assert image[int(y1 + part * (y2 - y1))][int(x1 + part * (x2 - x1))] == WIN_EDGE
    ends = [(x1 - (x2 - x1) / 20, y1 - (y2 - y1) / 20), (x2 + (x2 - x1) / 20, y2 + (y2 - y1) / 20)]
    assert all(image[int(y)][int(x)] == WIN for x, y in ends)
    painted = sum(row.count(WIN_EDGE) for row in image)
    length = max(abs(x2 - x1), abs(y2 - y1)) * (2**0.5 if x1 != x2 and y1 != y2 else 1)
    assert painted == pytest.approx(length * strike.width, rel=0.15)


@pytest.mark.parametrize("game", ["ultimate", "super", "qubic", "gomoku", "mnk:19,19,5", "nine-board"])
def test_no_picture_has_more_colours_than_a_palette_holds(game: str) -> None:
    random = Random(2)
    for _ in range(3):
        position, last = rules(game).initial, None
        while position.outcome is None:
            last = random.choice(position.legal_moves())
            position = position.play(last)
        data = png(scene(position, last))
        assert len(data) < 40_000
        assert any(WIN in row for row in pixels(data)) == bool(position.line)
