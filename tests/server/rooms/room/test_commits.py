"""What a room commits, and what it makes of a commit that fails."""

from __future__ import annotations

import json
from typing import Any

from server.play.effects import Commit
from server.play.history import RowBuilder
from server.play.inputs import CommitFailed, Committed, Opened, Prepared, StoreBack, Ticket
from server.play.session import Session
from server.play.writes import Conflict, Statement, StoreUnavailable, Write
from server.rooms.room.commits import COMMIT_RETRY_S, Commits
from server.rooms.room.sleepers import wake_writes
from tests.support.rooms.fakes import UNIX_MS, World
from tests.support.rooms.session_driver import Driver

MADE: Write = (Statement.ADD_ROOM, (1, "room1", "{}", None, 0))


class Scene:
    def __init__(self) -> None:
        self.world = World()
        self.news: list[Any] = []
        self.commits = Commits(RowBuilder(1, "here", "noughts 0"), self.world.services, self.news.append)
        self.session: Session = Driver(open=False).session
        self.session.handle(Prepared(Ticket(id=3, seed=7), {}), 0)
        (self.effect,) = self.session.handle(Opened("1"), 0)
        assert isinstance(self.effect, Commit)

    async def commit(self) -> Committed | CommitFailed:
        assert isinstance(self.effect, Commit)
        return await self.commits.commit(self.session, self.effect)


async def test_rows_and_payloads_of_a_commit() -> None:
    scene = Scene()
    scene.commits.first_writes = [MADE]
    assert await scene.commit() == Committed(UNIX_MS + scene.world.now_ms)
    assert scene.world.rows[0] == MADE
    assert [row[1] for row in scene.world.recorded(Statement.ADD_EVENT)] == [1, 2, 3]
    assert [json.loads(payload)["seq"] for payload in scene.commits.payloads] == [1, 2, 3]
    assert b"seed" not in scene.commits.payloads[-1]
    assert scene.commits.first_writes == []


async def test_what_goes_first_goes_until_it_is_committed() -> None:
    scene = Scene()
    scene.commits.first_writes = [MADE]
    scene.world.failure = Conflict("refused")
    assert isinstance(await scene.commit(), CommitFailed)
    assert scene.commits.first_writes == [MADE]
    await scene.world.wait(round(COMMIT_RETRY_S * 1000))
    assert scene.news == [StoreBack()], "the store works, so it is tried again after a while"


async def test_where_the_store_is_down_nobody_asks_again() -> None:
    scene = Scene()
    scene.world.failure, scene.world.available = StoreUnavailable("full"), False
    assert isinstance(await scene.commit(), CommitFailed)
    await scene.world.wait(round(COMMIT_RETRY_S * 1000))
    assert scene.news == []


def test_a_room_that_is_committed_is_not_made_again_but_woken() -> None:
    commits = Commits(RowBuilder(1, "here", "noughts 0"), None, None)  # type: ignore[arg-type]
    commits.first_writes = [MADE, *wake_writes(1)]
    assert commits.wakes
    commits.forget_room_row()
    assert commits.first_writes == wake_writes(1)
    commits.first_writes = []
    assert not commits.wakes
