"""The two processes that are measured: a server of noughts and the relay, each on a port of its own."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from client.lab.bench.machine import cpu_s
from client.lab.bench.wire import BenchError
from server.workers.lifeline import PARENT

START_S = 60
STOP_S = 15
_LIMITS = (
    "connection-rate",
    "player-rate",
    "chat-rate",
    "address-rate",
    "address-open",
    "address-players",
    "address-rooms",
)
_NO_LIMITS = tuple(word for limit in _LIMITS for word in (f"--{limit}", "0"))
_PORT = re.compile(r"http://[^ ]*:(\d+) ")


class Measured:
    """A running process that listens on `port`. Use it in a `with`, in a thread that outlives it: it is ended on the
    way out, and with this process where that is killed."""

    def __init__(
        self, command: Sequence[str], log: Path, environment: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.port = 0
        self._environment = environment
        self._command = command
        self._log = log
        self._process: subprocess.Popen[str]

    @property
    def pid(self) -> int:
        return self._process.pid

    def cpu_s(self) -> float:
        return cpu_s(self.pid)

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self._process.kill()

    def __enter__(self) -> Measured:
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env=_environment() | {PARENT: str(os.getpid())} | dict(self._environment),
                text=True,
            )
        assert self._process.stdout is not None
        try:
            first = self._process.stdout.readline()
        except BaseException:  # `with` calls no __exit__ where this fails
            self.__exit__()
            raise
        found = _PORT.search(first)
        if not found and not first.strip().isdigit():
            self._end()
            raise BenchError(f"A process to be measured did not start: {self._log.read_text().strip() or first}")
        self.port = int(found[1] if found else first)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._end()

    def _end(self) -> None:
        """Kills it unless it ends by itself soon."""
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def noughts(
    folder: Path,
    *,
    workers: int = 1,
    db: str = "bench.db",
    think_ms: int = 10_000,
    limits: bool = False,
    port: int = 0,
    flags: Sequence[str] = (),
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Measured:
    """`noughts serve` with its database in `folder`; without flood limits unless they are asked for."""
    command = [sys.executable, "-m", "client.cli", "serve", "--port", str(port), "--db", str(folder / db), *flags]
    command += ["--workers", str(workers), "--think-ms", str(think_ms), "--log-level", "warning"]
    command += () if limits else _NO_LIMITS
    return Measured(command, folder / "noughts.log", environment)


def relay(folder: Path) -> Measured:
    return Measured([sys.executable, "-m", "client.lab.bench.relay"], folder / "relay.log")


class Answer(Struct, frozen=True):
    """What a GET answered; `bytes` is how many came over the wire, head included."""

    body: bytes
    kind: str
    bytes: int


async def get(port: int, path: str) -> Answer:
    """Asks as a browser does, which accepts gzip."""

    def fetch() -> Answer:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=START_S) as answer:
            lines = [f"HTTP/1.1 {answer.status} {answer.reason}", *map(": ".join, answer.getheaders()), ""]
            head = sum(len(line) + len("\r\n") for line in lines)
            sent = answer.read()
            packed = answer.headers.get("Content-Encoding") == "gzip"
            body = gzip.decompress(sent) if packed else sent
            return Answer(body, answer.headers.get_content_type(), head + len(sent))

    return await asyncio.to_thread(fetch)


def _environment() -> dict[str, str]:
    """Our environment without settings that would change what is measured."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NOUGHTS_")}
