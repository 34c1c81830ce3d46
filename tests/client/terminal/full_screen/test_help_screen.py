"""What may be pressed and typed, over a screen of any width."""

from __future__ import annotations

import pytest
from rich.console import Console
from textual.widgets import Static

from client.terminal.full_screen.choice_screen import SettingsScreen
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.preferences import Preferences
from tests.support.terminal.screen import Screen, screen

NARROW = (20, 10)


def told(seen: Screen, columns: int) -> str:
    console = Console(width=columns, force_terminal=False)
    with console.capture() as captured:
        for part in seen.app.screen.query(Static):
            console.print(part.content)
    return captured.get()


async def test_the_meanings_stand_below_where_there_is_no_room_beside() -> None:
    for size, expected in ((NARROW, "/draw\noffer a draw, or\naccept one"), ((80, 24), "/draw  ")):
        async with screen(size=size) as seen:
            await seen.pilot.press("?")
            await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))
            lines = [line.rstrip() if size is NARROW else line for line in told(seen, size[0]).splitlines()]
            assert expected in "\n".join(lines)


@pytest.mark.parametrize(("size", "is_covered"), [((100, 40), False), ((80, 24), True), (NARROW, True)])
async def test_a_panel_without_a_frame_covers_the_board(size: tuple[int, int], is_covered: bool) -> None:
    kept = Preferences()
    kept.wear("nord")  # whose background can be seen through, as the tests' terminal's own cannot
    async with screen(size=size, preferences=kept) as seen:
        await seen.pilot.press("f10")
        await seen.settles(lambda: isinstance(seen.app.screen, SettingsScreen))
        assert (seen.app.screen.styles.background.a == 1) is is_covered
        assert bool(seen.app.screen.query_one(".panel").styles.border_top[0]) is not is_covered
