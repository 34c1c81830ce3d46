"""The table of X's win on Qubic: its images, its bytes, and what the shipped one holds."""

from __future__ import annotations

from random import Random

import pytest

from engine.rules.flat import FlatRules
from engine.rules.lines import cells_of, mask_of
from engine.rules.registry import rules
from engine.search.perfect.qubic_book import Entry, from_bytes, least_image, shipped, to_bytes

GAME = rules("qubic")


def turned(marks: int, symmetry: tuple[int, ...]) -> int:
    return mask_of(symmetry[cell] for cell in cells_of(marks))


def test_the_least_image_is_the_least_of_all_and_the_same_for_all() -> None:
    random = Random(1)
    for _ in range(5):
        cells = random.sample(range(64), 11)
        x, o = mask_of(cells[:6]), mask_of(cells[6:])
        least, symmetry = least_image(x, o)
        images = [(turned(x, image), turned(o, image)) for image in GAME.symmetries]
        assert least == min(images) == (turned(x, symmetry), turned(o, symmetry))
        for image in random.sample(images, 5):
            assert least_image(*image)[0] == least


def test_the_empty_board_is_its_own_image() -> None:
    assert least_image(0, 0)[0] == (0, 0)


def test_bytes_are_read_back_and_always_the_same() -> None:
    book = {(3, 1 << 63): Entry(2, 21), (0, 0): Entry(0, 31)}
    data = to_bytes(book)
    assert from_bytes(data) == book
    assert to_bytes(dict(reversed(book.items()))) == data


@pytest.mark.parametrize("data", [b"", b"qubicwin", to_bytes({(0, 0): Entry(0, 31)})[:-1], bytes(200)])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="noughts verify"):
        from_bytes(data)


def test_the_shipped_book_is_of_least_images_and_legal_moves() -> None:
    assert isinstance(GAME, FlatRules)
    book = shipped()
    assert book[0, 0].move == 0
    for (x, o), entry in Random(2).sample(sorted(book.items()), 200):
        assert least_image(x, o)[0] == (x, o)
        assert x.bit_count() == o.bit_count()
        assert not (x | o) >> entry.move & 1
        assert entry.plies % 2 == 1
        assert entry.plies <= 64 - x.bit_count() - o.bit_count()
