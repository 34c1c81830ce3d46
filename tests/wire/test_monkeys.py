"""Monkeys at the keyboard: seeded nonsense and half-sense from several clients at once, and what must hold even so."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter
from typing import Any

import pytest

from tests.support.live import Client, Message, Server, connection, player
from tests.support.referee import Referee

GAMES = ("tictactoe", "mnk:4,3,3", "nine-board", "super", "cube:3", "mnk:10,9,4")
ACTIONS = (
    "resign",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "offer_takeback",
    "accept_takeback",
    "decline_takeback",
    "decline_rematch",
    "decline_challenge",
    "abort",
    "claim_win",
)
ANSWERS = {
    "hello": {"welcome"},
    "create": {"room"},
    "join": {"room"},
    "watch": {"room"},
    "leave": {"ack"},
    "move": {"ack"},
    "act": {"ack"},
    "rematch": {"ack"},
    "say": {"ack"},
    "resume": {"ack", "room"},
    "lobby": {"lobby"},
    "review": {"ack"},
    "cancel_review": {"ack"},
    "ping": {"pong"},
}


class Monkey:
    """A client that sends requests at random, most of them about rooms that it knows, and waits for nothing."""

    def __init__(self, client: Client, rng: random.Random, rooms: list[str], codes: list[str]) -> None:
        self.client = client
        self.rng = rng
        self.rooms = rooms
        self.codes = codes
        self.sent: dict[int, str] = {}

    async def request(self) -> None:
        t, fields = self._create() if not self.rooms or self.rng.random() < 0.03 else self._anything()
        self.sent[await self.client.send(t, **fields)] = t

    async def settle(self) -> None:
        """Now and then wait until all is answered."""
        if self.rng.random() < 0.1:
            await asyncio.gather(*(self.client.answer(number) for number in list(self.sent)[-60:]))

    def learn(self) -> None:
        """Take over rooms and codes that the client was shown."""
        for message in self.client.log[-50:]:
            if message["t"] == "room":
                if message["room"] not in self.rooms:
                    self.rooms.append(message["room"])
                if "code" in message and message["code"] not in self.codes:
                    self.codes.append(message["code"])

    def _create(self) -> tuple[str, dict[str, Any]]:
        rng = self.rng
        bot = {"kind": "bot", "bot": "random"}
        opponents = [
            None,
            {"kind": "open"},
            {"kind": "invite"},
            bot,
            {"kind": "self"},
            {"kind": "player", "player": "1"},
        ]
        clocks = [None, None, {"move_ms": 100}, {"initial_ms": 1000, "increment_ms": 10}, {"move_ms": 3}]
        fields = {
            "game": rng.choice((*GAMES, "chess")),
            "seat": rng.choice(["x", "o", "random", None]),
            "opponent": rng.choice(opponents),
            "clock": rng.choice(clocks),
            "rated": rng.random() < 0.2,
        }
        return "create", fields

    def _anything(self) -> tuple[str, dict[str, Any]]:
        rng = self.rng
        room = rng.choice(self.rooms) if rng.random() < 0.95 else "nowhere"
        kinds: list[tuple[str, dict[str, Any]]] = [
            ("move", {"room": room, **self._move(room)}),
            ("move", {"room": room, **self._move(room)}),
            ("move", {"room": room, **self._move(room)}),
            ("act", {"room": room, "game": rng.choice([1, 1, 1, 2, 3]), "action": rng.choice(ACTIONS)}),
            ("say", {"room": room, "text": rng.choice(["hi", "\u0000", "\U0001f600" * 50])}),
            ("join", {"room": room}),
            ("join", {"code": rng.choice([*self.codes, "wrong"])}),
            ("watch", {"room": room}),
            ("leave", {"room": room}) if rng.random() < 0.2 else ("ping", {"ts": 1}),
            ("rematch", {"room": room}),
            ("lobby", {"on": rng.random() < 0.5}),
            (rng.choice(["review", "cancel_review"]), {"game": rng.randint(1, 120)}),
            ("hello", {"v": 1, "name": rng.choice(["Ann", "", "Bo\u0301b", "x" * 21])}),
        ]
        return rng.choice(kinds)

    def _move(self, room: str) -> dict[str, Any]:
        """Likely the next move, as far as this client knows."""
        rng = self.rng
        ply, serial = 0, 1
        for message in reversed(self.client.log[-200:]):
            if message.get("room") != room:
                continue
            if message.get("e") == "moved":
                ply = message["ply"] + 1
                break
            if message["t"] == "room":
                ply, serial = len(message["game"]["moves"]), message["game"]["serial"]
                break
        legal = self._legal(room)
        move = rng.choice(legal) if legal else rng.choice(["a1", "b2", "5/5", "1/1", "a1.1", "z9", ""])
        return {"game": serial, "ply": max(0, ply + rng.choice([0, 0, 0, 0, -1, 1])), "move": move}

    def _legal(self, room: str) -> list[str]:
        for message in reversed(self.client.log[-200:]):
            if message.get("room") == room and ("legal" in message or "game" in message):
                legal: list[str] = message.get("legal") or message.get("game", {}).get("legal", [])
                return legal
        return []


def check_answers(monkey: Monkey) -> Counter[str]:
    """Every request has one answer, and that of its kind; the error codes, counted."""
    answers: dict[int, list[Message]] = {}
    for message in monkey.client.log:
        if "id" in message:
            answers.setdefault(message["id"], []).append(message)
    for number, t in monkey.sent.items():
        assert len(answers.get(number, [])) == 1, (t, answers.get(number))
        [answer] = answers[number]
        assert answer["t"] in ANSWERS[t] | {"error"}, (t, answer)
        assert answer.get("code") != "busy" or t == "review", "three games a player"
    return Counter(message["code"] for message in monkey.client.log if message["t"] == "error")


def check_rooms(client: Client) -> int:
    """Each room as the client was told of it, event by event, is what its next `room` shows; how many were compared."""
    referees: dict[str, Referee] = {}
    compared = 0
    for message in client.log:
        room = message.get("room", "")
        if message["t"] == "room":
            if room in referees and referees[room].seq == message["seq"]:
                referees[room].you = message["you"]
                referees[room].compare(message)
                compared += 1
            referees[room] = Referee(message)
        elif message["t"] == "event":
            if message["e"] == "started":
                # A rematch swaps the sides; only the next `room` says who is who.
                referees[room].you = "?"
            if referees[room].you == "?":
                message = {name: value for name, value in message.items() if name != "legal"}
            referees[room].take(message)
    return compared


@pytest.mark.parametrize("seed", range(3))
async def test_every_request_is_answered_and_every_room_stays_sound(server: Server, seed: int) -> None:
    rng = random.Random(seed)
    rooms: list[str] = []
    codes: list[str] = []
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(player(server)) for _ in range(3)]
        clients.append(await stack.enter_async_context(player(server, token=clients[0].token)))
        monkeys = [Monkey(client, random.Random(rng.random()), rooms, codes) for client in clients]
        for _ in range(120):
            for monkey in monkeys:
                monkey.learn()
                for _ in range(rng.randint(1, 4)):
                    await monkey.request()
            # At most some dozens are under way at a time: more wait behind a slow one than the server lets wait.
            await asyncio.gather(*(monkey.settle() for monkey in monkeys))
        for monkey in monkeys:
            await asyncio.gather(*(monkey.client.answer(number) for number in list(monkey.sent)[-60:]))
        for client in clients:
            for room in rooms:
                await client.ask("watch", room=room)
            await client.sync()
        codes_seen: Counter[str] = Counter()
        for monkey in monkeys:
            codes_seen += check_answers(monkey)
        assert sum(check_rooms(client) for client in clients) > 20
        # They got about: a fair part of the errors there are.
        assert {"not_your_turn", "stale", "not_now", "game_over", "not_seated", "bad_name"} <= codes_seen.keys()
        assert not {"unavailable", "too_fast"} & codes_seen.keys()


@pytest.mark.parametrize("seed", range(4))
async def test_damaged_frames_get_an_error_each_and_nothing_else(server: Server, seed: int) -> None:
    """Frames of the protocol with bytes changed, lost, doubled; ten errors of form and the connection is closed."""
    rng = random.Random(seed)
    frames = [
        {"t": "hello", "v": 1, "name": "Ann", "token": None},
        {"t": "create", "game": "qubic", "opponent": {"kind": "bot", "bot": "random"}, "clock": {"move_ms": 1000}},
        {"t": "move", "room": "abc", "game": 1, "ply": 0, "move": "a1", "after": 3},
        {"t": "say", "room": "abc", "text": "h\u00e9llo \U0001f600"},
        {"t": "ping", "ts": 123456789, "id": 77},
    ]
    for _ in range(40):
        async with connection(server) as client:
            await client.hello()
            for _ in range(12):
                text = damaged(json.dumps(rng.choice(frames), ensure_ascii=False).encode(), rng)
                since = client.mark
                try:
                    await client.websocket.send(text, text=True)
                    await client.until(lambda m: m["t"] not in ("event", "present", "spectators"), since)
                except Exception:
                    assert await client.closing() in (1007, 1008)
                    break
    async with player(server) as client:
        await client.sync()


def damaged(frame: bytes, rng: random.Random) -> bytes:
    changed = bytearray(frame)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(changed))
        kind = rng.randrange(4)
        if kind == 0:
            changed[place] = rng.randrange(256)
        elif kind == 1:
            del changed[place : place + rng.randint(1, 5)]
            changed = changed or bytearray(b"{")
        elif kind == 2:
            changed[place:place] = changed[place : place + 9]
        else:
            changed[place:place] = rng.choice([b"\\u0000", b"null", b'"', b"[[[[", b"-1e999", b"\xef\xbb\xbf", b"\x00"])
    return bytes(changed)
