"""Whole numbers in what an arena sends."""

from __future__ import annotations

import pytest

from client.lab.brain.choice import numbers


@pytest.mark.parametrize("found", [(), (0,), (-1, -1), (7, 10**18 - 1, 1 - 10**18)])
def test_numbers_come_back_however_they_are_spaced(found: tuple[int, ...]) -> None:
    texts = [*map(str, found)]
    assert numbers(f" {'  '.join(texts)}\t\r\n") == found
    if found:
        assert numbers(f" {' , '.join(texts)}\n", ",") == found


@pytest.mark.parametrize(
    "word", ["x", "1,2", "1.0", "1e3", "+1", "--1", "-", "1_0", "²", "٣", "0x1", "1" * 19, "1" * 5_000]
)
def test_what_is_no_whole_number_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="is not made of whole numbers") as told:
        numbers(f"4 {word} 5")
    assert len(str(told.value)) < 80


@pytest.mark.parametrize("line", ["", ",", "1,", ",1", "1,,2", "1 2,3"])
def test_between_commas_there_is_one_number(line: str) -> None:
    with pytest.raises(ValueError, match="is not made of whole numbers"):
        numbers(line, ",")
