"""The review of a recorded game, which the server makes while the game is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress

from client.sdk import Connection, NoughtsError
from client.terminal.language import t
from client.terminal.records.replay import Replay
from client.terminal.records.words import review_words
from client.terminal.trouble import trouble_words
from server.wire import JudgedMove


class Reviewing:
    """What is judged so far. `tell` is given sentences on the review itself, `changed` is called with every news."""

    def __init__(
        self,
        connection: Connection,
        replay: Replay,
        tell: Callable[[str], None],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._connection = connection
        self._replay = replay
        self._tell = tell
        self._changed = changed
        self._judged: dict[int, JudgedMove] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Ask for the review; once is enough, unless it failed."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read())

    async def stop(self) -> None:
        """The server need not go on for us."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def words(self, ply: int) -> str:
        """What the review says of the move that led to a position; empty while it says nothing."""
        judged = self._judged.get(ply - 1)
        return review_words(judged, self._replay.moves[ply - 1].move) if judged is not None else ""

    async def _read(self) -> None:
        self._tell(t("review.begun"))
        try:
            async with aclosing(self._connection.review(self._replay.record.id)) as reviews:
                async for review in reviews:
                    self._judged |= {judged.ply: judged for judged in review.moves}
                    self._changed()
        except NoughtsError as error:
            self._tell(trouble_words(error))
        else:
            self._tell(t("review.done"))
