"""Accepting connections: a few at a time, so that a thousand at once hold nobody else up."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable

log = logging.getLogger(__name__)

AT_ONCE = 8
"""Connections in one turn of the event loop: about a millisecond."""
REST_S = 0.005
"""Pause between two turns: 1,600 connections a second, as many as one core can greet."""
UNREAD_BYTES = 16 * 1024
"""Receive buffer of a connection that is not read; Linux doubles it, and all of it is copied at once."""
NO_FILES_S = 1.0
"""How long to wait for a connection to close when the system has no more files for us."""
_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class Accepting:
    """Takes connections from a listening socket, which it closes in the end; `made` gives each its protocol.

    asyncio's own servers take all that wait in the queue of the system, a thousand, before anything else goes on.
    """

    def __init__(self, listening: socket.socket, made: Callable[[], asyncio.Protocol]) -> None:
        self._listening = listening
        self._made = made
        self._loop = asyncio.get_running_loop()
        self._begun: set[asyncio.Task[object]] = set()
        self._rest: asyncio.TimerHandle | None = None
        listening.setblocking(False)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD_BYTES)  # of the connections that it accepts
        self._go_on()

    def stop(self) -> None:
        """Take no more. Where a service manager holds the socket too, whoever comes now waits for the next process."""
        if self._listening.fileno() < 0:
            return
        if self._rest is None:
            self._loop.remove_reader(self._listening)
        else:
            self._rest.cancel()
        self._listening.close()

    async def settled(self) -> None:
        """Return when every connection that was taken has its protocol."""
        await asyncio.gather(*self._begun, return_exceptions=True)

    def _go_on(self) -> None:
        self._rest = None
        self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                accepted, _address = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _OUT_OF_FILES:
                    raise
                log.warning("no connection can be accepted", extra={"error": error.strerror})
                self._pause(NO_FILES_S)
                return
            beginning = self._loop.create_task(self._begin(accepted))
            self._begun.add(beginning)
            beginning.add_done_callback(self._begun.discard)
        self._pause(REST_S)

    async def _begin(self, accepted: socket.socket) -> None:
        try:
            # asyncio's own loop does this only for sockets that connect.
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(self._made, accepted)
        except OSError:  # gone already
            accepted.close()

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening)
        self._rest = self._loop.call_later(seconds, self._go_on)
