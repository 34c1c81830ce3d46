"""Listening: the port, how many connections the files of this process allow, and sockets until the last one is gone."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import logging
import os
import resource
import socket
from collections.abc import Callable, Collection
from typing import Protocol

from server.http.connections.accepting import Accepting
from server.http.connections.conversation import Conversation
from server.http.connections.gate import LEAST, Gate
from server.http.connections.keepalive import Keepalive
from server.http.connections.socket import CLOSE_S, Socket, SocketContext
from server.http.message import Request, Response
from server.metrics import Metrics
from server.rooms.connection import Connection, Wire
from server.rooms.fair_queue import FairQueue

log = logging.getLogger(__name__)

BACKLOG = 1024
SOCKETS_AT_ONCE = 16
"""Sockets that are said goodbye to in one turn of the event loop."""
FILES_BESIDE_CONNECTIONS = 64
LEAST_FILES = FILES_BESIDE_CONNECTIONS + LEAST
MOST_FILES_AT_ONCE = 16_384
"""Our file table in the system has room for this many from the start: 150 kB."""
FIRST_INHERITED = 3
"""The first of the file descriptors that a service manager hands over."""


class CannotListen(Exception):
    """The port cannot be had, or too few files; the message says what to do."""


class Endpoints(Protocol):
    """Answers requests that do not open a websocket."""

    async def answer(self, request: Request) -> Response: ...

    def cost(self, request: Request) -> float:
        """Cost of an answer, in turns of about a millisecond."""


class Listener:
    """Serves HTTP and websockets on a listening socket."""

    def __init__(
        self,
        gate: Gate,
        metrics: Metrics,
        ping_s: float,
        now_ms: Callable[[], int],
        endpoints: Endpoints,
        connect: Callable[[Wire], Connection],
        fair_queue: FairQueue,
    ) -> None:
        self._context = SocketContext(
            answer=endpoints.answer,
            cost=endpoints.cost,
            connect=connect,
            gate=gate,
            keepalive=Keepalive(ping_s),
            metrics=metrics,
            now_ms=now_ms,
            fair_queue=fair_queue,
            begin=lambda socket: Conversation(socket, self._context),
        )
        self._accepting: Accepting

    @property
    def sockets(self) -> Collection[Socket]:
        """Open sockets, the oldest first."""
        return self._context.sockets

    @property
    def fair_queue(self) -> FairQueue:
        return self._context.fair_queue

    def accepted(self) -> Socket:
        """The protocol of one more connection."""
        return Socket(self._context)

    def start(self, listening: socket.socket) -> None:
        self._accepting = Accepting(listening, self.accepted)
        self._context.keepalive.start()

    def stop_accepting(self) -> None:
        """Where a service manager holds the socket, new connections wait for the process that takes our place."""
        self._accepting.stop()

    async def close(self) -> None:
        """Say goodbye on every connection, and wait until all are gone."""
        self.stop_accepting()
        await self._accepting.settled()
        self._context.keepalive.stop()
        for number, open_one in enumerate(tuple(self.sockets), 1):
            open_one.phase.stop()
            if number % SOCKETS_AT_ONCE == 0:
                await asyncio.sleep(0)
        try:
            async with asyncio.timeout(2 * CLOSE_S):
                if self.sockets:
                    await self._context.emptied.wait()
        except TimeoutError:
            for open_one in tuple(self.sockets):
                open_one.transport.abort()


def listen(host: str, port: int) -> socket.socket:
    """Raises CannotListen."""
    where = f"{host}:{port}"
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        # All addresses of IPv6 are those of IPv4 too, as for most servers.
        both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        return socket.create_server((host, port), family=family, backlog=BACKLOG, dualstack_ipv6=both)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"{where} is in use; stop the program that uses it, or choose another port with --port."
            ) from None
        # Python adds to the text of some; errors of names have negative numbers.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise CannotListen(f"Cannot listen on {where}: {reason}.") from None


def inherited() -> socket.socket | None:
    """The socket that a service manager listens on for us, from before our start until after our end; None without one.

    So nobody who connects while one process takes the place of another is turned away. systemd and others tell of it as
    sd_listen_fds(3) says: LISTEN_PID is ours, and file 3 is the first of LISTEN_FDS. Raises CannotListen.
    """
    pid, count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()):
        return None
    if count != "1":
        raise CannotListen(f"The service manager hands over {count or 'no'} sockets instead of one.")
    listening = socket.socket(fileno=FIRST_INHERITED)
    listening.set_inheritable(False)
    if listening.family not in (socket.AF_INET, socket.AF_INET6) or listening.type != socket.SOCK_STREAM:
        listening.close()
        raise CannotListen(
            "The service manager hands over a socket that is not TCP, as ListenStream=127.0.0.1:8765 is."
        )
    return listening


def raise_file_limit() -> int:
    """Allow as many open files as we may, and return how many connections that leaves. Raises CannotListen."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (OSError, ValueError):
            log.warning("the limit of open files cannot be raised", extra={"limit": soft})
    if soft < LEAST_FILES:
        raise CannotListen(
            f"The limit of open files is {soft}, and a server needs {LEAST_FILES} at least; "
            "raise it with ulimit -n 1024, or with LimitNOFILE= in a systemd unit."
        )
    return soft - FILES_BESIDE_CONNECTIONS


def make_room_for_files(files: int) -> None:
    """Grow our file table in the kernel to hold this many files; it never shrinks.

    Otherwise it is doubled whenever it is full. In a process with threads, opening a file then waits until all
    processors have noticed: 10 to 25 ms, in which no move is made.
    """
    null = os.open(os.devnull, os.O_RDONLY)
    try:
        os.close(fcntl.fcntl(null, fcntl.F_DUPFD_CLOEXEC, max(0, min(files, MOST_FILES_AT_ONCE) - 1)))
    except OSError as error:
        log.warning("no room for files can be made", extra={"files": files, "error": error.strerror})
    finally:
        os.close(null)
