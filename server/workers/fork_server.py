"""What runs in a fork server: it loads what workers need, once, then forks one whenever it is asked to.

    request    number, length | pickled call, with the descriptors of the child's socket and of its slot
    reply      READY | STARTED number pid | REFUSED number errno | ENDED number status | LOADED

A request without descriptors is a call to be made in the fork server itself, so that later children inherit its effect.
The server reads the other side on its event loop: see `server.workers.children`. This one waits for nothing but its
server and the ends of its children, and has no threads, since it forks.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import selectors
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final, NamedTuple

from server.workers.lifeline import die_with
from server.workers.slot import attach

REQUEST: Final = struct.Struct("!II")
REPLY: Final = struct.Struct("!IIi")
READY, STARTED, REFUSED, ENDED, LOADED = range(5)
LENGTH: Final = struct.Struct("!I")
MAX_MESSAGE: Final = 1 << 26
"""Bytes of a message between a worker and its server."""
FROM_THE_TERMINAL: Final = frozenset({signal.SIGINT, signal.SIGHUP, signal.SIGTSTP})
"""Signals that reach a fork server and its children too, and are for the server to obey."""
_DESCRIPTORS: Final = 2


class Call(NamedTuple):
    """A function of a module; in a child it is called with its channel, its slot and the arguments."""

    entry: Callable[..., None]
    arguments: tuple[object, ...]
    slot: type[Any] | None


class Channel:
    """A child's end of its socket: whole messages, in both directions."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    def waits(self, seconds: float) -> bool:
        """Whether there is something to receive, including the end, within `seconds`."""
        return bool(select.select([self._socket], [], [], seconds)[0])

    def receive(self) -> Any:
        """Raises EOFError when the other side is closed."""
        (length,) = LENGTH.unpack(_exactly(self._socket, LENGTH.size))
        return pickle.loads(_exactly(self._socket, length))

    def send(self, message: object) -> None:
        """Raises OSError when the other side is closed."""
        self._socket.sendall(framed(message))


def framed(message: object) -> bytes:
    """The message behind its length. Raises ValueError for one that is too long."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    if len(data) > MAX_MESSAGE:
        raise ValueError(f"A message of {len(data)} bytes is too long: {MAX_MESSAGE} are allowed.")
    return LENGTH.pack(len(data)) + data


def main(descriptor: int, parent: int, preload: Sequence[str]) -> None:
    """Serve until the server at the other end of the socket is gone, or has closed it."""
    for number in FROM_THE_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FROM_THE_TERMINAL)  # the server has blocked them until now
    if sys.platform == "linux":  # elsewhere it would take a thread
        die_with(parent)
    with socket.socket(fileno=descriptor) as server, suppress(EOFError, OSError):
        for module in preload:
            with suppress(Exception):  # whoever needs it hears what is wrong
                import_module(module)
        _ForkServer(server).run()


class _ForkServer:
    def __init__(self, server: socket.socket) -> None:
        self._server = server
        self._numbers: dict[int, int] = {}
        """the children that live, by process id"""

    def run(self) -> None:
        """Raises EOFError or OSError when the server is gone."""
        woken, waking = socket.socketpair()
        waking.setblocking(False)
        signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        gc.freeze()  # a collection in a child would otherwise copy every page it looks at
        self._reply(READY)
        with selectors.DefaultSelector() as selector:
            selector.register(self._server, selectors.EVENT_READ)
            selector.register(woken, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is woken:
                        woken.recv(4096)
                        self._reap()
                    else:
                        self._obey()

    def _obey(self) -> None:
        descriptors, number, data = self._request()
        if descriptors:
            self._fork(descriptors, number, data)
        else:
            with _printing_what_fails():
                call: Call = pickle.loads(data)
                call.entry(*call.arguments)
            gc.freeze()
            self._reply(LOADED)

    def _request(self) -> tuple[list[int], int, bytes]:
        head, descriptors, _, _ = socket.recv_fds(self._server, REQUEST.size, _DESCRIPTORS)
        if not head:
            raise EOFError
        head += _exactly(self._server, REQUEST.size - len(head))
        number, length = REQUEST.unpack(head)
        return descriptors, number, _exactly(self._server, length)

    def _fork(self, descriptors: list[int], number: int, data: bytes) -> None:
        parent = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            self._reply(REFUSED, number, error.errno or 0)
        else:
            if pid == 0:
                _be_child(parent, self._server, descriptors, data)
            self._numbers[pid] = number
            self._reply(STARTED, number, pid)
        for descriptor in descriptors:
            os.close(descriptor)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                if pid in self._numbers:
                    self._reply(ENDED, self._numbers.pop(pid), os.waitstatus_to_exitcode(status))

    def _reply(self, kind: int, number: int = 0, value: int = 0) -> None:
        self._server.sendall(REPLY.pack(kind, number, value))


def _be_child(parent: int, server: socket.socket, descriptors: list[int], data: bytes) -> None:
    """Never returns."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        die_with(parent)
        server.close()
        with _printing_what_fails():
            call: Call = pickle.loads(data)
            slot = attach(call.slot, descriptors[1]) if call.slot is not None else None
            for descriptor in descriptors[1:]:
                os.close(descriptor)
            with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the server needs it no longer
                call.entry(Channel(socket.socket(fileno=descriptors[0])), slot, *call.arguments)
            status = 0
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


@contextmanager
def _printing_what_fails() -> Iterator[None]:
    try:
        yield
    except Exception:
        traceback.print_exc()


def _exactly(connected: socket.socket, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        more = connected.recv(length - len(data))
        if not more:
            raise EOFError
        data += more
    return bytes(data)
