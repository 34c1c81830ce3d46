"""What one looks at beside games: a position or figures, sentences about them, and what may be chosen.

A study knows nothing of screens: `study_screen` and `study_lines` show it and hand on what is typed. Whatever can be
chosen is a word that could be typed as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from client.sdk import Connection, Lobby, NoughtsError, RoomView
from client.sdk.records import Records
from client.terminal.drawing.boards import Look
from client.terminal.language import t
from client.terminal.preferences import Preferences
from client.terminal.records.replay import Replay, replay_of
from client.terminal.seating import BadChoice, Seating
from client.terminal.trouble import trouble_words


@dataclass(frozen=True, slots=True)
class StudyContext:
    """What studies work with."""

    connection: Connection
    records: Records
    look: Look
    preferences: Preferences

    async def lobby(self) -> Lobby:
        """The lobby as it is now."""
        lobby = await self.connection.lobby(True)
        if self.connection.lobby_changed is None:  # else somebody goes on looking at it
            await self.connection.lobby(False)
        return lobby

    async def replay(self, number: int) -> Replay:
        return replay_of(await self.records.game(number), self.connection.player.id)


@dataclass(frozen=True, slots=True)
class Choice:
    """A line to choose; choosing it is typing `word`."""

    word: str
    line: str


class Study:
    """Begun once, then obeys words until it is left. `changed` is called when there is something new to show."""

    title: str = ""
    has_board: bool = True
    takes_moves: bool = True
    """Whether moves are made on the board, where there is one."""
    steps: frozenset[str] = frozenset()
    """Which of `p`, `n`, `start` and `end` go through the moves."""
    cursor: int | None = None
    """A cell that is pointed at."""

    def __init__(self, context: StudyContext) -> None:
        self.context = context
        self.changed: Callable[[], None] = lambda: None
        self._work: asyncio.Task[None] | None = None
        self._begun = False

    @property
    def view(self) -> RoomView | None:
        """The position, as that of a room; None where there is none just now."""
        return None

    def sentences(self) -> list[str]:
        return []

    def choices(self) -> list[Choice]:
        return []

    def help_rows(self) -> list[tuple[str, str]]:
        """What is typed here, and what it does, except what all studies obey."""
        return []

    async def open(self) -> None:
        """Fetch, once, what is shown first. Raises NoughtsError, BadChoice."""
        if not self._begun:
            await self.begin()
            self._begun = True

    async def begin(self) -> None:
        """Fetch what is shown first."""

    async def obey(self, typed: str) -> Next:
        """Do what a word asks for, and say what comes next; None stays. Raises NoughtsError, BadChoice, NotNow."""
        raise BadChoice(t("study.unknown", word=repr(typed[:20])))

    # Work that goes on while the study is looked at

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this instead of what was being done."""
        if self._work is not None:
            self._work.cancel()
        self._work = asyncio.ensure_future(self._told(work))

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except NoughtsError as error:
            self.tell(trouble_words(error))

    def tell(self, sentence: str) -> None:
        """Something went wrong while working."""

    async def settled(self) -> None:
        """Wait for the work, if it ends by itself."""
        while self._work is not None and not self._work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.shield(self._work)

    async def stop(self) -> None:
        if self._work is not None:
            self._work.cancel()
            with suppress(asyncio.CancelledError):
                await self._work


Next: TypeAlias = Study | Replay | Seating | None
"""What comes after a word: something else to look at, a room to sit in; None for more of the same."""


def numbered(choices: Sequence[Choice], typed: str) -> str:
    """The word of the choice that a number names, else what was typed. Raises BadChoice."""
    if not (typed.isascii() and typed.isdigit() and len(typed) < 6 and choices):
        return typed
    if not 1 <= int(typed) <= len(choices):
        raise BadChoice(t("lines.numbers", last=len(choices)))
    return choices[int(typed) - 1].word
