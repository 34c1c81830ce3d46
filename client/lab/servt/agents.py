"""The agents of a nine-board server: a program at the other end of a connection, or a bot of ours."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import Final

from client.lab.brain.servt import Servt
from client.lab.servt.referee import TooLate
from engine.bots.fault import BotFault

_LINE_BYTES: Final = 64
"""Most bytes of an answer, which is one digit."""


class RemoteAgent:
    """See Agent. It has `move_ms` for each answer; one that comes later answers nothing that is asked after it."""

    def __init__(self, connection: socket.socket, move_ms: int) -> None:
        self._connection = connection
        self._move_ms = move_ms
        self._heard = b""
        self._owed = 0
        """answers that are still to come, and too late"""

    def tell(self, line: str) -> None:
        self._connection.settimeout(self._move_ms / 1000)  # one that reads nothing holds nobody up for longer
        with suppress(OSError):
            self._connection.sendall(f"{line}\n".encode())

    def ask(self, line: str) -> str:
        self.tell(line)
        until_s = time.monotonic() + self._move_ms / 1000
        self._owed += 1
        while self._owed:
            answer = self._line(until_s)
            self._owed -= 1
        return answer.decode(errors="replace").strip()

    def _line(self, until_s: float) -> bytes:
        while b"\n" not in self._heard:
            if len(self._heard) > _LINE_BYTES:
                raise BotFault("illegal_move", f"wrote more than {_LINE_BYTES} bytes where a move is a square, 1 to 9")
            self._heard += self._received(until_s - time.monotonic())
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _received(self, left_s: float) -> bytes:
        late = f"has not answered within {self._move_ms} ms"
        if left_s <= 0:
            raise TooLate(late)
        self._connection.settimeout(left_s)
        try:
            data = self._connection.recv(4096)
        except TimeoutError:
            raise TooLate(late) from None
        except OSError:
            data = b""
        if not data:
            raise TooLate("has left")
        return data


class OurAgent:
    """See Agent. A bot keeps to its time by itself; another's engine that is gone has no time left."""

    def __init__(self, brain: Servt) -> None:
        self._brain = brain

    def tell(self, line: str) -> None:
        self._brain.hear(line)

    def ask(self, line: str) -> str:
        try:
            [answer] = self._brain.hear(line)
        except BotFault as fault:
            if fault.termination == "illegal_move":
                raise
            raise TooLate(str(fault)) from None
        return answer
