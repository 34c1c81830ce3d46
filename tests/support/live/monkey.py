"""A monkey at the keyboard: requests at random, and what must be true of the answers even so."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any, get_args

from server.wire.fields import Action
from tests.support.live.referee import Referee
from tests.support.live.server import Client, Message

GAMES = ("tictactoe", "mnk:4,3,3", "nine-board", "super", "cube:3", "mnk:10,9,4")
ACTIONS = get_args(Action)
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
