"""The panes of a game, driven by textual's pilot: beside the board, below it, or over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.panes import Pane, PaneTabs
from client.terminal.language import t
from client.terminal.pane_names import PANES, TITLES, PaneName
from client.terminal.preferences import Preferences
from tests.support.terminal.screen import NARROW, Screen, screen


def folded(seen: Screen) -> set[str]:
    return {pane.pane for pane in seen.app.screen.query(Pane) if pane.folded}


async def test_panes_fold_by_key_click_and_command_and_stay_so(tmp_path: Path) -> None:
    kept = Preferences(tmp_path / "terminal.json")
    async with screen(size=(120, 40), preferences=kept) as seen:
        await seen.settles(lambda: folded(seen) == {"thoughts"})  # nobody here is a bot
        assert "The board has 3 columns" in seen.shown("#rules")
        await seen.pilot.press("ctrl+t")
        assert folded(seen) == {"thoughts", "chat"}
        assert seen.app.screen.query_one("#pane-chat").size.height == 1
        await seen.pilot.click("#pane-moves PaneTitle")
        assert folded(seen) == {"thoughts", "chat", "moves"}
        await seen.type("/pane rules")
        assert folded(seen) == set(PANES)
        width = seen.app.screen.query_one("#play").size.width
        await seen.type("/pane sky", "/pane rules")
        await seen.settles(lambda: seen.app.screen.query_one("#play").size.width < width)
    async with screen(size=(120, 40), preferences=Preferences(tmp_path / "terminal.json")) as seen:
        await seen.settles(lambda: folded(seen) == {"thoughts", "chat", "moves"})
        await seen.type("/pane nothing")
        await seen.until("/pane needs one of")


async def test_rules_give_way_to_the_chat_in_a_low_window() -> None:
    async with screen(size=(80, 24)) as seen:
        await seen.settles(lambda: folded(seen) == {"rules", "thoughts"})
        assert seen.shown("#log") == ""
        assert seen.app.screen.query_one("#log").size.height >= 8
        await seen.type("/rules")
        assert folded(seen) == {"thoughts"}


async def test_panes_fold_at_once_in_a_game_from_the_lobby() -> None:
    async with screen(size=(80, 24), menu=True) as seen:
        await seen.type("tictactoe", "random")
        await seen.settles(lambda: folded(seen) == {"rules", "thoughts"})


async def test_a_narrow_terminal_has_tabs() -> None:
    async with screen(size=NARROW) as seen:
        tabs = seen.app.screen.query_one(PaneTabs)
        for pane in ("thoughts", "rules", "moves", "chat"):
            await seen.pilot.press("tab")
            assert tabs.shown == pane
            assert [part.pane for part in seen.app.screen.query(Pane) if part.display] == [pane]
        await seen.pilot.click("#tabs PaneTitle")
        assert str(tabs.shown) == "moves"


@pytest.mark.parametrize("pane", PANES)
async def test_without_room_for_panes_they_open_over_the_board(pane: PaneName) -> None:
    async with screen(size=(20, 10)) as seen:
        await seen.type(f"/pane {pane}")
        await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))
        shown = " ".join(str(part.content) for part in seen.app.screen.query(Static))
        assert t(TITLES[pane]) in shown
