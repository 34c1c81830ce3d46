"""Records that cannot be written: a full disk, a database locked by others, and starts that cannot succeed."""

from __future__ import annotations

import asyncio
import re
import resource
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.database.small_disk import SmallDisk, until_stored, until_unavailable
from tests.support.live.http import http_get
from tests.support.live.server import (
    UNLIMITED,
    connection,
    eventually,
    free_port,
    open_client,
    player,
    players,
    refused,
    seated_pair,
    serving,
)

MINUTE = {"initial_ms": 60_000, "increment_ms": 0}


async def test_a_full_disk_stops_writing_and_clocks_but_not_reading(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            made = await seated_pair(x, o, clock=MINUTE)
            room = made["room"]
            await x.ack("move", room=room, game=1, ply=0, move="a1")
            disk = SmallDisk(server)
            disk.fill()
            last = await until_unavailable(x, room)
            for client, t, fields in (
                (o, "move", {"room": room, "game": 1, "ply": 1, "move": "b2"}),
                (o, "act", {"room": room, "game": 1, "action": "resign"}),
                (o, "create", {"game": "tictactoe", "opponent": {"kind": "self"}}),
                (o, "hello", {"v": 1, "name": "Renamed"}),
            ):
                await client.error("unavailable", t, **fields)
            async with connection(server) as new:
                await new.error("unavailable", "hello", v=1, name="Newcomer")
                # Who is known already needs nothing stored.
                await new.hello(token=x.token)
                assert new.rooms == [room]
                assert (await new.ack("resume", room=room, seq=last))["seq"] == last
            seen = await o.room("watch", room=room)
            assert seen["seq"] == last
            assert seen["game"]["moves"] == ["a1"]
            later = seen
            while later["ts"] < seen["ts"] + 30:
                later = await o.room("watch", room=room)
            assert (later["clock"]["x_ms"], later["clock"]["o_ms"]) == (seen["clock"]["x_ms"], seen["clock"]["o_ms"])
            status, game = await http_get(server, f"/api/games/{made['game']['id']}")
            assert (status, [move["move"] for move in game["moves"]]) == (200, ["a1"])
            disk.empty()
            assert await until_stored(x, room) == last + 1
            moved_seq = (await o.ack("move", room=room, game=1, ply=1, move="b2"))["seq"]
            moved = await x.event("moved", ply=1)
            assert moved["seq"] == moved_seq
            # The clock went on from what it had shown while it stood.
            assert moved["clock"]["o_ms"] <= later["clock"]["o_ms"]
            await x.ack("move", room=room, game=1, ply=2, move="c3")


async def test_a_bot_goes_on_by_itself_when_there_is_room_again(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED, "--pace-ms", "0") as server:
        async with player(server) as client:
            bots = {"x": "random", "o": "random"}
            watched = (await client.room("create", game="mnk:19,19,6", seat="none", bots=bots))["room"]
            await client.event("moved", room=watched)
            disk = SmallDisk(server)
            disk.fill()
            await eventually(lambda: "store unavailable" in server.log.read_text(), "the full disk")
            stopped = (await client.room("watch", room=watched))["seq"]
            disk.empty()
            await client.until(lambda m: m["t"] == "event" and m["seq"] > stopped)
            assert (await http_get(server, "/api/games?limit=1"))[0] == 200


@pytest.mark.slow
async def test_a_flag_that_falls_on_a_full_disk_falls_later(tmp_path: Path) -> None:
    """Time stands while nothing can be stored, so nobody loses by it."""
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            room = (await seated_pair(x, o, clock={"move_ms": 4_000}))["room"]
            disk = SmallDisk(server)
            disk.fill()
            await until_unavailable(o, room)
            begun = (await x.room("watch", room=room))["ts"]
            left = 4_000
            while (now := await x.room("watch", room=room))["ts"] < begun + 4_200:
                left = now["clock"]["x_ms"]
                assert now["game"]["result"] is None
                await asyncio.sleep(0.05)
            assert left > 0
            disk.empty()
            ended = await x.event("ended")
            assert (ended["winner"], ended["termination"]) == ("o", "flag")
            assert ended["ts"] - begun >= 4_200 + left - 100


@pytest.mark.slow
async def test_a_database_locked_for_long_by_another_program(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            room = (await seated_pair(x, o))["room"]
            with closing(sqlite3.connect(server.db, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                sent = await x.send("say", room=room, text="lost?")
                # Everything else is answered meanwhile.
                for _ in range(20):
                    await o.sync()
                    async with connection(server) as back:
                        await back.hello(token=x.token)
                assert (await http_get(server, "/api/games"))[0] == 200
                assert (await x.answer(sent))["code"] == "unavailable"
                other.execute("ROLLBACK")
            seq = await until_stored(x, room)
            assert (await o.event("said"))["seq"] == seq
            assert [line["text"] for line in (await o.room("watch", room=room))["chat"]] == ["again"]


# Starts that cannot succeed: one sentence, exit status 1


def says_why(done: tuple[int, str], *words: str) -> None:
    status, stderr = done
    # Log lines of what went well before are JSON.
    sentences = [line for line in stderr.splitlines() if not line.startswith("{")]
    assert status == 1, stderr
    assert len(sentences) == 1, stderr
    assert sentences[0].startswith("noughts: ")
    assert sentences[0].endswith(".")
    for word in words:
        assert word in sentences[0], sentences[0]


def serve(db: Path, *flags: str, prepare: Callable[[], None] | None = None) -> tuple[int, str]:
    return refused("serve", "--port", "0", "--workers", "1", "--db", str(db), *flags, prepare=prepare)


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        says_why(serve(tmp_path / "noughts.db", "--port", str(port)), str(port), "in use")


def test_a_host_that_is_not_ours(tmp_path: Path) -> None:
    says_why(serve(tmp_path / "noughts.db", "--host", "203.0.113.1"), "203.0.113.1")
    says_why(serve(tmp_path / "noughts.db", "--host", "no.such.host.invalid"), "no.such.host.invalid")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "letter.db"
    text = "Dear Sir or Madam,\n" * 100
    file.write_text(text)
    says_why(serve(file), "letter.db")
    assert file.read_text() == text


@pytest.mark.parametrize("place", ["missing/noughts.db", "file/noughts.db", "."])
def test_places_where_no_database_can_be(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    says_why(serve(tmp_path / place))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        (folder / "probe").touch()
    except PermissionError:
        says_why(serve(folder / "noughts.db"), "write")
        return
    # Root may write anywhere but in the kernel's own tree.
    folder = Path("/sys/kernel")
    if not folder.is_dir():
        pytest.skip("no folder here that root cannot write to")
    says_why(serve(folder / "noughts.db"), "write")


def test_no_room_for_the_first_page(tmp_path: Path) -> None:
    def no_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    status, stderr = serve(tmp_path / "noughts.db", prepare=no_files)
    # Its one sentence goes to a pipe, which has no size.
    says_why((status, stderr), "noughts.db")


def test_two_servers_on_one_database(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        says_why(serve(server.db), "Another server")
    with serving(tmp_path) as server:
        assert server.stop() == 0


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        (("--port", "70000"), "70000"),
        (("--workers", "0"), "workers"),
        (("--pace-ms", "fast"), "fast"),
        (("--log-level", "loud"), "loud"),
        (("--nonsense",), "nonsense"),
        (("--config", "missing.toml"), "missing.toml"),
    ],
)
def test_wrong_settings(tmp_path: Path, flags: tuple[str, ...], word: str) -> None:
    status, stderr = serve(tmp_path / "noughts.db", *flags)
    assert status == 2
    assert re.fullmatch(r"noughts: .+ \(noughts serve --help\)\n", stderr)
    assert word in stderr
    assert not list(tmp_path.iterdir())


async def test_a_given_port_and_a_quick_second_start(tmp_path: Path) -> None:
    """The port is free again at once, with connections of the first server still in the system's memory."""
    port = free_port()
    with serving(tmp_path, port=port) as server:
        assert server.port == port
        client = await open_client(server)
        await client.hello(name="Ann")
        server.kill()
        await client.close()
    with serving(tmp_path, port=port) as server:
        async with player(server, token=client.token) as back:
            assert back.player == client.player
