"""What is acknowledged survives: `kill -9` at random moments, SIGTERM, and how clocks and seats come back."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from client.sdk import ClockSettings, LiveRoom, Opponent, Result, connect
from tests.support.live.restarted_tables import Countdown, Table, events_of, moves_agree_with_events
from tests.support.live.server import (
    COMMAND,
    ROOT,
    TIMEOUT_S,
    UNLIMITED,
    connection,
    environment,
    eventually,
    open_client,
    player,
    players,
    seated_pair,
    serving,
)

FLAGS = (*UNLIMITED, "--pace-ms", "0")


async def survive(folder: Path, seed: int, kills: int) -> None:
    rng = random.Random(seed)
    tables = [Table(game, random.Random(f"{seed} {game}")) for game in ("tictactoe", "ultimate", "qubic")]
    db = folder / "noughts.db"
    for life in range(kills + 1):
        with serving(folder, *FLAGS) as server:
            for table in tables:
                if life == 0:
                    clients = [await open_client(server) for _ in "xo"]
                    for client in clients:
                        await client.hello()
                    await table.open(*clients)
                else:
                    await table.come_back(server)
            if life < kills:
                countdown = Countdown(server, rng.randint(1, 120))
                await asyncio.gather(*(table.play(countdown) for table in tables))
            else:
                assert server.stop() == 0
        for table in tables:
            for chair in table.chairs:
                await chair.client.close()
                assert not chair.client.faults, chair.client.faults
            table.compare(db)
    assert moves_agree_with_events(db)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
async def test_every_acknowledgement_survives_kill_9(tmp_path: Path, seed: int) -> None:
    await survive(tmp_path, seed, kills=4)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(100, 102))
async def test_every_acknowledgement_survives_many_kills(tmp_path: Path, seed: int) -> None:
    await survive(tmp_path, seed, kills=40)


async def test_a_bot_goes_on_after_kill_9(tmp_path: Path) -> None:
    with serving(tmp_path, *FLAGS) as server:
        async with player(server) as client:
            made = await client.room(
                "create",
                game="qubic",
                seat="x",
                opponent={"kind": "bot", "bot": "alphabeta:20"},
                limit={"move_ms": 60_000},
            )
            room, token = made["room"], client.token
            await client.ack("move", room=room, game=1, ply=0, move="a1.1")
            await client.until(lambda m: m["t"] == "thinking")
            family = server.family()
            server.kill()
    _, alive = psutil.wait_procs(family, timeout=TIMEOUT_S)
    assert not alive, "searches outlive the server"
    with serving(tmp_path, *FLAGS) as server:
        async with player(server, token=token) as client:
            assert client.rooms == [room]
            assert (await client.room("watch", room=room))["game"]["moves"] == ["a1.1"]
            await client.until(lambda m: m["t"] == "thinking")


async def test_invites_wait_and_seeks_are_gone_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, *FLAGS) as server:
        async with players(server, "Anna", "Bert") as (a, b):
            seek = (await a.room("create", game="tictactoe", seat="x"))["room"]
            challenge = {"kind": "player", "player": b.player["id"]}
            challenged = (await a.room("create", game="tictactoe", seat="x", opponent=challenge))["room"]
            invite = await a.room("create", game="tictactoe", seat="x", opponent={"kind": "invite"})
            tokens = a.token, b.token
            server.kill()
    with serving(tmp_path, *FLAGS) as server:
        async with player(server, token=tokens[0]) as a, player(server, token=tokens[1]) as b:
            assert a.rooms == [invite["room"]]
            for room in (seek, challenged):
                await a.error("not_found", "watch", room=room)
            listing = await b.get("lobby", "lobby", on=True)
            assert (listing["seeks"], listing["challenges"]) == ([], [])
            assert (await b.room("join", code=invite["code"]))["game"]["started"]
            assert (await b.room("watch", room=invite["room"]))["code"] == invite["code"]


async def test_clocks_stand_until_the_side_to_move_is_back(tmp_path: Path) -> None:
    with serving(tmp_path, *FLAGS) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            room = (await seated_pair(x, o, clock={"initial_ms": 60_000, "increment_ms": 0}))["room"]
            await x.ack("move", room=room, game=1, ply=0, move="a1")
            await o.ack("move", room=room, game=1, ply=1, move="b2")
            left = (await x.event("moved", ply=1))["clock"]
            tokens = x.token, o.token
            server.kill()
    with serving(tmp_path, *FLAGS) as server:
        async with player(server, token=tokens[1]) as o:
            first = await o.room("watch", room=room)
            later = first
            while later["ts"] < first["ts"] + 20:
                later = await o.room("watch", room=room)
            for clock in (first["clock"], later["clock"]):
                assert (clock["x_ms"], clock["o_ms"]) == (left["x_ms"], left["o_ms"])
            async with player(server, token=tokens[0]) as x:
                async with asyncio.timeout(TIMEOUT_S):
                    while (await x.room("watch", room=room))["clock"]["x_ms"] == left["x_ms"]:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                assert (await o.room("watch", room=room))["clock"]["o_ms"] == left["o_ms"]
                await x.ack("move", room=room, game=1, ply=2, move="c3")


async def test_a_restart_on_a_held_socket_costs_no_game_no_second_and_no_connection(tmp_path: Path) -> None:
    """As systemd restarts a service whose socket it holds: clients find their way back by themselves."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        serving(tmp_path, *FLAGS, listening=listening) as server,
    ):
        url = f"http://127.0.0.1:{server.port}"
        lost: list[str] = []
        async with (
            connect(url, name="Xenia", on_state=lambda state: lost.append(state.sentence)) as x,
            connect(url, name="Otto") as o,
        ):
            clock = ClockSettings(initial_ms=60_000, increment_ms=0)
            mine = await x.create("tictactoe", seat="x", opponent=Opponent(kind="invite"), clock=clock)
            theirs = await o.join(code=mine.view.code)
            await play(mine, "a1")
            await play(theirs, "b2")
            before = theirs.view.clock
            assert await asyncio.to_thread(server.stop) == 0
            back_s = time.monotonic()
            # Nobody serves now: whoever comes waits for the next process.
            coming = asyncio.create_task(asyncio.to_thread(http_status, listening.getsockname()[1]))
            with serving(tmp_path, *FLAGS, listening=listening) as again:
                assert again.port == server.port
                assert await coming == 200
                await eventually(lambda: len(lost) >= 2, "the connection is lost and made again")
                assert "the server restarts" in lost[0]
                await play(mine, "c1")
                after = mine.view.clock
                assert before is not None
                assert after is not None
                assert after.o_ms == before.o_ms
                assert before.x_ms - after.x_ms <= (time.monotonic() - back_s) * 1000, "neither the stop nor before it"
                await play(theirs, "c3")
                await play(mine, "b1")
                assert list(mine.view.moves) == ["a1", "b2", "c1", "c3", "b1"]
                assert mine.view.result == Result("x", "line")


async def play(room: LiveRoom, move: str) -> None:
    """As soon as it is their turn."""
    async for view in room:
        if view.my_turn:
            break
    await room.move(move)


def http_status(port: int) -> int:
    with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT_S) as response:
        return int(response.status)


@pytest.mark.slow
async def test_clocks_run_again_thirty_seconds_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, *FLAGS) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            room = (await seated_pair(x, o, clock={"move_ms": 2_000}))["room"]
            token = o.token
            server.kill()
    begun = time.monotonic()
    with serving(tmp_path, *FLAGS) as server:
        async with player(server, token=token) as o:
            await o.room("watch", room=room)
            ended = await o.event("ended")
            assert (ended["winner"], ended["termination"]) == ("o", "flag")
            assert time.monotonic() - begun > 30


# SIGTERM


async def test_sigterm_closes_with_1012_and_commits_everything(tmp_path: Path) -> None:
    with serving(tmp_path, *FLAGS) as server:
        async with player(server) as client, connection(server) as silent:
            room = (await client.room("create", game="qubic", opponent={"kind": "self"}))["room"]
            sent = [await client.send("say", room=room, text=str(number)) for number in range(300)]
            await client.answer(sent[0])
            server.process.send_signal(signal.SIGTERM)
            assert await client.closing() == 1012
            assert await silent.closing() == 1012
            await eventually(lambda: not server.running, "the end of the process")
            assert server.process.returncode == 0
            acks = [m for m in client.log if m["t"] == "ack"]
            refused = {m["code"] for m in client.log if m["t"] == "error"}
            assert refused <= {"shutting_down"}
            recorded = events_of(server.db, room)
            assert {ack["seq"] for ack in acks} <= recorded.keys()
            # Nothing is left for recovery to do.
            assert not server.db.with_name("noughts.db-wal").exists()


async def test_sigterm_ends_though_all_are_busy(tmp_path: Path) -> None:
    """A search of ten minutes, a reader that reads nothing, and one that never answers the close."""
    with serving(tmp_path, *FLAGS, "--think-ms", "600000") as server:
        deep = {"kind": "bot", "bot": "alphabeta:20"}
        client = await open_client(server)
        await client.hello()
        await client.room("create", game="qubic", seat="o", opponent=deep, limit={"move_ms": 600_000})
        await client.until(lambda m: m["t"] == "thinking")
        client.websocket.transport.pause_reading()
        family = server.family()
        server.process.send_signal(signal.SIGTERM)
        await eventually(lambda: not server.running, "the end of the process")
        assert server.process.returncode == 0
        client.websocket.transport.resume_reading()
        await client.close()
        _, alive = psutil.wait_procs(family, timeout=TIMEOUT_S)
        assert not alive


@contextmanager
def hangups(handler: signal.Handlers) -> Iterator[None]:
    """What is started meanwhile inherits this handler of SIGHUP, however these tests were started."""
    before = signal.signal(signal.SIGHUP, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
async def test_ctrl_c_and_a_terminal_that_closes_are_as_good(tmp_path: Path, number: signal.Signals) -> None:
    with hangups(signal.SIG_DFL), serving(tmp_path, *FLAGS) as server:
        async with player(server) as client:
            server.process.send_signal(number)
            assert await client.closing() == 1012
        await eventually(lambda: not server.running, "the end of the process")
        assert server.process.returncode == 0


async def test_under_nohup_it_outlives_its_terminal(tmp_path: Path) -> None:
    with hangups(signal.SIG_IGN), serving(tmp_path, *FLAGS) as server:
        server.process.send_signal(signal.SIGHUP)
        async with player(server):
            assert server.stop() == 0


def test_where_nothing_can_be_said_it_serves_and_ends_well(tmp_path: Path) -> None:
    command = [*COMMAND, "serve", "--port", "0", "--db", str(tmp_path / "noughts.db"), "--workers", "1"]
    buffered = environment() | {"PYTHONUNBUFFERED": ""}
    with (
        Path("/dev/full").open("w") as full,
        subprocess.Popen(command, cwd=ROOT, env=buffered, stdout=full, stderr=subprocess.PIPE) as process,
    ):
        assert process.stderr is not None
        try:
            assert any(b'"serving"' in line for line in process.stderr)
            process.terminate()
            told = process.stderr.read()
            assert (process.wait(), told.rstrip().endswith(b'"stopped"}')) == (0, True), told
        finally:
            process.kill()
