"""Processes that draw."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import pytest

from server.report.drawers import DrawingFailed, Drawn, cores, draw, drawers
from server.report.plots import Bars, Picture


def picture(number: int) -> Picture:
    return Picture(f"p{number}", f"Picture {number}", "alt", "reading", Bars([1, 2], [number, 3], "x", "y"))


def test_pictures_come_in_their_order_whoever_draws() -> None:
    pictures = [picture(number) for number in range(5)]
    expected = [draw(one) for one in pictures]
    with drawers(2) as several:
        assert list(several(pictures)) == expected
    with drawers(1) as alone:
        assert list(alone(pictures)) == expected


def test_a_process_that_dies_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed:
        def __reduce__(self) -> tuple[object, tuple[int]]:
            return os._exit, (3,)

    def broken(several: object) -> Iterator[Drawn]:
        assert callable(several)
        found: Iterable[Drawn] = several([Killed()])
        yield from found

    with drawers(2) as several, pytest.raises(DrawingFailed, match="--jobs 1"):
        list(broken(several))


def test_there_is_a_core() -> None:
    assert cores() >= 1
