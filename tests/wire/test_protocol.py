"""The form of messages, the greeting, and the error codes, as an independent reader of the protocol expects them."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from tests.support.live import Client, Message, Server, connection, player, players, seated_pair

HELLO = {"t": "hello", "id": 1, "v": 1}


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


async def test_a_token_of_nobody_is_never_a_new_identity(server: Server) -> None:
    async with connection(server) as client:
        await client.error("unauthorised", "hello", v=1, token="x" * 43)
        await client.error("unauthorised", "hello", v=1, token="")
        await client.error("unauthorised", "ping", ts=1)
        assert "token" in await client.hello()


async def test_names_need_not_be_unique_and_one_is_given_to_who_brings_none(server: Server) -> None:
    async with connection(server) as one, connection(server) as two, connection(server) as three:
        await one.hello(name="Same")
        await two.hello(name="Same")
        assert one.player["id"] != two.player["id"]
        await three.hello()
        assert 1 <= len(three.player["name"]) <= 20


async def test_names_are_trimmed_and_composed(server: Server) -> None:
    async with connection(server) as client:
        assert (await client.hello(name=" Ame\u0301lie\t"))["player"]["name"] == "Am\u00e9lie"


@pytest.mark.parametrize(("name", "code"), [("n" * 21, "bad_name"), ("\ud800", "malformed")])
async def test_bad_names(server: Server, name: str, code: str) -> None:
    async with connection(server) as client:
        await client.send_raw(json.dumps(HELLO | {"name": name}))
        # Half of a surrogate pair is no text at all, so the frame already is no message.
        answer = await client.answer(1) if code == "bad_name" else await client.until(lambda m: m["t"] == "error")
        assert (answer["t"], answer["code"]) == ("error", code)
        await client.hello(name="Better")


async def test_the_kind_is_fixed_per_token(server: Server) -> None:
    async with connection(server) as client:
        assert (await client.hello(kind="bot"))["player"]["kind"] == "bot"
        async with connection(server) as again:
            await again.error("malformed", "hello", v=1, token=client.token, kind="person")
            welcome = await again.hello(token=client.token)
            assert welcome["player"]["kind"] == "bot"
            await again.error("malformed", "hello", v=1, name="Robot", kind="person")


async def test_a_bad_hello_can_be_sent_again(server: Server) -> None:
    async with connection(server) as client:
        await client.error("unsupported_version", "hello", v=2)
        await client.error("malformed", "hello")
        await client.error("malformed", "hello", v=1, kind="robot")
        await client.error("malformed", "hello", v="1")
        await client.error("malformed", "hello", v=True)
        await client.error("bad_name", "hello", v=1, name="")
        await client.hello(name="Finally")


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


async def test_a_rename_is_seen_in_what_is_said_afterwards(server: Server) -> None:
    async with player(server, "Before") as client:
        room = await client.room("create", game="tictactoe", opponent={"kind": "self"})
        await client.hello(name="After")
        since = client.mark
        await client.ack("say", room=room["room"], text="hello")
        assert (await client.event("said", since))["by"] == {"id": client.player["id"], "name": "After"}


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


async def test_before_hello_all_else_is_unauthorised(server: Server) -> None:
    requests: list[tuple[str, dict[str, Any]]] = [
        ("create", {"game": "tictactoe"}),
        ("join", {"room": "0"}),
        ("watch", {"room": "0"}),
        ("leave", {"room": "0"}),
        ("move", {"room": "0", "game": 1, "ply": 0, "move": "a1"}),
        ("act", {"room": "0", "game": 1, "action": "resign"}),
        ("rematch", {"room": "0"}),
        ("say", {"room": "0", "text": "x"}),
        ("resume", {"room": "0", "seq": 0}),
        ("lobby", {"on": True}),
        ("ping", {"ts": 0}),
        ("create", {"nonsense": 1}),
        ("nonsense", {}),
    ]
    async with connection(server) as client:
        for t, fields in requests:
            await client.error("unauthorised", t, **fields)
        await client.hello()


async def test_requests_sent_right_behind_hello_wait_for_it(server: Server) -> None:
    async with connection(server) as client:
        await client.send("hello", v=1, name="Quick")
        made = await client.send("create", game="tictactoe", seat="x", opponent={"kind": "bot", "bot": "random"})
        pong = await client.send("ping", ts=5)
        assert (await client.answer(made))["you"] == "x"
        assert (await client.answer(pong))["ts"] == 5
        order = [message["id"] for message in client.log if "id" in message]
        assert order == [1, made, pong] or order == [1, pong, made]


async def test_requests_sent_right_behind_a_bad_hello_are_unauthorised(server: Server) -> None:
    async with connection(server) as client:
        await client.send("hello", v=1, token="nobody")
        ping = await client.send("ping", ts=5)
        assert (await client.answer(ping))["code"] == "unauthorised"
        assert (await client.answer(1))["code"] == "unauthorised"
        await client.hello()


# The form of a message


@pytest.mark.parametrize(
    "frame",
    ["", " ", "{", "null", "1", '"hello"', "[]", '[{"t":"ping","ts":1}]', "{}", '{"ts":1}', '{"t":null}', '{"t":1}'],
)
async def test_what_is_no_object_with_a_type_is_malformed(server: Server, frame: str) -> None:
    async with player(server) as client:
        assert (await refusal(client, frame))["code"] == "malformed"


@pytest.mark.parametrize(
    "frame",
    [
        '{"t":"ping"}',
        '{"t":"ping","ts":"1"}',
        '{"t":"ping","ts":1.5}',
        '{"t":"ping","ts":null}',
        '{"t":"ping","ts":1,"more":1}',
        '{"t":"ping","ts":1}{"t":"ping","ts":1}',
        '{"t":"ping","ts":1',
        '{"t":"ping","ts":NaN}',
        '{"t":"ping","ts":1e400}',
        '{"t":"ping","ts":01}',
        '{"t":"ping","ts":1,}',
        '{"t":"lobby","on":1}',
        '{"t":"lobby","on":"true"}',
        '{"t":"say","room":"r","text":""}',
        '{"t":"say","room":"r","text":"' + "x" * 301 + '"}',
        '{"t":"say","room":5,"text":"x"}',
        '{"t":"say","room":"r","text":"\\ud800"}',
        '{"t":"move","room":"r","game":1,"ply":-1,"move":"a1"}',
        '{"t":"move","room":"r","game":1,"ply":9007199254740993,"move":"a1"}',
        '{"t":"move","room":"r","game":1,"ply":0,"move":7}',
        '{"t":"act","room":"r","game":1,"action":"win"}',
        '{"t":"resume","room":"r","seq":-1}',
        '{"t":"resume","room":"r"}',
        '{"t":"create","game":"tictactoe","seat":"z"}',
        '{"t":"create","game":"tictactoe","opponent":"bot"}',
        '{"t":"create","game":"tictactoe","opponent":{"kind":"friend"}}',
        '{"t":"create","game":"tictactoe","opponent":{"kind":"open","more":1}}',
        '{"t":"create","game":"tictactoe","clock":{"minutes":1}}',
        '{"t":"create","game":"tictactoe","start":"a1"}',
        '{"t":"create","game":"tictactoe","bots":{"x":"random"}}',
        '{"t":"ping","ts":' + "[" * 4000 + "]" * 4000 + "}",
    ],
)
async def test_what_does_not_fit_its_type_is_malformed(server: Server, frame: str) -> None:
    async with player(server) as client:
        assert (await refusal(client, frame))["code"] == "malformed"


@pytest.mark.parametrize("t", ["", "Ping", "welcome", "event", "reviews", "hello ", "\u0000"])
async def test_unknown_types(server: Server, t: str) -> None:
    async with player(server) as client:
        await client.error("unknown_type", t)


@pytest.mark.parametrize("ts", [0, -1, 2**53, 2**63, 2**64, -(2**63) - 1, 10**40])
async def test_numbers_of_any_size_are_answered(server: Server, ts: int) -> None:
    """A number that cannot be echoed may be refused, but it must not go unanswered."""
    async with player(server) as client:
        answer = await client.ask("ping", ts=ts)
        assert answer.get("ts") == ts or answer.get("code") == "malformed"
        if abs(ts) <= 2**53:
            assert abs(answer["server_ms"] - time.time() * 1000) < 60_000
        await client.sync()


@pytest.mark.parametrize("id", [0, 1, 2**53])
async def test_the_answer_carries_the_id(server: Server, id: int) -> None:
    async with player(server) as client:
        await client.send_raw(json.dumps({"t": "ping", "ts": 1, "id": id}))
        assert (await client.until(lambda m: m["t"] == "pong"))["id"] == id
        for bad in ({"t": "ping", "id": id}, {"t": "nonsense", "id": id}, {"id": id}, {"t": 5, "id": id}):
            assert (await refusal(client, json.dumps(bad)))["id"] == id


@pytest.mark.parametrize("id", ["1", 1.5, -1, 2**53 + 1, [], True])
async def test_an_id_that_is_none_is_malformed_and_not_echoed(server: Server, id: Any) -> None:
    async with player(server) as client:
        error = await refusal(client, json.dumps({"t": "ping", "ts": 1, "id": id}))
        assert error["code"] == "malformed"
        assert "id" not in error


async def test_an_answer_to_a_request_without_an_id_has_none(server: Server) -> None:
    async with player(server) as client:
        await client.send_raw('{"t":"ping","ts":1}')
        assert "id" not in await client.until(lambda m: m["t"] == "pong")


async def test_absent_and_null_mean_the_same(server: Server) -> None:
    async with connection(server) as client:
        await client.hello(token=None, name=None, kind=None)
        room = await client.room(
            "create",
            game="tictactoe",
            seat="x",
            opponent={"kind": "bot", "bot": "random", "player": None},
            bots=None,
            clock=None,
            limit=None,
            rated=None,
            start=None,
        )
        await client.ack("move", room=room["room"], game=1, ply=0, move="a1", after=None)
        await client.room("join", room=room["room"], code=None)


async def test_too_large_frames_change_nothing(server: Server) -> None:
    async with player(server) as client:
        room = await client.room("create", game="tictactoe", opponent={"kind": "self"})
        padded = json.dumps({"t": "say", "room": room["room"], "id": 7, "text": "hi"}) + " " * 8192
        error = await refusal(client, padded)
        assert (error["code"], error["id"]) == ("too_large", 7)
        just = '{"t":"ping","id":8,"ts":1%s}'
        await client.send_raw(just % (" " * (8192 - len(just) + 2)))
        assert (await client.answer(8))["t"] == "pong"
        await client.send_raw(just.replace("8", "9") % (" " * (8193 - len(just) + 2)))
        assert (await client.answer(9))["code"] == "too_large"
        assert (await client.room("watch", room=room["room"]))["chat"] == []


async def test_the_limit_counts_bytes_not_characters(server: Server) -> None:
    async with player(server) as client:
        frame = '{"t":"nonsense","text":"%s"}' % ("\u3042" * 3000)
        assert (await refusal(client, frame))["code"] == "too_large"


async def test_a_frame_of_64_kib_is_too_large_and_a_longer_one_closes(server: Server) -> None:
    async with player(server) as client:
        assert (await refusal(client, "x" * 65536))["code"] == "too_large"
        await client.send_raw("x" * 65537)
        assert await client.closing() == 1009


async def test_many_fragments_beyond_64_kib_close_too(server: Server) -> None:
    async with player(server) as client:
        await client.send_raw(["x" * 8000] * 9)
        assert await client.closing() == 1009


async def test_a_message_in_fragments_is_one_message(server: Server) -> None:
    async with player(server) as client:
        await client.send_raw(["{", '"t":"pi', "", 'ng","id":77,', '"ts":3}'])
        assert (await client.answer(77))["ts"] == 3
        await client.send_raw(["", *[""] * 5_000, '{"t":"ping","id":79,"ts":4}', ""])
        assert (await client.answer(79))["ts"] == 4
        # Characters may be split between fragments, here as bytes of a text message.
        text = '{"t":"nonsense","id":78,"x":"\u00e9"}'.encode()
        split = text.index(b"\xc3") + 1
        await client.websocket.send([text[:split], text[split:]], text=True)
        assert (await client.answer(78))["code"] == "unknown_type"


async def test_binary_frames_are_malformed(server: Server) -> None:
    async with player(server) as client:
        assert (await refusal(client, b'{"t":"ping","ts":1}'))["code"] == "malformed"
        await client.websocket.send([b'{"t":"ping",', b'"ts":1}'])
        await client.sync()
        assert [m["code"] for m in client.log if m["t"] == "error"] == ["malformed", "malformed"]
        assert not [m for m in client.log if m["t"] == "pong" and m["ts"] == 1]


@pytest.mark.parametrize("frame", [b"\xff", b'{"t":"ping","ts":1,"x":"\xc3"}', b"\xed\xa0\x80", b"\xc0\xaf"])
async def test_text_that_is_not_utf_8_closes_with_1007(server: Server, frame: bytes) -> None:
    async with player(server) as client:
        await client.websocket.send(frame, text=True)
        assert await client.closing() == 1007


async def test_ten_errors_of_form_close_with_1008(server: Server) -> None:
    async with player(server) as client:
        for frame in ("{", '{"t":"x"}', "x" * 9000) * 3:
            await refusal(client, frame)
        await client.sync()
        await client.send_raw("{")
        assert await client.closing() == 1008
        assert sum(message["t"] == "error" for message in client.log) == 10


async def test_other_errors_never_close(server: Server) -> None:
    async with player(server) as client:
        for _ in range(30):
            await client.error("not_found", "watch", room="none")
            await client.error("bad_game", "create", game="chess")
            await client.error("bad_name", "hello", v=1, name="")


@pytest.mark.slow
async def test_no_hello_within_ten_seconds_closes_with_1008(server: Server) -> None:
    async with connection(server) as client:
        begun = time.monotonic()
        await client.error("unauthorised", "ping", ts=1)
        assert await client.closing() == 1008
        assert time.monotonic() - begun > 9


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


# Error codes that need no game


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("bad_game", {"game": "mnk:2,2,9"}),
        ("bad_clock", {"clock": {}}),
        ("bad_clock", {"clock": {"initial_ms": 10**30, "increment_ms": 0}}),
        ("unknown_bot", {"opponent": {"kind": "bot", "bot": "deep-thought"}}),
        ("bad_bot", {"opponent": {"kind": "bot", "bot": "alphabeta:2"}, "limit": {"nodes": 10**30}}),
        ("malformed", {"seat": "none"}),
        ("illegal_move", {"start": ["a1", "a1"]}),
        ("not_found", {"opponent": {"kind": "player", "player": "9" * 30}}),
    ],
)
async def test_rooms_that_cannot_be_made(server: Server, code: str, fields: dict[str, Any]) -> None:
    async with player(server) as client:
        error = await client.error(code, "create", **({"game": "tictactoe"} | fields))
        assert error["message"].endswith(".")
        await client.sync()
        assert not [message for message in client.log if message["t"] in ("room", "event")]


@pytest.mark.parametrize(
    "clock",
    [
        {"initial_ms": 1000, "increment_ms": 0},
        {"initial_ms": 10_800_000, "increment_ms": 180_000},
        {"move_ms": 100},
        {"move_ms": 86_400_000},
    ],
)
async def test_clocks_at_their_bounds(server: Server, clock: dict[str, int]) -> None:
    async with player(server) as client:
        room = await client.room("create", game="tictactoe", clock=clock, seat="x")
        assert not room["game"]["started"]
        await client.ack("act", room=room["room"], game=1, action="abort")


@pytest.mark.parametrize(
    ("t", "fields"),
    [
        ("join", {}),
        ("watch", {}),
        ("leave", {}),
        ("move", {"game": 1, "ply": 0, "move": "a1"}),
        ("act", {"game": 1, "action": "resign"}),
        ("rematch", {}),
        ("say", {"text": "hi"}),
        ("resume", {"seq": 0}),
    ],
)
@pytest.mark.parametrize("room", ["", "nowhere", "0" * 10, "\u00e9", "x" * 5000])
async def test_rooms_that_do_not_exist(server: Server, t: str, fields: dict[str, Any], room: str) -> None:
    async with player(server) as client:
        await client.error("not_found", t, room=room, **fields)


async def test_codes_that_do_not_exist(server: Server) -> None:
    async with player(server) as client:
        await client.error("not_found", "join", code="nonsense")
        await client.error("not_found", "join", code="")
        await client.error("malformed", "join")
        await client.error("malformed", "join", room="a", code="b")


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


async def test_stale_is_followed_by_the_room(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as (x, o):
        room = (await seated_pair(x, o))["room"]
        await x.ack("move", room=room, game=1, ply=0, move="a1")
        for fields in ({"ply": 0, "move": "b2"}, {"ply": 7, "move": "b2"}, {"ply": 0, "move": "a1", "game": 9}):
            since = x.mark
            error = await x.error("stale", "move", **({"room": room, "game": 1} | fields))
            shown = await x.until(lambda message: message["t"] == "room", since)
            assert shown["game"]["moves"] == ["a1"]
            assert x.place(shown) > x.place(error)
            assert "id" not in shown


async def test_an_opponents_move_for_a_played_ply_is_stale(server: Server) -> None:
    """The text is the same, but it is not theirs: no acknowledgement of somebody else's move."""
    async with players(server, "Xenia", "Otto") as (x, o):
        room = (await seated_pair(x, o))["room"]
        await x.ack("move", room=room, game=1, ply=0, move="a1")
        await o.error("stale", "move", room=room, game=1, ply=0, move="a1")


async def test_nothing_leaks_from_an_error(server: Server) -> None:
    """Errors change nothing: after many of them the room is as it was."""
    async with players(server, "Xenia", "Otto", "Zoe") as (x, o, stranger):
        before = await seated_pair(x, o, "qubic", clock={"initial_ms": 600_000, "increment_ms": 0})
        room = before["room"]
        for client in (x, o, stranger):
            for t, fields in (
                ("move", {"game": 1, "ply": 0, "move": "e1.1"}),
                ("move", {"game": 7, "ply": 0, "move": "a1.1"}),
                ("act", {"game": 2, "action": "resign"}),
                ("act", {"game": 1, "action": "accept_draw"}),
                ("act", {"game": 1, "action": "offer_takeback"}),
                ("act", {"game": 1, "action": "claim_win"}),
                ("rematch", {}),
            ):
                answer = await client.ask(t, room=room, **fields)
                assert answer["t"] == "error", (t, fields, answer)
        after = await x.room("watch", room=room)
        moving = {"ts", "id", "clock", "spectators"}
        assert {k: v for k, v in after.items() if k not in moving} == {
            k: v for k, v in before.items() if k not in moving
        }
