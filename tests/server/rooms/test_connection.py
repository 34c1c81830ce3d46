"""Connections over a real socket, with a lobby whose time, commits and players are in the test's hands."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Iterable
from hashlib import sha256
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from server.http.connections.socket import DEAF_S
from server.play.writes import StoreUnavailable
from server.rooms.connection import (
    _TOLD_MS,
    BACKLOG_FRAMES,
    FORM_ERRORS_ALLOWED,
    FORM_ERRORS_MS,
    WELCOME_S,
)
from server.rooms.connection_context import RENAMES_AT_ONCE, Limits
from server.rooms.fair_queue import FairQueue
from server.rooms.members import SEND_QUEUE_BYTES, text_frame
from server.rooms.players.players import token_hash
from server.rooms.room.room import Room
from server.wire import FRAME_BYTES, FRAME_BYTES_FATAL, REQUEST_TYPES, HeldRoom, Player
from tests.support.rooms.fakes import payload, settle
from tests.support.rooms.loopback import ANNS_TOKEN, HELLO, Client, Serving, serving
from tests.support.rooms.session_driver import ANN, BOB

EVERY_REQUEST: list[dict[str, Any]] = [
    {"t": "create", "game": "qubic"},
    {"t": "join", "room": "r"},
    {"t": "watch", "room": "r"},
    {"t": "leave", "room": "r"},
    {"t": "move", "room": "r", "game": 1, "ply": 0, "move": "a1"},
    {"t": "act", "room": "r", "game": 1, "action": "resign"},
    {"t": "rematch", "room": "r"},
    {"t": "say", "room": "r", "text": "hello"},
    {"t": "resume", "room": "r", "seq": 0},
    {"t": "lobby", "on": True},
    {"t": "review", "game": 1},
    {"t": "cancel_review", "game": 1},
    {"t": "forget"},
    {"t": "ping", "ts": 1},
]


# The greeting


async def test_who_is_banned_is_told_why_and_keeps_the_token() -> None:
    async with serving() as at:
        at.bans.players[ANN.id] = "You are banned: insults"
        client = await at.client()
        refused = await client.ask(HELLO | {"token": ANNS_TOKEN})
        assert (refused["code"], refused["message"]) == ("not_now", "You are banned: insults")
        assert (await client.ask(HELLO))["t"] == "welcome", "a new player may come, unless the address is banned too"


async def test_nobody_comes_from_a_banned_address() -> None:
    async with serving() as at:
        at.bans.addresses["127.0.0.1"] = "Nobody may play from your address."
        client = await at.client()
        assert await client.code(HELLO) == "not_now"
        assert await client.code(HELLO | {"token": ANNS_TOKEN}) == "not_now"
        at.bans.addresses.clear()
        assert (await client.ask(HELLO))["t"] == "welcome"


@pytest.mark.parametrize(("is_banned", "code"), [(True, "not_now"), (False, "unauthorised")])
async def test_a_greeting_is_overtaken_by_a_ban_and_by_another_token(
    is_banned: bool, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving() as at:
        found, go_on = asyncio.Event(), asyncio.Event()

        async def slowly(player: str) -> list[HeldRoom]:
            found.set()
            await go_on.wait()
            return []

        monkeypatch.setattr(at.lobby, "held_rooms_of", slowly)
        client = await at.client()
        await client.send(HELLO | {"token": ANNS_TOKEN})
        await found.wait()
        if is_banned:
            at.bans.players[ANN.id] = "You are banned: insults"
        else:
            at.people.by_hash.clear()
        at.lobby.end_connections(ANN.id, "an end")
        go_on.set()
        assert (await client.get())["code"] == code
        assert not at.lobby.is_connected(ANN.id)


async def test_who_comes_back_to_many_rooms_takes_turns_with_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as at:
        costs: list[float] = []

        async def turn(queue: FairQueue, address: str, cost: float) -> None:
            costs.append(cost)

        async def cost() -> float:
            costs.clear()
            await at.guest(token=ANNS_TOKEN)
            return sum(costs)

        monkeypatch.setattr(FairQueue, "turn", turn)
        client = await at.guest(token=ANNS_TOKEN)
        for _ in range(25):
            await client.ask({"t": "create", "game": "qubic", "opponent": {"kind": "self"}})
        beside = await cost()  # the rooms know already that she is here
        await at.hang_up()
        await at.all_gone()
        assert await cost() == pytest.approx(beside + 25 * _TOLD_MS)


async def test_what_is_announced_follows_the_welcome() -> None:
    async with serving() as at:
        at.announcements.announce("Restart at noon", None)
        client = await at.client()
        assert (await client.ask(HELLO))["t"] == "welcome"
        assert (await client.get())["text"] == "Restart at noon"


async def test_a_first_hello_makes_a_player_with_a_token() -> None:
    async with serving() as at:
        welcome = await (await at.client()).ask(HELLO | {"id": 3, "name": " Zoe ", "kind": None})
        assert (welcome["t"], welcome["id"], welcome["v"], welcome["rooms"]) == ("welcome", 3, 1, [])
        assert (welcome["player"]["name"], welcome["player"]["kind"]) == ("Zoe", "person")
        assert len(welcome["token"]) == 43, "256 bits"
        assert token_hash(welcome["token"]) in at.people.by_hash
        assert token_hash("x") == sha256(b"x").digest()


@pytest.mark.parametrize(("kind", "name"), [("person", "Guest "), ("bot", "Bot ")])
async def test_one_without_a_name_gets_one(kind: str, name: str) -> None:
    async with serving() as at:
        welcome = await (await at.client()).ask(HELLO | {"kind": kind})
        assert welcome["player"]["name"].startswith(name)
        assert welcome["player"]["kind"] == kind


async def test_a_token_brings_its_player_back() -> None:
    async with serving() as at:
        client = await at.client()
        welcome = await client.ask(HELLO | {"token": ANNS_TOKEN})
        assert welcome["player"] == {"id": "1", "name": "Ann", "kind": "person"}
        assert "token" not in welcome
        assert at.lobby.is_connected(ANN.id)
        renamed = await (await at.client()).ask(HELLO | {"token": ANNS_TOKEN, "name": "Anna"})
        assert renamed["player"]["name"] == "Anna"


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"token": "nobody's"}, "unauthorised"),
        ({"token": "\u00e9" * 50}, "unauthorised"),
        ({"token": ANNS_TOKEN, "kind": "bot"}, "malformed"),
        ({"v": 2}, "unsupported_version"),
        ({"v": 0, "token": ANNS_TOKEN}, "unsupported_version"),
        ({"name": ""}, "bad_name"),
        ({"name": "x" * 21}, "bad_name"),
        ({"name": "a\nb"}, "bad_name"),
        ({"name": "Level 2"}, "bad_name"),
        ({"name": "R\u0430ndom", "token": ANNS_TOKEN}, "bad_name"),
        ({"kind": "cat"}, "malformed"),
        ({"v": "1"}, "malformed"),
    ],
)
async def test_a_bad_hello_can_be_sent_again(hello: dict[str, Any], code: str) -> None:
    async with serving() as at:
        client = await at.client()
        assert await client.code(HELLO | hello) == code
        assert at.lobby.players == 0
        assert (await client.ask(HELLO | {"token": ANNS_TOKEN}))["player"]["id"] == ANN.id


async def test_before_the_greeting_all_else_is_unauthorised() -> None:
    assert {request["t"] for request in EVERY_REQUEST} | {"hello"} == REQUEST_TYPES
    async with serving() as at:
        client = await at.client()
        for request in [*EVERY_REQUEST, {"t": "nonsense"}, {"t": "ping"}]:
            answer = await client.ask(request | {"id": 8})
            assert (answer["code"], answer["id"]) == ("unauthorised", 8)
        assert (await client.ask(HELLO))["t"] == "welcome"


async def test_a_second_hello_renames_and_nothing_else() -> None:
    async with serving() as at:
        client = await at.guest(token=ANNS_TOKEN)
        welcome = await client.ask(HELLO | {"name": "Anna", "id": 2, "kind": "person"})
        assert (welcome["player"]["name"], welcome["player"]["id"], welcome["id"]) == ("Anna", ANN.id, 2)
        assert "token" not in welcome
        for more in ({}, {"name": "B", "token": ANNS_TOKEN}, {"name": "B", "kind": "bot"}):
            assert await client.code(HELLO | more) == "malformed"
        assert await client.code(HELLO | {"name": " "}) == "bad_name"
        assert await client.code(HELLO | {"name": "B", "v": 3}) == "unsupported_version"
        assert at.people.by_hash[token_hash(ANNS_TOKEN)].name == "Anna"


async def test_nobody_takes_a_bots_name_and_who_has_one_keeps_it() -> None:
    async with serving() as at:
        client = await at.guest(token=ANNS_TOKEN)
        refused = await client.ask(HELLO | {"name": "LeveI 2"})
        assert (refused["code"], refused["field"]) == ("bad_name", {"name": "name"})
        assert refused["message"] == "This name looks like a bot's; choose another."
        assert at.people.by_hash[token_hash(ANNS_TOKEN)].name == "Ann"
        named = Player(id=ANN.id, name="Random", kind="person")
        at.people.by_hash[token_hash(ANNS_TOKEN)] = named
        again = await at.client()
        assert (await again.ask(HELLO | {"name": "Random", "token": ANNS_TOKEN}))["player"]["name"] == "Random"
        assert (await again.ask(HELLO | {"name": "Random"}))["t"] == "welcome"


async def test_a_new_name_shows_where_its_player_sits() -> None:
    async with serving() as at:
        client = await at.guest(token=ANNS_TOKEN)
        await client.ask({"t": "create", "game": "qubic", "opponent": {"kind": "self"}})
        await client.send(HELLO | {"name": "Anna"})
        answers = [await client.get() for _ in range(3)]
        seats = [answer["seat"]["name"] for answer in answers if answer.get("e") == "seated"]
        assert seats == ["Anna", "Anna"]


async def test_no_hello_in_time_closes() -> None:
    async with serving() as at:
        silent, greeted = await at.client(), await at.guest()
        await silent.code({"t": "ping", "ts": 1})
        await at.world.wait(round(WELCOME_S * 1000))
        assert await silent.closed() == CloseCode.POLICY_VIOLATION
        await greeted.works()


# What comes while a greeting is at work


async def test_what_comes_during_a_greeting_is_answered_after_it_in_order() -> None:
    async with serving() as at:
        at.people.gate = asyncio.Event()
        client = await at.client()
        await client.send(HELLO | {"id": 1}, {"t": "ping", "ts": 2}, HELLO | {"name": "Zoe", "id": 3})
        await client.send({"t": "ping", "ts": 4}, {"t": "nonsense", "id": 5})
        assert (await client.get())["code"] == "unknown_type", "what is no request does not wait"
        at.people.gate.set()
        answers = [await client.get() for _ in range(4)]
        assert [answer.get("ts", answer.get("id")) for answer in answers] == [1, 2, 3, 4]
        assert answers[2]["player"]["name"] == "Zoe"


async def test_behind_a_greeting_that_failed_all_else_is_unauthorised() -> None:
    async with serving() as at:
        at.people.gate = asyncio.Event()
        client = await at.client()
        await client.send(HELLO | {"token": "nobody's", "id": 1}, {"t": "ping", "ts": 1, "id": 2}, HELLO | {"id": 3})
        at.people.gate.set()
        answers = [await client.get() for _ in range(3)]
        assert [(answer["id"], answer.get("code", "welcome")) for answer in answers] == [
            (1, "unauthorised"),
            (2, "unauthorised"),
            (3, "welcome"),
        ]


async def test_only_so_many_frames_wait() -> None:
    async with serving() as at:
        at.people.gate = asyncio.Event()
        client = await at.client()
        await client.send(HELLO, *({"t": "ping", "ts": number} for number in range(BACKLOG_FRAMES)))
        assert await client.code({"t": "ping", "ts": 0, "id": 9}) == "too_fast"
        at.people.gate.set()
        assert (await client.get())["t"] == "welcome"
        assert [(await client.get())["ts"] for _ in range(BACKLOG_FRAMES)] == list(range(BACKLOG_FRAMES))


@pytest.mark.parametrize("failure", [StoreUnavailable("The disk is full."), RuntimeError("a fault")])
async def test_a_greeting_that_fails_is_unavailable_and_what_waits_goes_on(failure: Exception) -> None:
    async with serving() as at:
        at.people.failure = failure
        client = await at.client()
        await client.send(HELLO | {"id": 1}, {"t": "ping", "ts": 1, "id": 2})
        assert [((answer := await client.get())["id"], answer["code"]) for _ in range(2)] == [
            (1, "unavailable"),
            (2, "unauthorised"),
        ]
        at.people.failure = None
        assert (await client.ask(HELLO))["t"] == "welcome"


async def test_one_who_goes_during_the_greeting_never_came() -> None:
    async with serving() as at:
        at.people.gate = asyncio.Event()
        client = await at.client()
        await client.send(HELLO | {"token": ANNS_TOKEN})
        await client.socket.close()
        at.people.gate.set()
        await settle()
        assert at.lobby.players == 0
        assert at.context._by_player == {}


# Floods


async def test_one_who_goes_before_a_request_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would have run it is closed: Python warns of any that is not."""
    warned: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", warned.append)
    async with serving() as at:
        await at.guest()
        connection = at.connections[0]
        connection.receive(b'{"t":"create","game":"tictactoe"}')
        connection.on_closed()
        monkeypatch.setattr(connection, "on_closed", lambda: None)  # once is enough
        await settle()
        gc.collect()
        assert warned == []


async def test_a_connection_that_sends_too_fast() -> None:
    async with serving(Limits(connection_rate=2, connection_burst=3, player_rate=0)) as at:
        client = await at.guest()
        await client.works()
        await client.works()
        answer = await client.ask({"t": "ping", "ts": 1, "id": 6})
        assert (answer["code"], answer["id"]) == ("too_fast", 6)
        at.world.now_ms += 500
        await client.works()
        assert await client.code({"t": "ping", "ts": 1}) == "too_fast"


async def test_a_flood_before_the_greeting() -> None:
    async with serving(Limits(connection_rate=2, connection_burst=3, player_rate=0)) as at:
        client = await at.client()
        codes = [await client.code({"t": "ping", "ts": 1}) for _ in range(5)]
        assert codes == ["unauthorised"] * 3 + ["too_fast"] * 2


async def test_an_address_makes_so_many_players_an_hour() -> None:
    async with serving(Limits(address_players=2)) as at:
        for _ in range(2):
            await at.guest()
        client = await at.client()
        answer = await client.ask(HELLO)
        assert answer["code"] == "too_fast"
        assert answer["message"] == "Too many new players from your address: try again in 1800 s."
        assert len(at.people.by_hash) == 3, "Ann and two guests"
        at.world.now_ms += 1_800_000
        assert (await client.ask(HELLO))["t"] == "welcome"


async def test_who_has_a_token_is_no_new_player() -> None:
    async with serving(Limits(address_players=0.1)) as at:
        await at.guest()
        assert await (await at.client()).code(HELLO) == "too_fast"
        await at.guest(token=ANNS_TOKEN)


async def test_a_player_who_changes_names_all_the_time() -> None:
    async with serving(Limits()) as at:
        client = await at.guest(token=ANNS_TOKEN)
        for number in range(RENAMES_AT_ONCE):
            assert (await client.ask(HELLO | {"name": f"Ann {number}"}))["t"] == "welcome"
        answer = await client.ask(HELLO | {"name": "Ann"})
        assert (answer["code"], answer["message"]) == (
            "too_fast",
            "You change your name too often: try again in 10 s.",
        )
        again = await at.client()
        assert await again.code(HELLO | {"token": ANNS_TOKEN, "name": "Ann"}) == "too_fast"
        assert (await again.ask(HELLO | {"token": ANNS_TOKEN}))["player"]["name"] == f"Ann {RENAMES_AT_ONCE - 1}"


async def test_who_says_too_much_is_asked_to_wait() -> None:
    async with serving(Limits(chat_rate=0.1)) as at:
        client = await at.guest()
        made = await client.ask({"t": "create", "game": "tictactoe", "opponent": {"kind": "self"}})
        line = {"t": "say", "room": made["room"], "text": "hello"}
        assert [(await client.ask(line))["t"], (await client.get())["t"]] == ["event", "ack"]
        answer = await client.ask(line)
        assert (answer["code"], answer["message"]) == ("too_fast", "You are sending many messages: try again in 10 s.")
        await client.works()


async def test_all_connections_of_a_player_share_one_bound() -> None:
    async with serving(Limits(connection_rate=0, connection_burst=2, player_rate=2)) as at:
        first, second = await at.guest(token=ANNS_TOKEN), await at.guest(token=ANNS_TOKEN)
        other = await at.guest()
        await first.works()
        await second.works()
        assert await first.code({"t": "ping", "ts": 1}) == "too_fast"
        assert await second.code({"t": "ping", "ts": 1}) == "too_fast"
        await other.works()
        await first.socket.close()
        assert await second.code({"t": "ping", "ts": 1}) == "too_fast", "the bound stays with the last connection"


async def test_bounds_are_given_back_with_the_last_connection() -> None:
    async with serving() as at:
        clients = [await at.guest(token=ANNS_TOKEN) for _ in range(2)]
        assert (at.metrics.connections, len(at.context._by_player)) == (2, 1)
        assert at.gate.open == 2
        for left, client in zip((1, 0), clients, strict=True):
            await client.socket.close()
            await at.connections[1 - left].over.wait()
            await settle()
            assert (at.metrics.connections, len(at.context._by_player), at.lobby.players) == (left, left, left)
            assert at.gate.open == left


async def test_who_comes_back_begins_where_they_were() -> None:
    async with serving(Limits(connection_rate=0, connection_burst=2, player_rate=2)) as at:
        first = await at.guest(token=ANNS_TOKEN)
        await first.works()
        await first.works()
        await first.socket.close()
        await at.connections[0].over.wait()
        again = await at.guest(token=ANNS_TOKEN)
        assert await again.code({"t": "ping", "ts": 1}) == "too_fast"
        at.world.now_ms += 1_000
        await again.works()
        at.world.now_ms += 1_000
        await again.socket.close()
        await at.connections[1].over.wait()
        assert len(at.context._by_player) == 0, "forgotten once they have calmed down"


async def test_the_lobby_and_a_room_count_as_ten_messages() -> None:
    async with serving(Limits(connection_rate=0.001, connection_burst=23, player_rate=0)) as at:
        client = await at.guest()  # a message
        assert (await client.ask({"t": "lobby", "on": False}))["t"] == "lobby"
        assert (await client.ask({"t": "create", "game": "tictactoe"}))["t"] == "room"
        assert await client.code({"t": "lobby", "on": False}) == "too_fast"
        await client.works()
        await client.works()
        assert await client.code({"t": "ping", "ts": 1}) == "too_fast"


async def test_ten_errors_of_form_in_ten_seconds_close() -> None:
    async with serving() as at:
        client = await at.guest()
        wrong: list[dict[str, Any] | str] = ["{", {"t": "x"}, {"t": "ping"}, "[" * 10_000, HELLO, {"t": "join"}]
        for number in range(FORM_ERRORS_ALLOWED - 1):
            assert await client.code(wrong[number % len(wrong)]) in ("malformed", "unknown_type", "too_large")
        at.world.now_ms += FORM_ERRORS_MS + 1
        for _ in range(FORM_ERRORS_ALLOWED - 1):
            await client.code("{")
        for _ in range(20):
            assert await client.code({"t": "leave", "room": "nowhere"}) == "not_found"
        await client.works()
        at.world.now_ms += FORM_ERRORS_MS
        await client.send("{")
        assert await client.closed() == CloseCode.POLICY_VIOLATION
        assert at.metrics.errors["malformed"] > FORM_ERRORS_ALLOWED


async def test_nothing_is_taken_from_one_who_is_being_closed() -> None:
    async with serving() as at:
        client = await at.guest()
        await client.send(*["{"] * (FORM_ERRORS_ALLOWED + 5))
        assert await client.closed() == CloseCode.POLICY_VIOLATION
        assert at.metrics.errors["malformed"] == FORM_ERRORS_ALLOWED


# Frames


async def test_fragments_make_one_message() -> None:
    async with serving() as at:
        client = await at.guest()
        text = json.dumps({"t": "ping", "ts": 7})
        await client.socket.send([text[:5], text[5:9], text[9:]])
        assert (await client.get())["ts"] == 7
        sent = '{"t":"say","room":"é","text":"é"}'.encode()
        await client.socket.send([sent[index : index + 1] for index in range(len(sent))], text=True)
        assert (await client.get())["code"] == "not_found", "cut in the middle of a character"


async def test_a_ping_between_fragments_is_answered() -> None:
    async with serving() as at:
        client = await at.guest()

        async def fragments() -> AsyncIterator[str]:
            yield '{"t":"ping",'
            await (await client.socket.ping())
            yield '"ts":7}'

        await client.socket.send(fragments())
        assert (await client.get())["ts"] == 7


@pytest.mark.parametrize("data", [b"{}", [b"a", b"b", b"c"], b""])
async def test_binary_is_malformed_once(data: bytes | Iterable[bytes]) -> None:
    async with serving() as at:
        client = await at.guest()
        await client.socket.send(data)
        assert (await client.get())["code"] == "malformed"
        await client.works()


async def test_text_that_is_not_utf_8_closes() -> None:
    async with serving() as at:
        client = await at.guest()
        await client.socket.send(b'{"t":"\xff"}', text=True)
        assert await client.closed() == CloseCode.INVALID_DATA


async def test_large_and_fatal_frames() -> None:
    async with serving() as at:
        client = await at.guest()
        fits = '{"t":"ping","ts":1,"id":1' + " " * (FRAME_BYTES - 26) + "}"
        assert len(fits) == FRAME_BYTES
        assert (await client.ask(fits))["t"] == "pong"
        answer = await client.ask(fits[:-1] + " }")
        assert (answer["code"], answer["id"]) == ("too_large", 1)
        assert await client.code("x" * FRAME_BYTES_FATAL) == "too_large"
        await client.socket.send("x" * (FRAME_BYTES_FATAL + 1))
        assert await client.closed() == CloseCode.MESSAGE_TOO_BIG
        while at.listener.sockets:  # it looks now and then who has hung up
            await at.world.wait(round(DEAF_S * 1000))


async def test_odd_frames_are_answered_and_close_nothing() -> None:
    async with serving() as at:
        client = await at.guest()
        big = 10**4000
        assert (await client.ask({"t": "ping", "ts": big}))["ts"] == big
        for odd in (
            f'{{"t":"create","game":"qubic","clock":{{"move_ms":{big}}}}}',
            f'{{"t":"create","game":"{"9" * 5000}"}}',
            f'{{"t":"create","game":"mnk:{"9" * 40},3,3"}}',
            '{"t":"join","code":"\\u0000"}',
            f'{{"t":"watch","room":"{"r" * 5000}","code":"{"c" * 2000}"}}',
        ):
            assert await client.code(odd) in ("bad_clock", "bad_game", "not_found")
        assert await client.code('{"t":"say","room":"r","text":"\\ud800"}') == "malformed"
        await client.works()


# Slow readers


class FakeTransport:
    """A transport with so many bytes still to be read."""

    def __init__(self, unread: int) -> None:
        self.unread = unread
        self.written: list[bytes] = []
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


async def test_the_send_queue_is_bounded() -> None:
    frame = text_frame(b"hello")
    async with serving() as at:
        await at.guest()
        (connection,) = at.connections
        socket = connection.socket
        real = socket.transport
        fits, over = FakeTransport(SEND_QUEUE_BYTES - len(frame)), FakeTransport(SEND_QUEUE_BYTES - len(frame) + 1)
        socket.transport = fits  # type: ignore[assignment]
        connection.write(frame)
        assert (fits.written, fits.aborted) == ([frame], False)
        socket.transport = over  # type: ignore[assignment]
        connection.write(frame)
        connection.write(frame)
        assert (over.written, over.aborted) == ([], True)
        socket.transport = real
        assert at.metrics.slow_readers == 1, "dropped once, however much more is written to it"


async def test_a_reader_that_does_not_read_is_dropped() -> None:
    async with serving() as at:
        client = await at.guest(token=ANNS_TOKEN)
        (connection,) = at.connections
        client.socket.transport.pause_reading()
        frame = text_frame(b"x" * 60_000)
        for _ in range(2_000):
            if at.metrics.slow_readers:
                break
            connection.write(frame)
        assert at.metrics.slow_readers == 1
        await connection.over.wait()
        await settle()
        assert not at.lobby.is_connected(ANN.id)
        connection.write(frame)
        client.socket.transport.abort()


async def test_a_frame_is_the_text_in_it() -> None:
    for size in (0, 125, 126, 65_535, 65_536):
        assert payload(text_frame(b"x" * size)) == b"x" * size


# Requests


async def test_rooms_that_are_not_there_and_forbidden_ones_look_the_same() -> None:
    async with serving() as at:
        ann, eve = await at.guest(token=ANNS_TOKEN), await at.guest()
        room = await ann.ask({"t": "create", "game": "qubic", "opponent": {"kind": "invite"}})
        for request in EVERY_REQUEST:
            if "room" not in request:
                continue
            unknown, forbidden = await eve.ask(request), await eve.ask(request | {"room": room["room"]})
            assert unknown == forbidden
            assert unknown["code"] == "not_found"
        assert await eve.code({"t": "watch", "room": room["room"], "code": "wrong"}) == "not_found"
        assert await eve.code({"t": "watch", "room": "other", "code": room["code"]}) == "not_found"
        seen = await eve.ask({"t": "watch", "room": room["room"], "code": room["code"]})
        assert (seen["t"], seen["you"], "code" in seen) == ("room", None, False)
        assert await eve.code({"t": "join", "code": "wrong"}) == "not_found"
        assert await eve.code({"t": "join"}) == "malformed"
        assert await eve.code({"t": "join", "room": room["room"], "code": room["code"]}) == "malformed"
        joined = await eve.ask({"t": "join", "code": room["code"], "id": 1})
        while joined["t"] != "room":
            joined = await eve.get()
        assert (joined["id"], joined["code"], joined["game"]["started"]) == (1, room["code"], True)


async def test_a_game_from_hello_to_resume() -> None:
    async with serving() as at:
        at.people.by_hash[token_hash("bob's")] = BOB
        ann, bob = await at.guest(token=ANNS_TOKEN), await at.guest(token="bob's")
        room = (await ann.ask({"t": "create", "game": "tictactoe", "seat": "x"}))["room"]
        assert (await bob.ask({"t": "join", "room": room}))["you"] == "o"
        await ann.send({"t": "move", "room": room, "game": 1, "ply": 0, "move": "a1", "id": 4})
        moved = await bob.get()
        while moved.get("e") != "moved":
            moved = await bob.get()
        assert moved["move"] == "a1"
        again = await at.client()
        welcome = await again.ask(HELLO | {"token": "bob's"})
        assert welcome["rooms"] == [room]
        await again.send({"t": "resume", "room": room, "seq": 3, "id": 1}, {"t": "leave", "room": room, "id": 2})
        answers = [await again.get() for _ in range(4)]
        assert [answer.get("e", answer.get("id", answer["t"])) for answer in answers] == [1, "moved", "present", 2]
        assert isinstance(at.lobby.rooms[room], Room)


async def test_errors_of_rooms_and_of_connections_are_counted_by_code() -> None:
    async with serving() as at:
        ann = await at.guest(token=ANNS_TOKEN)
        room = (await ann.ask({"t": "create", "game": "tictactoe", "opponent": {"kind": "self"}}))["room"]
        move = {"t": "move", "room": room, "game": 1, "ply": 0}
        assert [await ann.code(move | {"move": cell}) for cell in ("z9", "b9")] == ["malformed", "malformed"]
        assert await ann.code({"t": "watch", "room": "other"}) == "not_found"
        assert await ann.code(move | {"move": "a1", "game": 2}) == "stale"
        assert at.metrics.errors == {"malformed": 2, "stale": 1, "not_found": 1}


async def test_a_server_that_is_closing_takes_nothing() -> None:
    async with serving() as at:
        greeted, new = await at.guest(), await at.client()
        at.context.closing = True
        for request in EVERY_REQUEST:
            answer = await greeted.ask(request | {"id": 1})
            assert (answer["code"], answer["id"]) == ("shutting_down", 1)
        assert await new.code(HELLO) == "shutting_down"
        assert at.lobby.rooms == {}


async def test_a_refusal_to_make_a_room_carries_the_id() -> None:
    async with serving() as at:
        client = await at.guest()
        answer = await client.ask({"t": "create", "game": "nim", "id": 77})
        assert (answer["t"], answer["code"], answer["id"]) == ("error", "bad_game", 77)
        at.world.available = False
        assert await client.code({"t": "create", "game": "qubic"}) == "unavailable"
        at.world.available = True
        assert (await client.ask({"t": "create", "game": "qubic", "id": 78}))["id"] == 78


async def test_a_connection_ends_what_it_followed() -> None:
    async with serving() as at:
        client = await at.guest(token=ANNS_TOKEN)
        room = (await client.ask({"t": "create", "game": "qubic"}))["room"]
        (connection,) = at.connections
        assert at.lobby.rooms[room].is_member(connection)
        await client.socket.close()
        await connection.over.wait()
        await settle()
        assert not at.lobby.rooms[room].is_member(connection)
        with pytest.raises(ConnectionClosed):
            await client.socket.send("x")


# Reviews


async def test_a_review_is_acknowledged_and_told_until_it_is_cancelled() -> None:
    async with serving() as at:
        ann = await at.guest()
        assert await ann.ask({"t": "review", "game": 100, "id": 7}) == {"t": "ack", "id": 7}
        assert (await ann.get())["done"] == 0
        await at.desk.answer()
        assert (await ann.get())["done"] == 1
        assert await ann.ask({"t": "cancel_review", "game": 100, "id": 8}) == {"t": "ack", "id": 8}
        assert at.desk.reviews.running == 0
        assert await ann.code({"t": "review", "game": 1}) == "not_found"
        at.world.readable = False
        assert await ann.code({"t": "review", "game": 100}) == "unavailable"


async def test_a_connection_that_closes_waits_for_no_review() -> None:
    async with serving() as at:
        ann, bob = await at.guest(), await at.guest()
        for client in (ann, bob):
            await client.ask({"t": "review", "game": 100})
        await ann.socket.close()
        await at.connections[0].over.wait()
        await settle()
        assert at.desk.reviews.running == 1
        await bob.socket.close()
        await at.connections[1].over.wait()
        await settle()
        assert (at.desk.reviews.running, at.desk.at_work) == (0, [])


async def test_a_review_and_its_cancel_sent_at_once_are_taken_in_order() -> None:
    async with serving() as at:
        ann = await at.guest()
        await ann.send({"t": "review", "game": 100, "id": 1}, {"t": "cancel_review", "game": 100, "id": 2})
        assert [(await ann.get()).get("id") for _ in range(3)] == [1, None, 2]
        assert at.desk.reviews.running == 0


async def test_a_reader_of_a_review_that_does_not_read_is_dropped_and_others_are_told() -> None:
    async with serving() as at:
        slow, ann = await at.guest(), await at.guest()
        for client in (slow, ann):
            await client.ask({"t": "review", "game": 100})
            await client.get()
        at.connections[0].socket.transport.get_write_buffer_size = lambda: SEND_QUEUE_BYTES  # type: ignore[method-assign]
        await at.desk.answer()
        assert (await ann.get())["done"] == 1
        await slow.closed()
        await settle()
        await at.connections[0].over.wait()
        await settle()
        await at.desk.answer(4)
        assert (await ann.get())["done"] == 5
        assert at.metrics.slow_readers == 1


async def begun(at: Serving, initial_ms: int) -> tuple[Client, str]:
    """Ann, who is to move in a game with a clock, and its room."""
    ann, bob = await at.guest(token=ANNS_TOKEN), await at.guest()
    clock = {"initial_ms": initial_ms}
    room = (await ann.ask({"t": "create", "game": "tictactoe", "seat": "x", "clock": clock}))["room"]
    await bob.send({"t": "join", "room": room})
    while (await ann.get()).get("e") != "started":
        pass
    return ann, room


async def test_a_move_waits_for_no_request_about_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its clock runs, and counts what arrived in time."""
    async with serving() as at:
        ann, room = await begun(at, 1000)
        go_on = asyncio.Event()

        async def slowly(*_: object) -> None:
            await go_on.wait()

        monkeypatch.setattr(at.lobby, "wake", slowly)
        move = {"t": "move", "room": room, "game": 1, "ply": 0, "move": "a1", "id": 2}
        await ann.send({"t": "watch", "room": "elsewhere", "id": 1}, move)
        while (answer := await ann.get()).get("id") is None:
            pass
        assert (answer["t"], answer["id"]) == ("ack", 2)
        go_on.set()
        while (answer := await ann.get()).get("id") is None:
            pass
        assert (answer["code"], answer["id"]) == ("not_found", 1)


async def test_a_move_behind_a_greeting_counts_from_its_arrival() -> None:
    async with serving() as at:
        ann, room = await begun(at, 10_000)
        move = {"t": "move", "room": room, "game": 1, "ply": 0, "move": "a1", "id": 2}
        again = await at.client()
        at.people.gate = asyncio.Event()
        await at.world.wait(3000)
        await again.send(HELLO | {"token": ANNS_TOKEN, "id": 1}, move)
        while not at.connections[2]._backlog:
            await settle()
        await at.world.wait(5000)
        at.people.gate.set()
        assert [(await again.get()).get("id") for _ in range(2)] == [1, 2]
        while (moved := await ann.get()).get("e") != "moved":
            pass
        assert moved["clock"]["x_ms"] == 7000


async def test_whoever_names_a_sleeping_room_wakes_it() -> None:
    async with serving() as at:
        ann = await at.guest(token="ann's token")
        room = (await ann.ask({"t": "create", "game": "tictactoe", "seat": "x", "opponent": {"kind": "invite"}}))[
            "room"
        ]
        (code,) = at.lobby._codes

        async def sleeps() -> None:
            here = at.lobby.rooms[room]
            for member in list(here._followers):
                here.leave(member)
            await settle()
            await here.give_way()
            assert at.lobby.rooms == {}

        await sleeps()
        eve = await at.guest()
        for request in (
            {"t": "watch", "room": room},
            {"t": "resume", "room": room, "seq": 0},
            {"t": "leave", "room": room},
        ):
            assert await eve.code(request) == "not_found"
        assert await eve.code({"t": "join", "code": "wrong"}) == "not_found"
        assert at.lobby.rooms == {}
        assert (await eve.ask({"t": "watch", "room": room, "code": code}))["t"] == "room"
        await sleeps()
        assert (await eve.ask({"t": "join", "code": code, "id": 1}))["id"] == 1
        await sleeps()
        again = await at.client()
        assert (await again.ask({"t": "hello", "v": 1, "token": "ann's token"}))["rooms"] == [room]
        assert at.lobby.rooms == {}, "a greeting wakes nothing"
        move = {"t": "move", "room": room, "game": 1, "ply": 0, "move": "a1"}
        assert (await ann.ask(move))["t"] == "ack"
        await sleeps()
        await ann.send({"t": "say", "room": room, "text": "hello", "id": 2})
        assert (await ann.get())["code"] == "not_seated", "who does not follow does not speak"
        assert (await ann.ask({"t": "resume", "room": room, "seq": 3}))["t"] == "ack"
