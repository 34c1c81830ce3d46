"""Who sees which room: seeks, challenges, invites, bots, watchers, the lobby; chat; and catching up by `resume`."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.support.live.http import http_get
from tests.support.live.referee import Follower
from tests.support.live.server import Client, Message, Server, connection, players, seated_pair

INVITE = {"kind": "invite"}


async def listed(client: Client, found: Any) -> Message:
    """The first `lobby` in which something is found."""
    return await client.until(lambda message: message["t"] == "lobby" and bool(found(message)))


def rooms_in(message: Message, name: str) -> list[str]:
    return [entry["room"] for entry in message[name]]


# Ways to sit


async def test_an_open_seek_shows_in_the_lobby_until_it_is_taken(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, watcher):
        empty = await watcher.get("lobby", "lobby", on=True)
        assert empty["challenges"] == []
        assert empty["players"] >= 3
        clock = {"initial_ms": 60_000, "increment_ms": 0}
        made = await a.room("create", game="mnk:3,3,3", seat="o", clock=clock)
        room = made["room"]
        assert (made["you"], made["seats"]["x"], made["game"]["started"]) == ("o", None, False)
        assert (made["game"]["legal"], made["game"]["to_move"]) == ([], None)
        assert made["clock"] == {"x_ms": 60_000, "o_ms": 60_000, "running": None, **clock}
        assert "code" not in made
        shown = await listed(watcher, lambda m: room in rooms_in(m, "seeks"))
        [seek] = [seek for seek in shown["seeks"] if seek["room"] == room]
        assert seek == {
            "room": room,
            "game": "tictactoe",
            "clock": clock,
            "rated": False,
            "by": a.player,
            "seat": "o",
        }
        joined = await b.room("join", room=room)
        assert (joined["you"], joined["game"]["started"], joined["game"]["to_move"]) == ("x", True, "x")
        assert isinstance(joined["game"]["id"], int)
        since = watcher.mark
        running = await watcher.until(lambda m: m["t"] == "lobby" and room in rooms_in(m, "rooms"), since - 1)
        assert room not in rooms_in(running, "seeks")
        [entry] = [entry for entry in running["rooms"] if entry["room"] == room]
        assert (entry["x"], entry["o"], entry["game"]) == (b.player, a.player, "tictactoe")


async def test_a_challenge_is_shown_to_the_challenged_only(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        for client in (a, b, c):
            await client.get("lobby", "lobby", on=True)
        await a.error("malformed", "create", game="qubic", opponent={"kind": "player", "player": a.player["id"]})
        challenge = {"kind": "player", "player": b.player["id"]}
        room = (await a.room("create", game="qubic", seat="x", opponent=challenge))["room"]
        shown = await listed(b, lambda m: room in rooms_in(m, "challenges"))
        assert room not in rooms_in(shown, "seeks")
        for client in (a, c):
            now = await client.get("lobby", "lobby", on=True)
            assert room not in rooms_in(now, "challenges") + rooms_in(now, "seeks") + rooms_in(now, "rooms")
        assert (await c.ask("join", room=room))["t"] == "error"
        assert (await b.room("join", room=room))["you"] == "o"
        await b.until(lambda m: m["t"] == "lobby" and room not in rooms_in(m, "challenges"), b.place(shown))


async def test_an_invite_room_is_there_for_its_seats_and_who_has_the_code(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        await c.get("lobby", "lobby", on=True)
        made = await a.room("create", game="tictactoe", seat="x", opponent=INVITE)
        room, code = made["room"], made["code"]
        assert len(code) >= 22
        for t, fields in HIDDEN_FROM_STRANGERS:
            error = await c.error("not_found", t, room=room, **fields)
            unknown = await c.error("not_found", t, room="0123456789", **fields)
            assert {**error, "id": 0, "room": None} == {**unknown, "id": 0, "room": None}
        await c.error("not_found", "watch", room=room, code="wrong")
        await c.error("not_found", "watch", room="0123456789", code=code)
        await c.error("not_found", "join", room=room)
        watched = await c.room("watch", room=room, code=code)
        assert (watched["you"], "code" in watched) == (None, False)
        joined = await b.room("join", code=code)
        assert (joined["room"], joined["you"], joined["code"]) == (room, "o", code)
        await c.event("started", room=room)
        await c.error("seat_taken", "join", code=code)
        listing = await c.get("lobby", "lobby", on=True)
        assert room not in rooms_in(listing, "rooms") + rooms_in(listing, "seeks")
        await c.ack("leave", room=room)
        await c.error("not_found", "watch", room=room)


HIDDEN_FROM_STRANGERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("watch", {}),
    ("leave", {}),
    ("join", {}),
    ("move", {"game": 1, "ply": 0, "move": "a1"}),
    ("act", {"game": 1, "action": "resign"}),
    ("rematch", {}),
    ("say", {"text": "hi"}),
    ("resume", {"seq": 0}),
)


async def test_the_games_of_an_invite_room_are_listed_to_its_players_only(server: Server) -> None:
    async with players(server, "Anna", "Bert") as (a, b):
        room = await seated_pair(a, b, opponent=INVITE)
        game = room["game"]["id"]
        assert (await http_get(server, f"/api/games/{game}"))[0] == 404
        assert (await http_get(server, f"/api/games/{game}", b.token))[0] == 200
        _, listing = await http_get(server, "/api/games?limit=200")
        assert game not in [entry["id"] for entry in listing["games"]]
        _, listing = await http_get(server, "/api/games?limit=200", a.token)
        assert game in [entry["id"] for entry in listing["games"]]


# Chat


async def test_chat_reaches_all_and_is_kept(server: Server) -> None:
    nasty = '<img src=x onerror=alert(1)> "quoted" \\ \u202e \U0001f600 \u0000\n'
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        room = (await seated_pair(a, b))["room"]
        await c.room("watch", room=room)
        ack = await a.ack("say", room=room, text=nasty)
        for client in (a, b, c):
            said = await client.event("said")
            assert (said["text"], said["seq"]) == (nasty, ack["seq"])
            assert said["by"] == {"id": a.player["id"], "name": "Anna"}
        await c.ack("say", room=room, text="x" * 300)
        [first, second] = (await b.room("watch", room=room))["chat"]
        assert (first["text"], second["by"]["name"], len(second["text"])) == (nasty, "Carl", 300)


# Resume


async def test_resume_replays_what_was_missed(server: Server) -> None:
    async with players(server, "Anna", "Bert") as (a, b), connection(server) as back:
        made = await seated_pair(a, b, "ultimate")
        room, seq = made["room"], made["seq"]
        a_side, b_side = Follower(a, made), Follower(b, await b.room("watch", room=room))
        await b.websocket.close()
        await a_side.play("5/5")
        await a.ack("say", room=room, text="are you there?")
        await back.hello(token=b.token)
        assert back.rooms == [room]
        ack = await back.ack("resume", room=room, seq=seq)
        missed = [await back.event("moved"), await back.event("said")]
        assert [event["seq"] for event in missed] == [seq + 1, seq + 2]
        assert ack["seq"] == seq + 2
        # As it is their turn, they are told the legal moves even so.
        assert sorted(missed[0]["legal"]) == sorted(f"5/{square}" for square in (1, 2, 3, 4, 6, 7, 8, 9))
        for event in missed:
            b_side.referee.take(event)
        await back.ack("move", room=room, game=1, ply=1, move="5/1", after=seq + 1)
        assert (await back.event("moved", ply=1))["seq"] == seq + 3


async def test_resume_without_a_gap_in_the_middle_of_a_stream(server: Server) -> None:
    """While others talk all the time, nothing is missing between the replay and what comes live."""
    async with players(server, "Anna", "Bert") as (a, b):
        room = (await seated_pair(a, b))["room"]
        talking = asyncio.create_task(talk(a, room, 150))
        for turn in range(12):
            async with connection(server) as back:
                await back.hello(token=b.token)
                await back.ack("resume", room=room, seq=1 + turn)
                await back.event("said")
                await back.sync()
        await talking


async def talk(client: Client, room: str, lines: int) -> None:
    for number in range(lines):
        await client.ack("say", room=room, text=str(number))
