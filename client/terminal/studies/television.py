"""TV: the best running game, and the next best once it is over."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from client.sdk import LiveRoom, NoughtsError, RoomView
from client.terminal.language import t
from client.terminal.seating import WatchRoom
from client.terminal.studies.study import Choice, Next, Study, StudyContext
from client.terminal.trouble import trouble_words
from client.terminal.typed.commands import NotNow
from client.terminal.words import room as words
from client.terminal.words.games import game_name
from client.terminal.words.lobby import running_line
from server.wire import RunningRoom, Side

PAUSE_S: Final = 4.0
"""How long a game that is over is still shown."""
LOOK_S: Final = 3.0
"""How often a game is looked for while none runs."""


def best_first(rooms: list[RunningRoom], me: str) -> list[RunningRoom]:
    """The rooms of others: the highest ratings first, then those that most people watch."""

    def rank(room: RunningRoom) -> tuple[int, int]:
        return sum(player.rating.value for player in (room.x, room.o) if player.rating is not None), room.spectators

    return sorted((room for room in rooms if me not in (room.x.id, room.o.id)), key=rank, reverse=True)


class Television(Study):
    takes_moves = False

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.title = t("study.tv")
        self._room: LiveRoom | None = None
        self._others: list[RunningRoom] = []
        self._trouble = ""

    @property
    def view(self) -> RoomView | None:
        return self._room.view if self._room is not None else None

    async def begin(self) -> None:
        await self._switch()
        self.start(self._go_on())

    async def settled(self) -> None:
        """TV has no final state."""

    async def stop(self) -> None:
        await super().stop()
        with suppress(NoughtsError):
            await self._leave()

    # Watching

    async def _switch(self, wanted: str | None = None) -> None:
        """Switch to a room, else to the best one that is not shown yet; to none where none runs."""
        shown = self._room.id if self._room is not None else None
        rooms = best_first((await self.context.lobby()).rooms, self.context.connection.player.id)
        room = wanted or next((room.room for room in rooms if room.room != shown), None)
        if room is not None or self._is_over:
            await self._leave()
        if room is not None:
            self._room = await self.context.connection.watch(room)
        self._others = [other for other in rooms if self._room is None or other.room != self._room.id]
        self._trouble = ""
        self.changed()

    @property
    def _is_over(self) -> bool:
        return self._room is not None and self._room.view.result is not None

    async def _leave(self) -> None:
        room, self._room = self._room, None
        if room is not None:
            await room.leave()

    async def _go_on(self) -> None:
        while True:
            try:
                if self._room is None:
                    await asyncio.sleep(LOOK_S)
                    await self._switch()
                elif self._is_over:
                    await asyncio.sleep(PAUSE_S)
                    if self._is_over:  # still: a rematch may have begun
                        await self._switch()
                else:
                    if not await self._room.changed_since(self._room.version):
                        self._room = None
                    self.changed()
            except NoughtsError as error:
                self._trouble = trouble_words(error)
                self._room = None
                self.changed()

    # Showing and obeying

    def sentences(self) -> list[str]:
        view = self.view
        if view is None:
            return [t("tv.none"), *filter(None, [self._trouble])]
        marks = self.context.look.marks
        heading = [game_name(view.rules), words.clock_settings(view.clock)]
        if view.rated:
            heading.append(t("room.rated"))
        return [
            f"{self._name(view, 'x')} - {self._name(view, 'o')}",
            " · ".join(heading),
            words.turn_sentence(view, marks),
        ]

    def _name(self, view: RoomView, side: Side) -> str:
        rating = words.rating_words(view, side)
        return " ".join(filter(None, [words.who(view, side, self.context.look.marks), rating]))

    def choices(self) -> list[Choice]:
        here = [Choice("watch", t("tv.watch"))] if self._room is not None else []
        following = [Choice("next", t("tv.next"))] if self._others else []
        return [*here, *following, *(Choice(f"room {room.room}", running_line(room)) for room in self._others)]

    def help_rows(self) -> list[tuple[str, str]]:
        return [("next", t("tv.next")), ("watch", t("tv.watch"))]

    async def obey(self, typed: str) -> Next:
        word, _, rest = typed.partition(" ")
        match word.lower():
            case "next" | "n":
                if not self._others:
                    raise NotNow(t("tv.alone"))
                await self._tune(None)
            case "room" if rest:
                await self._tune(rest.strip())
            case "watch" if self._room is not None:
                room = self._room.id
                await self.stop()
                return WatchRoom(room=room)
            case _:
                return await super().obey(typed)
        return None

    async def _tune(self, room: str | None) -> None:
        await super().stop()
        try:
            await self._switch(room)
        finally:
            self.start(self._go_on())
