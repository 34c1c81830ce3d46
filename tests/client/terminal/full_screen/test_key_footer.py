"""The line of keys: as many as there is room for."""

from __future__ import annotations

from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets._footer import FooterKey

from client.terminal.full_screen.key_footer import KeyFooter


class Keys(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "one", "Keys", key_display="?"),
        Binding("f2", "two", "Draw", key_display="F2"),
        Binding("f10", "three", "設定", key_display="F10"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        yield KeyFooter()

    def action_one(self) -> None: ...

    def action_two(self) -> None: ...

    def action_three(self) -> None: ...


@pytest.mark.parametrize(("width", "shown"), [(23, "? F2 F10"), (22, "? F2"), (14, "? F2"), (13, "?"), (5, "")])
async def test_a_key_for_which_there_is_no_room_is_left_out(width: int, shown: str) -> None:
    app = Keys()
    async with app.run_test(size=(80, 3)) as pilot:
        await pilot.resize_terminal(width, 3)
        await pilot.pause()
        keys = list(app.query(FooterKey))
        assert " ".join(key.key_display for key in keys) == shown
        assert all(key.region.right <= width for key in keys)
        await pilot.resize_terminal(80, 3)
        await pilot.pause()
        assert len(app.query(FooterKey)) == 3
