"""The form of messages, the greeting, and the error codes, as an independent reader of the protocol expects them."""

from __future__ import annotations

import asyncio
import json
import time

from tests.support.live.server import Client, Message, Server, connection, player, players, seated_pair


async def refusal(client: Client, frame: str | bytes) -> Message:
    """The error that answers a raw frame."""
    since = client.mark
    await client.send_raw(frame)
    message = await client.until(lambda message: message["t"] == "error", since)
    await client.sync()
    return message


# The greeting


async def test_a_new_player_gets_an_identity_and_a_secret(server: Server) -> None:
    async with connection(server) as client:
        welcome = await client.hello(name="Ann")
        assert welcome["v"] == 1
        assert welcome["player"]["name"] == "Ann"
        assert welcome["player"]["kind"] == "person"
        assert isinstance(welcome["player"]["id"], str)
        assert len(welcome["token"]) >= 32
        assert welcome["rooms"] == []


async def test_a_token_brings_the_player_back_and_is_not_sent_again(server: Server) -> None:
    async with player(server, "Ann") as first, connection(server) as second:
        welcome = await second.hello(token=first.token)
        assert welcome["player"] == first.player
        assert "token" not in welcome


async def test_a_second_hello_can_only_rename(server: Server) -> None:
    async with player(server, "Before") as client:
        await client.error("malformed", "hello", v=1)
        await client.error("malformed", "hello", v=1, token=client.token)
        await client.error("malformed", "hello", v=1, token=client.token, name="After")
        await client.error("bad_name", "hello", v=1, name="x" * 21)
        welcome = await client.hello(name="After")
        assert welcome["player"] == {"id": client.player["id"], "name": "After", "kind": "person"}
        assert "token" not in welcome
        async with connection(server) as again:
            assert (await again.hello(token=client.token))["player"]["name"] == "After"


async def test_a_rename_holds_for_all_connections_of_the_player(server: Server) -> None:
    async with player(server, "Before") as client, player(server, token=client.token) as other:
        room = (await other.room("create", game="tictactoe", opponent={"kind": "self"}))["room"]
        await client.hello(name="After")
        await other.ack("say", room=room, text="hello")
        assert (await other.event("said"))["by"]["name"] == "After"
        async with player(server, "Third time", token=client.token):
            since = other.mark
            await other.ack("say", room=room, text="hello again")
            assert (await other.event("said", since))["by"]["name"] == "Third time"


# The form of a message


async def test_the_answer_carries_the_id(server: Server) -> None:
    id = 2**53
    async with player(server) as client:
        await client.send_raw(json.dumps({"t": "ping", "ts": 1, "id": id}))
        pong = await client.until(lambda m: m["t"] == "pong")
        assert (pong["id"], pong["ts"]) == (id, 1)
        assert abs(pong["server_ms"] - time.time() * 1000) < 60_000
        for bad in ({"t": "ping", "id": id}, {"t": "nonsense", "id": id}, {"id": id}, {"t": 5, "id": id}):
            assert (await refusal(client, json.dumps(bad)))["id"] == id


async def test_a_frame_of_64_kib_is_too_large_and_a_longer_one_closes(server: Server) -> None:
    async with player(server) as client:
        assert (await refusal(client, "x" * 65536))["code"] == "too_large"
        await client.send_raw("x" * 65537)
        assert await client.closing() == 1009


async def test_ten_errors_of_form_close_with_1008(server: Server) -> None:
    async with player(server) as client:
        for frame, code in (("{", "malformed"), ('{"t":"x"}', "unknown_type"), ("x" * 9000, "too_large")) * 3:
            assert (await refusal(client, frame))["code"] == code
        await client.sync()
        await client.send_raw("{")
        assert await client.closing() == 1008
        assert sum(message["t"] == "error" for message in client.log) == 10


async def test_many_messages_without_waiting_are_answered_in_order(server: Server) -> None:
    async with player(server) as client:
        await asyncio.gather(*(client.send("ping", ts=number) for number in range(2000)))
        await client.sync()
        answered = [message["ts"] for message in client.log if message["t"] == "pong"][:-1]
        assert answered == list(range(2000))


async def test_a_game_sent_without_waiting(server: Server) -> None:
    """Everything that one player can know beforehand goes out in one burst."""
    async with player(server) as client:
        room = await client.room("create", game="mnk:19,3,3", opponent={"kind": "self"})
        moves = ["a1", "c3", "b1", "d2", "e1", "g3", "c1"]
        sent = [
            await client.send("move", room=room["room"], game=1, ply=ply, move=move) for ply, move in enumerate(moves)
        ]
        answers = [await client.answer(number) for number in sent]
        assert [answer["t"] for answer in answers] == ["ack"] * 7
        seqs = [answer["seq"] for answer in answers]
        assert seqs == list(range(room["seq"] + 1, room["seq"] + 8))
        assert (await client.event("ended"))["line"] == ["a1", "b1", "c1"]


# The order of errors


async def test_the_errors_of_a_move_in_their_order(server: Server) -> None:
    async with players(server, "Xenia", "Otto", "Zoe") as (x, o, stranger):
        room = (await seated_pair(x, o))["room"]
        where = {"room": room, "game": 1, "ply": 0, "move": "a1"}
        bad_text, bad_turn, bad_ply, bad_serial = {"move": "z9"}, {"move": "b2"}, {"ply": 5}, {"game": 2}
        await stranger.error("not_found", "move", **(where | {"room": "no"} | bad_serial))
        await stranger.error("not_seated", "move", **(where | bad_serial | bad_ply | bad_text))
        await o.error("stale", "move", **(where | bad_serial | bad_ply | bad_text))
        await o.error("stale", "move", **(where | bad_ply | bad_text))
        await o.error("not_your_turn", "move", **(where | bad_text))
        await x.error("malformed", "move", **(where | bad_text))
        first = await x.ack("move", **where)
        assert await x.ack("move", **where) | {"id": 0} == first | {"id": 0}
        await x.error("not_your_turn", "move", **(where | {"ply": 1} | bad_turn))
        await o.error("illegal_move", "move", **(where | {"ply": 1}))
        await o.error("malformed", "move", **(where | {"ply": 1, "move": "B2"}))
        await x.ack("act", room=room, game=1, action="abort")
        await o.error("stale", "move", **(where | {"ply": 2}))
        await x.error("game_over", "move", **(where | {"ply": 1} | bad_text))
        # The same move again still gets its ack, and another for a played ply is stale, also when all is over.
        assert (await x.ack("move", **where))["seq"] == first["seq"]
        await x.error("stale", "move", **(where | bad_turn))
        assert (await x.room("watch", room=room))["game"]["moves"] == ["a1"]
