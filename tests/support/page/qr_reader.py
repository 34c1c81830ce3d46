"""Reads QR codes of ISO/IEC 18004 that are whole: no error is corrected. Written from the standard, for tests."""

from __future__ import annotations

from collections.abc import Iterator

Modules = list[list[bool]]
QUIET = 4
# Of levels L, M, Q, H and versions 1 to 10: blocks, each with so many codewords of data; then blocks of one more.
_BLOCKS = {
    "L": ["1x19", "1x34", "1x55", "1x80", "1x108", "2x68", "2x78", "2x97", "2x116", "2x68 2x69"],
    "M": ["1x16", "1x28", "1x44", "2x32", "2x43", "4x27", "4x31", "2x38 2x39", "3x36 2x37", "4x43 1x44"],
    "Q": ["1x13", "1x22", "2x17", "2x24", "2x15 2x16", "4x19", "2x14 4x15", "4x18 2x19", "4x16 4x17", "6x19 2x20"],
    "H": ["1x9", "1x16", "2x13", "4x9", "2x11 2x12", "4x15", "4x13 1x14", "4x14 2x15", "4x12 4x13", "6x15 2x16"],
}
_MASKS = (
    lambda y, x: (y + x) % 2,
    lambda y, x: y % 2,
    lambda y, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
)
_ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def read_qr(picture: Modules) -> str:
    """What a code says; `picture` has a light margin of 4 modules. Raises AssertionError for what is no such code."""
    size = len(picture) - 2 * QUIET
    assert not any(any(row) for row in (*picture[:QUIET], *picture[-QUIET:])), "the margin is light"
    assert not any(any(row[:QUIET]) or any(row[-QUIET:]) for row in picture), "the margin is light"
    dark = [row[QUIET:-QUIET] for row in picture[QUIET:-QUIET]]
    version, rest = divmod(size - 17, 4)
    assert rest == 0
    assert 1 <= version <= 10
    for y, x in ((0, 0), (0, size - 7), (size - 7, 0)):
        rings = [[max(abs(j - 3), abs(i - 3)) != 2 for i in range(7)] for j in range(7)]
        assert [row[x : x + 7] for row in dark[y : y + 7]] == rings, "a finder in three corners"
    level, mask = _format(dark)
    bits = [dark[y][x] != (_MASKS[mask](y, x) == 0) for y, x in _path(size, version)]
    words = [sum(bit << (7 - i) for i, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits) - 7, 8)]
    return _text(_data(words, _BLOCKS[level][version - 1]), version)


def _format(dark: Modules) -> tuple[str, int]:
    """Level of correction and mask, told along the first finder."""
    places = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    told = sum(dark[y][x] << (14 - i) for i, (y, x) in enumerate(places)) ^ 0b101010000010010
    return "MLHQ"[told >> 13], told >> 10 & 7


def _path(size: int, version: int) -> Iterator[tuple[int, int]]:
    """The places of data: two columns at a time, up and down from the right, past all that has a fixed place."""
    fixed = _fixed(size, version)
    right, upwards = size - 1, True
    while right > 0:
        if right == 6:
            right -= 1
        for step in range(size):
            y = size - 1 - step if upwards else step
            yield from ((y, x) for x in (right, right - 1) if (y, x) not in fixed)
        right, upwards = right - 2, not upwards


def _fixed(size: int, version: int) -> set[tuple[int, int]]:
    span = range(size)
    fixed = {(6, i) for i in span} | {(i, 6) for i in span}
    ends = {*range(9), *range(size - 8, size)}
    fixed |= {(y, x) for y in ends for x in ends if y < 9 or x < 9}
    if version > 1:
        last = size - 7
        centres = [6, last] if version < 7 else [6, (last + 6) // 2, last]
        corners = {(6, 6), (6, last), (last, 6)}
        for cy, cx in {(y, x) for y in centres for x in centres} - corners:
            fixed |= {(cy + j, cx + i) for j in range(-2, 3) for i in range(-2, 3)}
    if version > 6:
        fixed |= {(y, x) for y in range(6) for x in range(size - 11, size - 8)}
        fixed |= {(y, x) for x in range(6) for y in range(size - 11, size - 8)}
    return fixed


def _data(words: list[int], blocks: str) -> list[int]:
    """Codewords of data in their order: the blocks take turns."""
    lengths = [int(size) for group in blocks.split() for count, size in [group.split("x")] for _ in range(int(count))]
    filled: list[list[int]] = [[] for _ in lengths]
    source = iter(words)
    for turn in range(max(lengths)):
        for block, length in zip(filled, lengths, strict=True):
            if turn < length:
                block.append(next(source))
    return [word for block in filled for word in block]


def _text(data: list[int], version: int) -> str:
    stream = "".join(f"{word:08b}" for word in data)
    place = 0

    def take(bits: int) -> int:
        nonlocal place
        place += bits
        return int(stream[place - bits : place], 2)

    text = b""
    long = version > 9
    while len(stream) - place >= 4 and (mode := take(4)):
        if mode == 4:
            text += bytes(take(8) for _ in range(take(16 if long else 8)))
        elif mode == 2:
            count = take(11 if long else 9)
            for _ in range(count // 2):
                pair = take(11)
                text += (_ALPHANUMERIC[pair // 45] + _ALPHANUMERIC[pair % 45]).encode()
            text += _ALPHANUMERIC[take(6)].encode() if count % 2 else b""
        elif mode == 1:
            count = take(12 if long else 10)
            while count > 0:
                digits = min(count, 3)
                text += f"{take((4, 7, 10)[digits - 1]):0{digits}d}".encode()
                count -= digits
        else:
            raise AssertionError(f"a mode that is not read here: {mode}")
    return text.decode("latin-1")
