"""Studies of the terminal, for tests: a fake engine, and a person before a study in lines and in full screen."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import ClassVar

import pytest

from client.sdk import connect
from client.sdk.records import Records
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.app import TerminalApp
from client.terminal.plain.study_lines import go_through
from client.terminal.preferences import Preferences
from client.terminal.seating import Seating
from client.terminal.studies import position
from client.terminal.studies.judge import Answer, Found
from client.terminal.studies.study import StudyContext
from client.terminal.studies.table import OpenStudy, open_study
from client.terminal.typed.exits import Exit
from server.wire import JudgedMove
from tests.support.terminal.fake_server import FakeServer, fake_server
from tests.support.terminal.screen import WIDE, Screen
from tests.support.terminal.typed_lines import Typed

DRAWN = Found(exact=True, value=0.0, even=0.2, win_in=None, bound=False, line=["a1", "b2"])


class FakeJudge:
    """Answers at once what the test says, a draw if nothing else."""

    found: ClassVar[dict[str, Found | None]] = {}
    judged: JudgedMove | None = None
    asked: ClassVar[list[tuple[str, ...]]] = []

    async def ask(self, game: str, moves: tuple[str, ...], *, judge: bool = False) -> Answer:
        self.asked.append(moves)
        return Answer(1, self.found.get(" ".join(moves), DRAWN), self.judged if judge and moves else None)

    async def stop(self) -> None:
        pass


@pytest.fixture
def fake_judge(monkeypatch: pytest.MonkeyPatch) -> type[FakeJudge]:
    class OfThisTest(FakeJudge):
        found: ClassVar[dict[str, Found | None]] = {}
        asked: ClassVar[list[tuple[str, ...]]] = []

    monkeypatch.setattr(position, "Judge", OfThisTest)
    return OfThisTest


def serve(server: FakeServer, pages: Mapping[str, object]) -> None:
    """Answer these paths with JSON."""
    server.pages |= {path: (200, json.dumps(page).encode()) for path, page in pages.items()}


async def told(
    asked: str,
    *lines: str,
    pages: Mapping[str, object] | None = None,
    preferences: Preferences | None = None,
    before: Callable[[FakeServer], None] = lambda server: None,
) -> tuple[str, Seating | Exit]:
    """What a study tells in lines, and what comes after it."""
    word, _, rest = asked.partition(" ")
    async with fake_server() as server, connect(server.url) as connection:
        serve(server, pages or {})
        before(server)
        context = StudyContext(connection, Records(server.url, None), Look(), preferences or Preferences())
        said: list[str] = []
        study = await open_study(context, OpenStudy(word, rest))
        after = await go_through(study, Typed(*lines), said.append, context)
        return "\n".join(said), after


@asynccontextmanager
async def study_screen(
    asked: str,
    *,
    pages: Mapping[str, object] | None = None,
    size: tuple[int, int] = WIDE,
    preferences: Preferences | None = None,
    before: Callable[[FakeServer], None] = lambda server: None,
) -> AsyncIterator[Screen]:
    """The lobby's screen, in which the word was typed."""
    async with fake_server() as server, connect(server.url, delays_s=(0.0,) * 9) as connection:
        serve(server, pages or {})
        before(server)
        app = TerminalApp(connection, server.url, Look(), None, preferences)
        async with app.run_test(size=size) as pilot:
            seen = Screen(app, pilot, server)
            await pilot.pause()
            await seen.type(asked)
            yield seen
