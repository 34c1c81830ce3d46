"""What people read over HTTP beside their websockets: one request and its answer on a connection of its own."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from client.sdk.room_view import RoomView
from tests.simulation.broken import Broken
from tests.simulation.network import HEAD_END, Transport

if TYPE_CHECKING:
    from tests.simulation.people import Person

DECLARED = (200, 401, 404)
"""What may be answered whatever happens; 503 while nothing can be read, or the server ends or begins."""


class Read(asyncio.Protocol):
    """A page of the API as one person reads it, with their token or as anybody. Raises Broken into the world."""

    def __init__(self, person: Person, path: str, *, as_anybody: bool) -> None:
        self.person = person
        self.path = path
        self.world = person.world
        self.reader = None if as_anybody else person.id
        self.token = None if as_anybody else person.token
        self.transport: Transport
        self.since_us = self.world.loop.now_us
        self.over = False
        self.known = self.world.games.get(path.removeprefix("/api/games/"))
        """what somebody knew of this game before"""
        self._answer = b""

    # What the network calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, Transport)
        self.transport = transport
        token = f"Authorization: Bearer {self.token}\r\n" if self.token is not None else ""
        transport.write(f"GET {self.path} HTTP/1.1\r\nHost: noughts\r\nConnection: close\r\n{token}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._answer += data

    def eof_received(self) -> bool:
        self.world.guard(self._check)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.over = True

    # What must hold

    def _check(self) -> None:
        head, found, body = self._answer.partition(HEAD_END)
        if not found:
            return  # the server ended first
        status = int(head.split(b" ", 2)[1])
        if status == 503 and (self.path == "/readyz" or self.world.may_be_unavailable):
            return
        if status not in DECLARED:
            raise Broken("reads", f"{self._who} is answered {status}: {body[:200]!r}")
        if status == 401 and self.token is not None and not self._may_be_forgotten:
            raise Broken("reads", f"{self._who} has a token that nobody knows")
        if status == 200 and self.path.startswith("/api/"):
            self.check(json.loads(body))
        elif self.known is not None and self._may_see(self.known) and not self._may_be_forgotten:
            raise Broken("reads", f"{self._who} does not find it")

    def check(self, answer: Any) -> None:
        """Raises Broken."""
        if self.path == "/api/players/me" and answer["id"] != self.reader:
            raise Broken("reads", f"{self._who} is told that they are {answer}")
        for game in answer["games"] if "games" in answer and self.path == "/api/games" else ():
            if game.get("private") and self.reader not in (game["x"]["id"], game["o"]["id"]):
                raise Broken("reads", f"{self._who} is shown a private game of others: {game}")
        if self.known is not None:
            self._check_game(self.known, answer)
        self.world.ledger.forgotten.check_shown(json.dumps(answer).encode(), self._who, self.since_us)

    def _check_game(self, known: RoomView, answer: Any) -> None:
        if not self._may_see(known):
            raise Broken("reads", f"{self._who} is shown a private game of others")
        told = answer["winner"], answer["termination"], tuple(move["move"] for move in answer["moves"])
        result = known.result
        if result is not None and told != (result.winner, result.termination, tuple(known.moves)):
            raise Broken("reads", f"{self._who} is told {told}, but it ended {result} after {known.moves}")

    def _may_see(self, known: RoomView) -> bool:
        return known.code is None or self.reader in {seat.id for seat in (known.x, known.o) if seat is not None}

    @property
    def _may_be_forgotten(self) -> bool:
        return self.reader is not None and self.world.ledger.forgotten.may_be(self.reader)

    @property
    def _who(self) -> str:
        return f"{self.person.name}, who reads {self.path} as {self.reader or 'anybody'},"
