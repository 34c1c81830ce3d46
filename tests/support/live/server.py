"""A server in a process of its own, and a client that knows the wire and nothing of ours.

The client keeps every message it was sent and judges each by what the protocol promises: no field that it does not
name, none missing, and the events of a room in `seq` order without a gap. What it finds is raised when it is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Message: TypeAlias = dict[str, Any]

TIMEOUT_S = 60.0
"""How long anything may take before a test gives up; nothing waits that long when all is well."""
ROOT = Path(__file__).parents[3]
UNLIMITED = tuple(
    word
    for flag in (
        "connection-rate",
        "player-rate",
        "chat-rate",
        "address-rate",
        "address-open",
        "address-rooms",
        "address-players",
    )
    for word in (f"--{flag}", "0")
)
"""For tests that are faster than people."""


class Server:
    """`noughts serve` as a process, with `count` workers. Its records are in `db`, its logs in `log`."""

    def __init__(
        self,
        db: Path,
        *flags: str,
        port: int = 0,
        workers: int = 1,
        prepare: Callable[[], None] | None = None,
        listening: socket.socket | None = None,
    ) -> None:
        self.db = db
        self.count = workers
        self.log = db.with_name("server.log")
        self._errors = self.log.open("ab")
        handed_over = () if listening is None else (listening.fileno(),)
        self.process = subprocess.Popen(
            [
                *(HAND_OVER if handed_over else ()),
                *map(str, handed_over),
                *COMMAND,
                "serve",
                "--port",
                str(port),
                "--db",
                str(db),
                "--workers",
                str(workers),
                *flags,
            ],
            stdout=subprocess.PIPE,
            stderr=self._errors,
            stdin=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment(),
            preexec_fn=prepare,
            pass_fds=handed_over,
        )
        self.port = self._announced_port()

    def _announced_port(self) -> int:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], TIMEOUT_S)
        line = self.process.stdout.readline().decode() if ready else ""
        if not line.startswith("noughts serves at http://127.0.0.1:"):
            self.kill()
            raise AssertionError(f"the server did not start: {line!r} {self.log.read_text()}")
        return int(line.split("http://127.0.0.1:")[1].split()[0])

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def workers(self) -> list[psutil.Process]:
        """The processes that search: children of the one that forks them."""
        found: list[psutil.Process] = []
        for child in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):
                found += child.children()
        return found

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def kill(self) -> None:
        """As a power cut would end it: no signal handler runs. Nothing happens to one that is gone."""
        self.process.kill()
        self._gone()

    def stop(self) -> int:
        """SIGTERM, as systemd would; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        status = self.process.wait(TIMEOUT_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._errors.close()
        return status

    @property
    def running(self) -> bool:
        return self.process.poll() is None


HAND_OVER = (
    sys.executable,
    "-c",
    "import os, sys\n"
    "os.dup2(int(sys.argv[1]), 3)\n"
    "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')\n"
    "os.execv(sys.argv[2], sys.argv[2:])",
)
"""Starts the command after the number of a listening socket, as a service manager does that holds it."""
COMMAND = (sys.executable, "-m", "client.cli")


def environment() -> dict[str, str]:
    """Of a server: nothing that its settings would be read from."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NOUGHTS_")}


@contextmanager
def serving(folder: Path, *flags: str, workers: int = 1, **options: Any) -> Iterator[Server]:
    """A server until the end of the block, whatever happens in it."""
    server = Server(folder / "noughts.db", *flags, workers=workers, **options)
    try:
        yield server
    finally:
        server.kill()


def refused(*arguments: str, prepare: Callable[[], None] | None = None) -> tuple[int, str]:
    """Exit status and stderr of a command that should not succeed."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        check=False,
        preexec_fn=prepare,
    )
    return done.returncode, done.stderr


# The messages of the protocol: fields that must be there, and others that may.

_SHAPES: dict[str, tuple[str, str]] = {
    "welcome": ("v player rooms", "id token held"),
    "room": ("room seq game seats clock ts offers chat spectators rated you", "id code absent_ms takebacks"),
    "ack": ("", "id room seq"),
    "error": ("code message", "id room game field"),
    "lobby": ("seeks rooms players challenges", "id people only"),
    "pong": ("ts server_ms", "id"),
    "present": ("room side present", "claim_ms"),
    "spectators": ("room count", ""),
    "announcement": ("text ts", ""),
    "thinking": ("room nodes depth value pv", "win_in"),
    "review": ("game done of moves", "id"),
}
_EVENTS: dict[str, tuple[str, str]] = {
    "seated": ("side seat", ""),
    "started": ("game clock", ""),
    "moved": ("ply move by think_ms clock to_move", "legal forced search"),
    "ended": ("winner termination clock", "line ratings fault declined"),
    "offered": ("by what", ""),
    "declined": ("by what", "lapsed"),
    "takenback": ("ply moves clock to_move", "legal forced"),
    "said": ("by text", ""),
}
_PARTS: dict[str, tuple[str, str]] = {
    "game": ("serial id game start moves to_move legal started result", "last line forced"),
    "result": ("winner termination", "declined"),
    "ratings": ("x o", ""),
    "seat": ("id name kind present", "rating bot claim_ms"),
    "rating": ("value deviation", "provisional change"),
    "clock": ("x_ms o_ms running", "initial_ms increment_ms move_ms"),
    "search": ("nodes depth value win_in pv", "at_most proven interpreted"),
    "player": ("id name kind", ""),
}
ERROR_CODES = frozenset(
    {
        "malformed",
        "unknown_type",
        "unsupported_version",
        "unauthorised",
        "not_found",
        "not_your_turn",
        "not_seated",
        "seat_taken",
        "illegal_move",
        "game_over",
        "stale",
        "not_now",
        "too_fast",
        "too_large",
        "busy",
        "unavailable",
        "bad_game",
        "bad_clock",
        "bad_name",
        "bad_bot",
        "unknown_bot",
        "shutting_down",
    }
)


def _misshapen(what: str, part: Message, shape: tuple[str, str]) -> Iterator[str]:
    must, may = (set(names.split()) for names in shape)
    if missing := must - part.keys():
        yield f"{what} lacks {sorted(missing)}"
    if unknown := part.keys() - must - may:
        yield f"{what} has unknown {sorted(unknown)}"
    for name, inner in part.items():
        if name in _PARTS and isinstance(inner, dict):
            yield from _misshapen(name, inner, _PARTS[name])


def faults_of(message: Message) -> list[str]:
    """What is wrong with the form of a server's message."""
    if message.get("t") == "event":
        envelope = {"t", "room", "seq", "ts", "e"}
        shape = _EVENTS.get(message.get("e", ""))
        if shape is None or not envelope <= message.keys():
            return [f"no event of the protocol: {message}"]
        rest = {name: value for name, value in message.items() if name not in envelope}
        return list(_misshapen(message["e"], rest, shape))
    shape = _SHAPES.get(message.get("t", ""))
    if shape is None:
        return [f"no message of the protocol: {message}"]
    faults = list(_misshapen(message["t"], {k: v for k, v in message.items() if k != "t"}, shape))
    if message["t"] == "error" and message["code"] not in ERROR_CODES:
        faults.append(f"no error code of the protocol: {message['code']}")
    return faults


class Lost(Exception):
    """The connection closed before what was waited for came."""


class Client:
    """A connection that remembers all it was sent, in `log`."""

    def __init__(self, websocket: ClientConnection) -> None:
        self.websocket = websocket
        self.log: list[Message] = []
        self.faults: list[str] = []
        self.closed = asyncio.Event()
        self.player: Message = {}
        self.token = ""
        self.rooms: list[str] = []
        self._seqs: dict[str, int] = {}
        self._requests = 0
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for frame in self.websocket:
                self._take(json.loads(frame))
        except ConnectionClosed:
            pass
        finally:
            self.closed.set()
            self._news.set()

    def _take(self, message: Message) -> None:
        self.log.append(message)
        self.faults += faults_of(message)
        if message["t"] == "room":
            self._seqs[message["room"]] = message["seq"]
        elif message["t"] == "event":
            room, seq = message["room"], message["seq"]
            expected = self._seqs.get(room, seq - 1) + 1
            if seq != expected:
                self.faults.append(f"event {seq} of {room} where {expected} was due")
            self._seqs[room] = seq
        self._news.set()

    @property
    def mark(self) -> int:
        """A place in the log to wait from: now."""
        return len(self.log)

    def place(self, message: Message) -> int:
        """Where in the log just this message is; an equal one may stand before it."""
        return next(index for index, logged in enumerate(self.log) if logged is message)

    async def until(self, wanted: Callable[[Message], bool], since: int = 0, within_s: float = TIMEOUT_S) -> Message:
        """The first message that is wanted, now or later."""
        index = since
        async with asyncio.timeout(within_s):
            while True:
                self._news.clear()
                while index < len(self.log):
                    if wanted(self.log[index]):
                        return self.log[index]
                    index += 1
                if self.closed.is_set():
                    raise Lost(f"closed ({self.close_code}); last: {self.log[-3:]}")
                await self._news.wait()

    async def message(self, t: str, since: int = 0, within_s: float = TIMEOUT_S, **fields: Any) -> Message:
        """The first message of a kind whose fields are these."""
        return await self.until(
            lambda message: message["t"] == t and all(message.get(k) == v for k, v in fields.items()), since, within_s
        )

    async def event(self, e: str, since: int = 0, within_s: float = TIMEOUT_S, **fields: Any) -> Message:
        """The first event of a kind whose fields are these."""
        return await self.message("event", since, within_s, e=e, **fields)

    async def send(self, t: str, /, **fields: Any) -> int:
        """Send a request without waiting for the answer; its number."""
        self._requests += 1
        if t == "resume" and "seq" in fields:
            self._seqs[fields["room"]] = fields["seq"]
        await self.send_raw(json.dumps({"t": t, "id": self._requests, **fields}))
        return self._requests

    async def send_raw(self, frame: str | bytes | Sequence[str]) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            await self.websocket.send(frame)

    async def answer(self, request: int, since: int = 0) -> Message:
        return await self.until(lambda message: message.get("id") == request, since)

    async def ask(self, t: str, /, **fields: Any) -> Message:
        """Send a request and wait for its answer, whatever it is."""
        since = self.mark
        return await self.answer(await self.send(t, **fields), since)

    async def get(self, t: str, answer: str, /, **fields: Any) -> Message:
        """Ask for what must be granted."""
        message = await self.ask(t, **fields)
        assert message["t"] == answer, f"{t} {fields}: {message}"
        return message

    async def ack(self, t: str, /, **fields: Any) -> Message:
        return await self.get(t, "ack", **fields)

    async def room(self, t: str, /, **fields: Any) -> Message:
        return await self.get(t, "room", **fields)

    async def error(self, code: str, t: str, /, **fields: Any) -> Message:
        """Ask for what must be refused, for this reason."""
        message = await self.get(t, "error", **fields)
        assert message["code"] == code, f"{t} {fields}: {message}"
        return message

    async def hello(self, **fields: Any) -> Message:
        welcome = await self.get("hello", "welcome", v=1, **fields)
        self.player, self.rooms = welcome["player"], welcome["rooms"]
        self.token = welcome.get("token") or self.token or fields.get("token", "")
        return welcome

    async def sync(self) -> None:
        """Whatever was sent to this connection before now has been read."""
        await self.get("ping", "pong", ts=0)

    @property
    def close_code(self) -> int | None:
        return self.websocket.close_code

    async def closing(self) -> int | None:
        """The code with which the server closes the connection."""
        async with asyncio.timeout(TIMEOUT_S):
            await self.closed.wait()
        return self.close_code

    async def close(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TIMEOUT_S):
                await self.websocket.close()
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reader


class Reachable(Protocol):
    """A server, or a proxy before it."""

    @property
    def url(self) -> str: ...


async def open_client(server: Reachable, **options: Any) -> Client:
    """Connect without a greeting."""
    settings: dict[str, Any] = {
        "compression": None,
        "ping_interval": None,
        "proxy": None,
        "user_agent_header": None,
        "max_size": None,
        "open_timeout": TIMEOUT_S,
        "close_timeout": 2,
    }
    return Client(await connect(server.url, **(settings | options)))


@asynccontextmanager
async def connection(server: Server, **options: Any) -> AsyncIterator[Client]:
    """A connection without a greeting, closed and judged at the end."""
    client = await open_client(server, **options)
    try:
        yield client
    finally:
        await client.close()
    assert not client.faults, client.faults


@asynccontextmanager
async def player(server: Server, name: str | None = None, token: str | None = None) -> AsyncIterator[Client]:
    """A greeted connection."""
    async with connection(server) as client:
        await client.hello(name=name, token=token)
        yield client


@asynccontextmanager
async def players(server: Server, *names: str) -> AsyncIterator[list[Client]]:
    """New players, one connection each."""
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(player(server, name)) for name in names]


async def eventually(condition: Callable[[], Any], what: str, timeout_s: float = TIMEOUT_S) -> Any:
    """The first true answer of a condition that nobody tells us about."""
    try:
        async with asyncio.timeout(timeout_s):
            # Processes, files and counters tell nobody when they change.
            while not (found := condition()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"never came: {what}") from None
    return found


async def seated_pair(x: Client, o: Client, game: str = "tictactoe", **fields: Any) -> Message:
    """A running game between two clients; the room as x is shown it."""
    made = await x.room("create", game=game, seat="x", **fields)
    code = made.get("code")
    await o.room("join", **({"code": code} if code else {"room": made["room"]}))
    await x.event("started", room=made["room"])
    return await x.room("watch", room=made["room"])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
