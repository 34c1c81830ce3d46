"""The socket beside the database over which orders come: a line each way, for whoever may use the server's files."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from server.admin.orders import Answer, Order
from server.wire.explain import explain

log = logging.getLogger(__name__)

LINE_BYTES = 64 * 1024
ORDER_S = 10.0
"""How long an order may take to arrive."""

_orders: msgspec.json.Decoder[Order] = msgspec.json.Decoder(Order)


class NoServer(Exception):
    """Nobody takes orders for this database, or no longer; the message says what to do."""


class TooLong(Exception):
    """No server takes so long an order; the message says so."""


def socket_path(database: Path | str) -> Path:
    """Beside the file itself, as its lock is, so that orders reach the server under whatever name it knows the
    database."""
    database = Path(database)
    if database.is_symlink():  # otherwise as it was given: an absolute path may be too long for a socket
        database = Path(os.path.realpath(database))
    return database.with_name(f"{database.name}.admin")


def open_line(path: Path) -> socket.socket | None:
    """A socket that only this user may use; it replaces one that an earlier server left. None where it cannot be made.

    Call it while holding the lock of the database and before any thread starts: the umask holds for files of other
    threads too. The caller removes the socket's file.
    """
    listening = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o177)
    try:
        path.unlink(missing_ok=True)
        listening.bind(str(path))
        listening.listen()
    except OSError as error:
        listening.close()
        log.warning("no orders can be taken", extra={"socket": str(path), "error": str(error)})
        return None
    finally:
        os.umask(mask)
    return listening


class Line:
    """Takes orders from a listening socket until it is closed."""

    def __init__(self, listening: socket.socket, carry_out: Callable[[Order], Awaitable[Answer]]) -> None:
        self._listening = listening
        self._carry_out = carry_out
        self._server: asyncio.Server

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._take, sock=self._listening, limit=LINE_BYTES)

    def close(self) -> None:
        self._server.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(ORDER_S):
                sent = await reader.readline()
            answer = await self._answer(sent)
            writer.write(msgspec.json.encode(answer) + b"\n")
            await writer.drain()
        except (OSError, TimeoutError, ValueError):
            log.warning("an order did not arrive whole")
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, sent: bytes) -> Answer:
        try:
            order = _orders.decode(sent)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return Answer(said=explain(sent, Order).sentence, done=False)
        try:
            return await self._carry_out(order)
        except Exception:
            log.exception("an order failed")
            return Answer(said="The server could not carry this out; its log says why.", done=False)


def ask(database: Path, order: Order) -> Answer:
    """Have the server of this database carry out an order.

    Raises NoServer, TooLong, and UnicodeEncodeError for an order with bytes of the command line that are no text.
    """
    sent = msgspec.json.encode(order) + b"\n"
    if len(sent) > LINE_BYTES:
        raise TooLong(f"This order has {len(sent):,} bytes, and a server takes at most {LINE_BYTES:,}.")
    if database.is_dir():
        raise NoServer(f"{database} is a folder: name a database file in it.")
    path = socket_path(database)
    connected = False
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(path))
            connected = True
            line.sendall(sent)
            with line.makefile("rb") as answers:
                return msgspec.json.decode(answers.readline(), type=Answer)
    except PermissionError:
        raise NoServer(f"{path} is for the user who runs the server, and for root: run this as one of them.") from None
    except (OSError, msgspec.MsgspecError):
        if connected:
            raise NoServer(
                f"The server of {database} ended before it answered: look whether it carried out the order."
            ) from None
        raise NoServer(
            f"No server takes orders for {database}: start it with `noughts serve`, or name its database with --db."
        ) from None
