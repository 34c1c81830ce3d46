"""What happens in a room."""

from __future__ import annotations

from server.wire import Ended, Result


def test_an_end_has_its_result() -> None:
    assert Ended(winner=None, termination="aborted", clock=None, declined=True).result == Result(
        winner=None, termination="aborted", declined=True
    )
    assert Ended(winner="o", termination="flag", clock=None).result == Result(winner="o", termination="flag")
