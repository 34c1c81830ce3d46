"""Log and chat as lines."""

from __future__ import annotations

from client.terminal.full_screen.news import News
from server.wire import Author, Said
from tests.support.terminal.screen import screen, unwrapped


async def test_news_is_wrapped_anew() -> None:
    async with screen(size=(60, 40)) as seen:
        sentence = "a long sentence of many words that needs more than one line of thirty columns"
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text=sentence))
        await seen.settles(lambda: sentence in unwrapped(seen))
        for width in (100, 60):
            await seen.pilot.resize_terminal(width, 40)
            await seen.settles(lambda: sentence in unwrapped(seen))
            log = seen.app.screen.query_one(News)
            assert all(line.cell_length <= log.scrollable_content_region.width for line in log.lines)
