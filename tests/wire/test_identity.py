"""What is there for a player alone: who a token makes one, all one's games, and being deleted."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.live.http import http_get
from tests.support.live.server import (
    UNLIMITED,
    Client,
    Server,
    connection,
    eventually,
    player,
    players,
    seated_pair,
    serving,
)

NAME = "Z\u00f6e \u05d0\u05d1 Quux"
SAID = "my telephone number is 4711"
MINUTE = {"initial_ms": 60_000, "increment_ms": 0}


async def fetched(server: Server, path: str, token: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of a page."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    status, *lines = head.split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body


async def resigned(x: Client, o: Client, **fields: Any) -> dict[str, Any]:
    """A finished game between two, as X is shown its room."""
    made = await seated_pair(x, o, **fields)
    for ply, move in enumerate(("a1", "b2")):
        await (x, o)[ply].ack("move", room=made["room"], game=1, ply=ply, move=move)
    await o.ack("act", room=made["room"], game=1, action="resign")
    await x.event("ended", room=made["room"])
    return await x.room("watch", room=made["room"])


async def test_all_games_of_a_player_page_by_page(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        assert await http_get(server, "/api/players/me", a.token) == (200, a.player)
        assert (await http_get(server, "/api/players/me", "nobody's"))[0] == 401
        mine = [(await resigned(a, b, opponent={"kind": "invite"}))["game"]["id"] for _ in range(3)]
        mine.append((await seated_pair(b, a))["game"]["id"])
        await seated_pair(b, c)
        found, path = [], "/api/players/me/games.jsonl?limit=2"
        while path:
            status, headers, text = await fetched(server, path, a.token)
            assert status == 200
            found.append([json.loads(line)["id"] for line in text.splitlines()])
            path = headers.get("link", "").partition(">")[0].removeprefix("<")
        assert found == [mine[:1:-1], mine[1::-1], []]
        _, _, text = await fetched(server, "/api/players/me/games.txt", a.token)
        assert [int(id) for id in re.findall(r'^\[Id "(\d+)"\]', text, re.M)] == mine[::-1]
        assert (await fetched(server, "/api/players/me/games.jsonl", c.token))[2].count("\n") == 1


def texts(db: Path) -> list[str]:
    """Everything in the text columns of a database, and what of bytes can be read as text."""
    with closing(sqlite3.connect(db)) as records:
        tables = [name for (name,) in records.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        rows = [row for table in tables for row in records.execute(f'SELECT * FROM "{table}"')]
    values = [value for row in rows for value in row]
    return [value.decode(errors="replace") if isinstance(value, bytes) else str(value) for value in values]


def left_of(db: Path, *secrets: str) -> list[str]:
    """Texts that hold one of them, as it is or escaped in JSON."""
    forms = [form for secret in secrets for form in (secret, json.dumps(secret)[1:-1])]
    return [text for text in texts(db) if any(form in text for form in forms)]


def files_with(folder: Path, *secrets: str) -> list[str]:
    """Files that hold one of these texts anywhere, the log among them."""
    return [f.name for f in folder.iterdir() if any(secret.encode() in f.read_bytes() for secret in secrets)]


async def test_a_deleted_player_is_nowhere(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED, "--pace-ms", "0") as server:
        async with players(server, "Formerly", "Otto", "Watcher") as (zoe, otto, watcher), connection(server) as second:
            await second.hello(token=zoe.token)
            id = zoe.player["id"]
            # A name of before, a rated game, a private one, chat as a player and as a spectator, rooms of one's own.
            first = await resigned(zoe, otto, clock=MINUTE, rated=True)
            await zoe.get("hello", "welcome", v=1, name=NAME)
            rated = await resigned(zoe, otto, clock=MINUTE, rated=True)
            private = await resigned(zoe, otto, opponent={"kind": "invite"})
            other = await seated_pair(otto, watcher)
            await zoe.room("watch", room=other["room"])
            for room in (rated["room"], other["room"]):
                await zoe.ack("say", room=room, text=SAID)
                await otto.ack("say", room=room, text="I heard that")
            await zoe.room("create", game="tictactoe", seat="none", bots={"x": "random", "o": "random"})
            own = (await zoe.room("create", game="tictactoe", seat="x", opponent={"kind": "self"}))["room"]
            await zoe.error("not_now", "forget")
            await zoe.ack("act", room=own, game=1, action="abort")
            # What waits ends by itself, and an offer of theirs falls.
            seek = (await zoe.room("create", game="tictactoe"))["room"]
            await otto.room("watch", room=seek)
            await zoe.ack("rematch", room=rated["room"])
            await otto.event("offered", room=rated["room"], what="rematch")
            assert left_of(server.db, NAME, "Formerly", SAID)
            marks = otto.mark, watcher.mark
            await zoe.ack("forget")
            assert {await zoe.closing(), await second.closing()} == {1000}
            await otto.event("ended", room=seek, termination="aborted")
            deleted = f"deleted player {id}"
            # Who follows is sent what is left, and who comes back too.
            for client, since in zip((otto, watcher), marks, strict=True):
                shown = await client.until(lambda m: m["t"] == "room" and m["room"] == other["room"], since)
                first_line, second_line = shown["chat"]
                assert (first_line["by"]["name"], first_line["text"]) == (deleted, "(deleted)")
                assert second_line["text"] == "I heard that"
            seats = (await otto.room("watch", room=rated["room"]))["seats"]
            assert (seats["x"]["name"], "rating" in seats["x"], seats["o"]["name"]) == (deleted, False, "Otto")
            assert (await otto.ask("resume", room=rated["room"], seq=1))["t"] == "room"
            # Nobody is made anew by the old token, and nobody can be challenged who is gone.
            async with connection(server) as late:
                await late.error("unauthorised", "hello", v=1, token=zoe.token)
            assert (await http_get(server, "/api/players/me", zoe.token))[0] == 401
            challenge = {"kind": "player", "player": id}
            await otto.error("not_found", "create", game="tictactoe", opponent=challenge)
            # The games stay, for those who played them.
            for made in (first, rated, private):
                status, game = await http_get(server, f"/api/games/{made['game']['id']}", otto.token)
                assert (status, game["x"]["name"], game["o"]["name"]) == (200, deleted, "Otto")
                assert len(game["moves"]) == 2
            status, page = await http_get(server, f"/api/players/{id}")
            assert (status, page["name"], page["ratings"]) == (200, deleted, [])
            assert left_of(server.db, NAME, "Formerly", SAID) == []
            await eventually(lambda: left_of(server.db, NAME) == [], "nothing written behind the deletion")
        assert server.stop() == 0
        # Zeros stand where it was, in the whole file and beside it.
        assert files_with(tmp_path, NAME, "Formerly", SAID) == []
    with serving(tmp_path, *UNLIMITED) as again:
        async with player(again, token=otto.token) as otto_again:
            restored = await otto_again.room("watch", room=other["room"])
            assert (restored["chat"][0]["by"]["name"], restored["chat"][0]["text"]) == (deleted, "(deleted)")
            assert (await otto_again.room("watch", room=rated["room"]))["offers"] == []
            assert json.dumps(NAME) not in json.dumps(otto_again.log)


async def test_deletions_beside_everything_else(server: Server) -> None:
    """What other connections of the player do at that moment is done before, or not at all."""
    for _ in range(10):
        async with players(server, "Gone soon", "Otto") as (gone, otto), connection(server) as second:
            await second.hello(token=gone.token)
            seek = (await otto.room("create", game="tictactoe"))["room"]
            await second.send("join", room=seek)
            await second.send("create", game="tictactoe")
            await second.send("hello", v=1, name="Overtaken")
            await second.send("say", room=seek, text=SAID)
            answer = await gone.ask("forget")
            if answer["t"] == "error":
                assert answer["code"] == "not_now"
                assert (await gone.ask("ping", ts=1))["t"] == "pong", "all goes on"
                continue
            await second.closing()
            assert left_of(server.db, "Overtaken", SAID) == []
            seats = (await otto.room("watch", room=seek))["seats"]
            assert None in (seats["x"], seats["o"])


async def test_a_private_game_is_shared_by_a_link_that_ends(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Zoe", "Otto") as (zoe, otto):
            made = await resigned(zoe, otto, opponent={"kind": "invite"})
            path = f"/api/games/{made['game']['id']}"
            assert (await http_get(server, path))[0] == 404
            status, link = await http_get(server, f"{path}/share", otto.token, method="POST")
            assert (status, link["shared"]) == (200, True)
            secret = link["secret"]
            status, game = await http_get(server, path, X_Share=secret)
            assert (status, game["x"]["name"], "room" in game) == (200, "Zoe", False)
            assert (await http_get(server, path, X_Share=secret[::-1]))[0] == 404
            known = await http_get(server, f"{path}/share", zoe.token)
            assert known == (200, {"shared": True, "made_ms": link["made_ms"]})
            ended = await http_get(server, f"{path}/share", zoe.token, method="DELETE")
            assert ended == (200, {"shared": False})
            assert (await http_get(server, path, X_Share=secret))[0] == 404
            again = (await http_get(server, f"{path}/share", zoe.token, method="POST"))[1]["secret"]
            assert (await http_get(server, path, X_Share=again))[0] == 200
            assert left_of(server.db, secret, again) == []
            await otto.ack("forget")
            assert (await http_get(server, path, X_Share=again))[0] == 404
        assert server.stop() == 0
        assert files_with(tmp_path, secret, again) == []
