"""What must not keep a room from going on."""

from __future__ import annotations

import pytest

from server.rooms.room.quietly import quietly


def test_it_is_done() -> None:
    done: list[int] = []
    assert quietly(done.extend, [1, 2])
    assert done == [1, 2]


def test_what_it_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fails(number: int) -> None:
        raise RuntimeError(f"bug {number}")

    assert not quietly(fails, 5)
    assert "fails failed" in caplog.text
    assert "bug 5" in caplog.text
