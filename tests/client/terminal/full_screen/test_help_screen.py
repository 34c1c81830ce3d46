"""What may be pressed and typed, over a screen of any width."""

from __future__ import annotations

from rich.console import Console
from textual.widgets import Static

from client.terminal.full_screen.help_screen import HelpScreen
from tests.support.terminal_screen import Screen, screen

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
