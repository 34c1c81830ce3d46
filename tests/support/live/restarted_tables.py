"""Tables at which people go on playing while their server is killed and started again."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.support.live.referee import Referee
from tests.support.live.server import (
    Client,
    Lost,
    Message,
    Server,
    open_client,
    seated_pair,
)


class Countdown:
    """Kills a server right after so many acknowledgements."""

    def __init__(self, server: Server, acks: int) -> None:
        self._server = server
        self._left = acks

    def count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._server.process.kill()


class Chair:
    """A player of a table, who keeps their token and what they saw over restarts."""

    def __init__(self, token: str, seen: int) -> None:
        self.token = token
        self.seen = seen
        """the last `seq` that reached them"""
        self.client: Client

    @property
    def id(self) -> str:
        player_id: str = self.client.player["id"]
        return player_id


class Table:
    """One room with two chairs; everything that any of them was told or promised."""

    def __init__(self, game: str, rng: random.Random) -> None:
        self.game = game
        self.rng = rng
        self.room = ""
        self.chairs: list[Chair] = []
        self.events: dict[int, Message] = {}
        """by `seq`, without what only the side to move is told"""
        self.promised: dict[int, dict[str, Any]] = {}
        """by acknowledged `seq`, what its event must say"""
        self.unsure: Message | None = None
        """a move sent when the server died"""

    async def open(self, x: Client, o: Client) -> None:
        made = await seated_pair(x, o, self.game, opponent={"kind": "invite"})
        self.room = made["room"]
        self.chairs = [Chair(client.token, made["seq"]) for client in (x, o)]
        self.adopt(x, o)

    def adopt(self, x: Client, o: Client) -> None:
        for chair, client in zip(self.chairs, (x, o), strict=True):
            chair.client = client

    # What happened

    def note(self) -> None:
        """Take over what the clients were told."""
        for chair in self.chairs:
            for message in chair.client.log:
                if message["t"] == "event" and message["room"] == self.room:
                    self._note_event(message)
                    chair.seen = max(chair.seen, message["seq"])

    def _note_event(self, message: Message) -> None:
        common = {name: value for name, value in message.items() if name != "legal"}
        if message["e"] == "started":
            common["game"] = {**message["game"], "legal": []}
        known = self.events.setdefault(message["seq"], common)
        assert known == common, "two accounts of one event"

    # What they do

    async def play(self, countdown: Countdown) -> None:
        try:
            while True:
                await self._one_thing(countdown)
        except (ConnectionClosed, Lost):
            await asyncio.gather(*(chair.client.closing() for chair in self.chairs))

    async def _one_thing(self, countdown: Countdown) -> None:
        room = await self.chairs[0].client.room("watch", room=self.room)
        referee = Referee(room)
        serial = room["game"]["serial"]
        dice = self.rng.random()
        if room["game"]["result"] is not None:
            for chair in self.chairs:
                await self._ask(countdown, chair, {}, "rematch")
        elif dice < 0.25:
            text = f"{self.rng.random()} \u3042"
            await self._ask(countdown, self.rng.choice(self.chairs), {"e": "said", "text": text}, "say", text=text)
        elif dice < 0.4 and len(referee.moves) >= 2:
            asker, answerer = self.rng.sample(self.chairs, 2)
            act = {"game": serial, "action": "offer_takeback"}
            if (asker.id, "takeback") not in self._offers(room):
                await self._ask(countdown, asker, {"e": "offered", "what": "takeback"}, "act", **act)
            answer = "accept_takeback" if self.rng.random() < 0.7 else "decline_takeback"
            expected = {"e": "takenback" if answer[0] == "a" else "declined"}
            await self._ask(countdown, answerer, expected, "act", game=serial, action=answer)
        else:
            await self._move(countdown, room, referee)

    def _offers(self, room: Message) -> list[tuple[str, str]]:
        return [(room["seats"][offer["by"]]["id"], offer["what"]) for offer in room["offers"]]

    async def _move(self, countdown: Countdown, room: Message, referee: Referee) -> None:
        mover = next(chair for chair in self.chairs if chair.id == room["seats"][room["game"]["to_move"]]["id"])
        where = {"game": referee.serial, "ply": len(referee.moves), "move": self.rng.choice(referee.legal)}
        self.unsure = where
        expected = {"e": "moved", "ply": where["ply"], "move": where["move"]}
        await self._ask(countdown, mover, expected, "move", after=room["seq"], **where)
        self.unsure = None

    async def _ask(self, countdown: Countdown, chair: Chair, expected: dict[str, Any], t: str, **fields: Any) -> None:
        ack = await chair.client.ack(t, room=self.room, **fields)
        self.promised[ack["seq"]] = expected
        countdown.count()

    # What must be true afterwards

    async def come_back(self, server: Server) -> None:
        """Reconnect both with their tokens and catch up from what each had seen."""
        for chair in self.chairs:
            chair.client = await open_client(server)
            await chair.client.hello(token=chair.token)
            ack = await chair.client.ack("resume", room=self.room, seq=chair.seen)
            assert ack["seq"] >= max([0, *self.promised]), "acknowledged events are gone"
            if ack["seq"] > chair.seen:
                await chair.client.message("event", seq=ack["seq"])
        self.note()
        room = await self.chairs[0].client.room("watch", room=self.room)
        running = room["game"]["result"] is None
        for chair in self.chairs:
            assert chair.client.rooms == ([self.room] if running else [])
            assert room["seq"] == chair.seen
        Referee(room)
        await self._send_again(room)

    async def _send_again(self, room: Message) -> None:
        """A move that went unanswered is sent once more; whether it had been committed or not, it counts once."""
        where, self.unsure = self.unsure, None
        if where is None:
            return
        for chair in self.chairs:
            answer = await chair.client.ask("move", room=self.room, **where)
            if answer["t"] == "ack":
                self.promised[answer["seq"]] = {"e": "moved", "ply": where["ply"], "move": where["move"]}
                await chair.client.event("moved", seq=answer["seq"])
                break
        else:
            raise AssertionError(f"nobody may send their move again: {answer}")
        after = await self.chairs[0].client.room("watch", room=self.room)
        assert after["game"]["moves"][where["ply"]] == where["move"]
        assert len(after["game"]["moves"]) <= len(room["game"]["moves"]) + 1

    def compare(self, db: Path) -> None:
        """The records hold every event once, in order, as everyone was told, and all that was promised."""
        self.note()
        recorded = events_of(db, self.room)
        assert list(recorded) == list(range(1, len(recorded) + 1))
        for seq, event in self.events.items():
            body = {name: value for name, value in event.items() if name not in ("t", "room", "seq", "ts")}
            assert recorded[seq] == body, f"event {seq}"
        for seq, expected in self.promised.items():
            assert expected.items() <= recorded[seq].items(), f"promise {seq}"


def events_of(db: Path, room: str) -> dict[int, Message]:
    """As members are shown them: nobody is sent the seed of a bot."""
    with closing(sqlite3.connect(db)) as records:
        found = records.execute(
            "SELECT seq, body FROM events JOIN rooms ON rooms.number = events.room_number WHERE rooms.id = ?"
            " ORDER BY seq",
            (room,),
        )
        events = {seq: json.loads(body) for seq, body in found}
    return {seq: {name: value for name, value in event.items() if name != "seed"} for seq, event in events.items()}


def moves_agree_with_events(db: Path) -> bool:
    """The present line of each game is what its events left."""
    with closing(sqlite3.connect(db)) as records:
        assert records.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert records.execute("PRAGMA foreign_key_check").fetchall() == []
        lines: dict[int, list[int]] = {}
        game = 0
        for room, kind, body in records.execute("SELECT room_number, type, body FROM events ORDER BY room_number, seq"):
            event = json.loads(body)
            if kind == "started":
                game = event["game"]["id"]
                lines[game] = []
            elif kind == "moved":
                assert event["ply"] == len(lines[game]), (room, event)
                lines[game].append(event["ply"])
            elif kind == "takenback":
                del lines[game][event["ply"] :]
        for game_id, line in lines.items():
            plies = [
                ply for (ply,) in records.execute("SELECT ply FROM moves WHERE game_id = ? ORDER BY ply", (game_id,))
            ]
            assert plies == line
    return bool(lines)
