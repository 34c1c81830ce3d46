"""A database of an earlier release: a server serves it, and its ladder goes on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.support.database.database_files import execute
from tests.support.database.earlier_files import (
    ANN_TOKEN,
    BOB_TOKEN,
    FOLDER,
    INVITE_CODE,
    INVITE_ROOM,
    RUN_IDS,
    RUNNING_ROOM,
    database,
)
from tests.support.ladder.process import done
from tests.support.live.server import player, serving


def read(address: str) -> Any:
    with urlopen(address) as answer:
        return json.load(answer)


async def test_players_go_on_where_they_were(tmp_path: Path) -> None:
    database(tmp_path)
    with serving(tmp_path) as server:
        async with player(server, token=ANN_TOKEN) as ann, player(server, token=BOB_TOKEN) as bob:
            assert ann.player == {"id": "1", "name": "Ann", "kind": "person"}
            assert RUNNING_ROOM in ann.rooms
            room = await ann.room("watch", room=RUNNING_ROOM)
            assert room["game"]["moves"] == ["c3", "b2"]
            await ann.ack("move", room=RUNNING_ROOM, game=1, ply=2, move="a1")
            await bob.ack("move", room=RUNNING_ROOM, game=1, ply=3, move="d4")
            await ann.event("moved", ply=3, room=RUNNING_ROOM)
            joined = await ann.room("join", code=INVITE_CODE)
            assert (joined["room"], joined["game"]["started"]) == (INVITE_ROOM, True)
        for address in ("games/2", "games/2/review", "games/4", "ladder", f"ladder?run={RUN_IDS[0]}", "players/1"):
            assert await asyncio.to_thread(read, f"http://127.0.0.1:{server.port}/api/{address}")
        assert server.stop() == 0
    assert execute(tmp_path / "noughts.db", "SELECT count(*) FROM moves WHERE game_id = 5") == [(4,)]


def test_a_ladder_goes_on_with_its_lists(tmp_path: Path) -> None:
    db = database(tmp_path)
    status, _, said = done(FOLDER / "ladder.toml", db, "--games", "2", "--jobs", "1")
    assert status == 0, said
    assert "small: resumes after 2 games." in said
    assert "mnk:4,4,4: resumes after 2 games; strongest (version 11), level:1 (version 4) enter; strongest" in said, (
        "it plays otherwise now"
    )
    found = execute(
        db, "SELECT run_id, count(*) FROM games WHERE source = 'ladder' GROUP BY run_id ORDER BY run_id DESC"
    )
    assert [run for run, _ in found] == RUN_IDS
    assert sum(number for _, number in found) == 6
