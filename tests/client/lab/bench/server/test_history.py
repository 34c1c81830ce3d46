"""A database with a long past."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import uvloop

from client.lab.bench.processes import noughts
from client.lab.bench.server.history import PLIES, fill
from client.lab.bench.wire import BenchError, connect


@pytest.mark.slow
def test_the_past_is_a_sound_database_in_which_the_server_starts(tmp_path: Path) -> None:
    async def play_on() -> None:
        with noughts(tmp_path) as server:
            wire = await connect(server.port)
            await wire.ask("hello", v=1, name="Ada")
            made = await wire.ask("create", game="tictactoe", opponent={"kind": "self"})
            assert made["game"]["id"] > 2
            with pytest.raises(BenchError, match="not_found"):
                await wire.ask("leave", room="nowhere")
            wire.close()

    with noughts(tmp_path):
        pass
    fill(tmp_path / "bench.db", 2 * PLIES)
    uvloop.run(play_on())
    with sqlite3.connect(tmp_path / "bench.db") as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchone() == (2 * PLIES,)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
