"""Keys are offered where they mean something."""

from __future__ import annotations

from dataclasses import replace

from client.sdk.room_view import room_view
from client.terminal.full_screen.game_keys import is_offered
from tests.support.terminal.fake_server import ME, FakeRoom

VIEW = replace(room_view(FakeRoom().room, ME.id), moves=("b2",))


def test_a_takeback_is_offered_where_moves_can_be_taken_back() -> None:
    assert is_offered("f3", VIEW)
    assert not is_offered("f3", replace(VIEW, moves=()))
    assert not is_offered("f3", replace(VIEW, rated=True))
    bot = FakeRoom().room
    bot.takebacks = False
    assert not is_offered("f3", replace(room_view(bot, ME.id), moves=("b2",)))
