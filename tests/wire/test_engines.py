"""Other people's engines on a real server: in its lists, in its rooms, and one that crashes beside another game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.engines import toml
from tests.support.ladder_process import count, done, games, running, table
from tests.support.live import Server, eventually, player, refused, serving
from tests.support.live_searches import read


def told(server: Server, path: str) -> Any:
    return json.loads(read(server, path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "engines.toml"
    path.write_text(toml("good", "calm", 'character = "Plays calmly."\n') + toml("crash", "rash"))
    return path


async def test_engines_play_and_what_one_does_wrong_costs_it_its_game_alone(tmp_path: Path, file: Path) -> None:
    with serving(tmp_path, "--engines", str(file)) as server:
        [calm] = [bot for bot in told(server, "/api/bots") if bot["name"] == "calm"]
        assert (calm["engine"], calm["ours"], calm["character"]) == (True, False, "Plays calmly.")
        async with player(server, "Ann") as ann:
            calmly = await ann.room("create", game="qubic", seat="x", opponent={"kind": "bot", "bot": "calm"})
            clock = {"initial_ms": 3_600_000, "increment_ms": 0}
            rash = {"kind": "bot", "bot": "rash"}
            rashly = await ann.room("create", game="qubic", seat="x", opponent=rash, clock=clock, rated=True)
            assert calmly["seats"]["o"]["bot"] == "calm"
            for room in (rashly, calmly):
                await ann.ack("move", room=room["room"], game=1, ply=0, move="d4.4")
                moved = await ann.event("moved", room=room["room"], ply=1)
            assert (moved["move"], moved["search"]["value"], moved["search"]["nodes"]) == ("a1.1", 0.5, 12)
            await ann.ack("move", room=rashly["room"], game=1, ply=2, move="d3.4")
            ended = await ann.event("ended", room=rashly["room"])
            assert (ended["winner"], ended["termination"]) == ("x", "crash")
            fault = "Move 4: rash (O) ended with exit status 1: RuntimeError: a crash on command."
            assert ended["fault"] == fault
            await ann.ack("move", room=calmly["room"], game=1, ply=2, move="d3.4")
            assert (await ann.event("moved", room=calmly["room"], ply=3))["move"] == "b1.1"
            rated = [bot for bot in told(server, "/api/bots?game=qubic") if bot["name"] == "rash"]
            assert rated[0]["ratings"]["rash"]["value"] == ended["ratings"]["o"]["after"]
            [game] = told(server, "/api/games?game=qubic&limit=1")["games"]
            assert told(server, f"/api/games/{game['id']}")["fault"] == fault
        engines = [child for worker in server.workers() for child in worker.children()]
    await eventually(lambda: not any(engine.is_running() for engine in engines), "the engines end with the server")


def test_a_file_that_is_wrong_keeps_the_server_from_starting(tmp_path: Path, file: Path) -> None:
    file.write_text(toml("good", "calm") + toml("good", "calm"))
    status, error = refused("serve", "--engines", str(file), "--db", str(tmp_path / "noughts.db"), "--port", "0")
    assert (status, "Two engines are called calm: give each its own name." in error) == (1, True)


@pytest.mark.slow
def test_a_ladder_that_is_killed_accounts_for_every_game(tmp_path: Path, file: Path) -> None:
    """Its engines end with it, and the games that it had not recorded are played again as they would have been."""
    config = tmp_path / "night.toml"
    config.write_text(
        'name = "night"\nengines = "engines.toml"\n[[lists]]\ngame = "tictactoe"\npairs = 8\n'
        'bots = ["calm", "rash", "random"]\n'
    )
    whole, broken = tmp_path / "whole.db", tmp_path / "broken.db"
    status, _, said = done(config, whole, "--jobs", "2", "--games", "16")
    assert status == 0, said
    for number in (1, 5):
        with running(config, broken, "--jobs", "2", "--games", "16") as ladder:
            ladder.until_games(number)
    left = 16 - count(broken)
    if left:
        assert done(config, broken, "--jobs", "2", "--games", str(left))[0] == 0
    assert games(broken) == games(whole)
    faults = table(broken, "SELECT DISTINCT p.name FROM faults f JOIN players p ON p.id = f.player_id")
    assert faults == [("rash",)]
