"""The words by which people leave."""

from __future__ import annotations

import pytest

from client.terminal.typed.exits import Exit, exit_asked


@pytest.mark.parametrize(
    ("typed", "way"),
    [
        *((word, Exit.BACK) for word in ("back", "lobby", "new", "/back", " Back ", "/LOBBY")),
        *((word, Exit.QUIT) for word in ("quit", "q", "exit", "/q", "EXIT\n")),
        *((word, None) for word in ("", "/", "//q", "quit now", "b", "resign")),
    ],
)
def test_words_that_lead_out(typed: str, way: Exit | None) -> None:
    assert exit_asked(typed) is way
