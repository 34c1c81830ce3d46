"""Other people's engines on a real server: in its lists, in its rooms, and one that crashes beside another game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.rules.registry import rules
from server.workers.engines.remembered import LOST
from tests.support.database.database_files import execute
from tests.support.foreign_engines.scripts import ARENAS, arenas_toml, toml
from tests.support.ladder.process import count, done, games, running
from tests.support.live.searches import read
from tests.support.live.server import Client, Server, eventually, player, refused, serving


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


async def game_at_random(ann: Client, protocol: str, random: Random) -> str | None:
    """Who wins a game in which Ann begins and plays at random."""
    game = rules(ARENAS[protocol])
    made = await ann.room("create", game=game.id, seat="x", opponent={"kind": "bot", "bot": protocol})
    position = game.initial
    while position.outcome is None:
        move = random.choice(position.legal_moves())
        await ann.ack("move", room=made["room"], game=1, ply=position.ply, move=game.format_move(move))
        position = position.play(move)
        if position.outcome is None:
            moved = await ann.event("moved", room=made["room"], ply=position.ply)
            position = position.play(game.parse_move(moved["move"]))
    ended = await ann.event("ended", room=made["room"])
    assert ended.get("fault") is None
    return position.outcome.winner


@pytest.fixture
def arenas(tmp_path: Path) -> Path:
    path = tmp_path / "arenas.toml"
    path.write_text(arenas_toml())
    return path


async def test_engines_of_other_arenas_beat_random_in_rooms(tmp_path: Path, arenas: Path) -> None:
    """One remembers its games: each stays with its process, nothing can be taken back, and a new server knows none."""
    with serving(tmp_path, "--engines", str(arenas), "--worker-nice", "0") as server:
        async with player(server, "Ann") as ann:
            for protocol in ARENAS:
                winners = [await game_at_random(ann, protocol, Random(seed)) for seed in range(3)]
                assert winners.count("o") > winners.count("x"), protocol
            opponent = {"kind": "bot", "bot": "codingame"}
            await ann.error("bad_bot", "create", game="tictactoe", seat="x", opponent=opponent, start=["b2"])
            made = await ann.room("create", game="tictactoe", seat="x", opponent=opponent)
            assert made["takebacks"] is False
            await ann.ack("move", room=made["room"], game=1, ply=0, move="a1")
            reply = (await ann.event("moved", room=made["room"], ply=1))["move"]
            await ann.error("not_now", "act", room=made["room"], game=1, action="offer_takeback")
            token = ann.token
        server.kill()
    free = next(move for move in ("a2", "a3") if move != reply)
    with serving(tmp_path, "--engines", str(arenas), "--worker-nice", "0") as server:
        async with player(server, token=token) as ann:
            await ann.ack("resume", room=made["room"], seq=0)
            await ann.ack("move", room=made["room"], game=1, ply=2, move=free)
            ended = await ann.event("ended", room=made["room"])
            assert (ended["winner"], ended["termination"]) == ("x", "crash")
            assert ended["fault"] == f"Move 4: codingame (O) {LOST}."


def test_a_file_that_is_wrong_keeps_the_server_from_starting(tmp_path: Path, file: Path) -> None:
    file.write_text(toml("good", "calm") + toml("good", "calm"))
    status, error = refused("serve", "--engines", str(file), "--db", str(tmp_path / "noughts.db"), "--port", "0")
    assert (status, "Two engines are called calm: give each its own name." in error) == (2, True)


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
    faults = execute(broken, "SELECT DISTINCT p.name FROM faults f JOIN players p ON p.id = f.player_id")
    assert faults == [("rash",)]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_ladder_of_ten_lists_that_is_killed_twice_accounts_for_every_game(tmp_path: Path, file: Path) -> None:
    """Our bots, other people's of every protocol, and one that crashes."""
    file.write_text(toml("good", "calm") + toml("crash", "rash") + arenas_toml())
    drawn, empty = "opening_plies = 2", "opening_plies = 0\nrepeat_openings = true"
    lists = [
        ("tictactoe", drawn, ("calm", "rash", "random")),
        ("qubic", drawn, ("calm", "rash")),
        ("gomoku", drawn, ("calm", "gomocup")),
        ("mnk:9,9,5", drawn, ("gomocup", "random")),
        ("mnk:4,4,4", drawn, ("rash", "alphabeta:1")),
        ("tictactoe", empty, ("codingame", "random")),
        ("ultimate", empty, ("codingame", "calm")),
        ("ultimate:count", empty, ("codingame", "alphabeta:1")),
        ("nine-board", "opening_plies = 1", ("servt", "random")),
        ("super", drawn, ("calm", "random")),
    ]
    config = tmp_path / "night.toml"
    config.write_text(
        'name = "night"\nengines = "engines.toml"\n'
        + "".join(
            f'[[lists]]\nname = "{number}"\ngame = "{game}"\n{openings}\npairs = 2\nuntil_rounds = 1\n'
            f"bots = {json.dumps(bots)}\n"
            for number, (game, openings, bots) in enumerate(lists)
        )
    )
    whole, broken = tmp_path / "whole.db", tmp_path / "broken.db"
    status, _, said = done(config, whole, "--jobs", "2")
    assert status == 0, said
    wanted = games(whole)
    assert len({game[0] for game in wanted}) == len(lists)
    for number in (3, 20):
        with running(config, broken, "--jobs", "2") as ladder:
            ladder.until_games(number)
    status, _, said = done(config, broken, "--jobs", "2")
    assert status == 0, said
    assert games(broken) == wanted
    faulty = execute(broken, "SELECT DISTINCT p.name FROM faults f JOIN players p ON p.id = f.player_id")
    assert faulty == [("rash",)]
    for name in ("gomocup", "codingame", "servt"):
        played = execute(broken, "SELECT x, o, winner FROM v_games WHERE 'random' IN (x, o)")
        winners = [{"x": x, "o": o}.get(winner) for x, o, winner in played if name in (x, o)]
        assert winners.count(name) > winners.count("random"), name
