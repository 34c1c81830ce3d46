"""The search that a room's bot thinks by."""

from __future__ import annotations

from typing import Any

import pytest

from server.play.effects import Think
from server.play.inputs import BotFaulted, SearchDone, SearchFailed, SearchStarted
from server.rooms.room.output import RoomOutput
from server.rooms.room.search import RoomSearch
from server.wire import BotLimit
from tests.support.rooms.fakes import World
from tests.support.rooms.session_driver import Driver, bot_seat

THINK = Think(7, "o", "random", (), BotLimit(), 100, 1, True, "1")


class Scene:
    def __init__(self, think: Any = None) -> None:
        self.world = World()
        if think is not None:
            self.world.think = think  # type: ignore[method-assign]
        self.heard: list[Any] = []
        session = Driver(o=bot_seat(), kind="bot").session
        self.output = RoomOutput(session, None, self.world.services)
        self.search = RoomSearch(self.output, self.world.services, self.heard.append)


async def test_its_news_carry_its_number() -> None:
    scene = Scene()
    scene.search.ask(THINK)
    (search,) = scene.world.searches
    search.report.started()
    search.decide("a1")
    assert scene.heard[0] == SearchStarted(7)
    assert isinstance(scene.heard[1], SearchDone)
    assert scene.heard[1].search == 7
    scene.search.end()
    assert not search.stopped, "it is done"
    search.report.failed("crash")
    assert scene.heard[2] == SearchFailed(7, "crash")
    search.report.faulted("stall", "did not answer")
    assert scene.heard[3] == BotFaulted(7, "stall", "did not answer")


async def test_it_is_stopped_once() -> None:
    scene = Scene()
    scene.search.end()
    scene.search.ask(THINK)
    scene.search.end()
    assert scene.world.searches[0].stopped


async def test_where_no_worker_takes_it_or_asking_fails_it_is_busy(caplog: pytest.LogCaptureFixture) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError("a bug")

    for think in (lambda *arguments: None, fail):
        scene = Scene(think)
        scene.search.ask(THINK)
        assert scene.heard == [SearchFailed(7, "busy")]
        scene.search.end()
    assert "a search could not be asked for" in caplog.text


async def test_what_cannot_be_shown_or_stopped_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def stop() -> None:
        raise RuntimeError("a bug at stopping")

    scene = Scene(lambda game, think, watched, report: (report.progressed(1, 1, 0.0, (10**6,)), stop)[1])
    scene.search.ask(THINK)
    scene.search.end()
    assert "a bug at stopping" in caplog.text
    assert "show_thinking failed" in caplog.text
