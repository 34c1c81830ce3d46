"""Opens the websocket, and says in a sentence why it could not be opened or was closed."""

from __future__ import annotations

import asyncio
import os
import socket as sockets
import traceback
from ssl import SSLCertVerificationError, SSLError
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed, InvalidProxy, InvalidStatus, ProxyError, WebSocketException

from client.sdk.address import host_url, is_loopback
from client.sdk.errors import ServerUnreachable
from client.sdk.text import clean

OPEN_TIMEOUT_S = 10
KEEPALIVE_S = 15
CLOSE_TIMEOUT_S = 2


def quiet_websockets() -> None:
    """Log no tracebacks of websockets in this event loop, for a program whose loop it is.

    websockets fails in a callback if a proxy hangs up; whoever connected gets a sentence anyway.
    """
    asyncio.get_running_loop().set_exception_handler(_unless_of_websockets)


def _unless_of_websockets(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    frames = list(traceback.walk_tb(getattr(context.get("exception"), "__traceback__", None)))
    if not frames or not frames[-1][0].f_globals["__name__"].startswith("websockets."):
        loop.default_exception_handler(context)


async def open_socket(url: str) -> ClientConnection:
    """An open websocket. Raises ServerUnreachable."""
    place = host_url(url)
    try:
        return await open_websocket(
            url,
            compression=None,  # small frames: it would cost more than it saves
            proxy=None if is_loopback(url) else True,
            open_timeout=OPEN_TIMEOUT_S,
            ping_interval=KEEPALIVE_S,
            ping_timeout=KEEPALIVE_S,
            close_timeout=CLOSE_TIMEOUT_S,
        )
    except TimeoutError:
        raise ServerUnreachable(f"{place} does not answer.") from None
    except InvalidStatus as error:
        raise ServerUnreachable(
            f"{place} answered with HTTP status {error.response.status_code} where a noughts server opens a websocket."
        ) from None
    except sockets.gaierror:
        raise ServerUnreachable(f"There is no host {urlsplit(url).hostname!r}.") from None
    except SSLCertVerificationError as error:
        raise ServerUnreachable(f"{place} cannot be trusted: {error.verify_message}.") from None
    except SSLError as error:  # its `errno` is none of the system's
        why = (error.reason or "no handshake").replace("_", " ").lower()
        raise ServerUnreachable(f"{place} does not speak TLS ({why}).") from None
    except (InvalidProxy, ProxyError, ImportError, ValueError) as error:
        raise ServerUnreachable(f"{place} cannot be reached through the proxy: {_proxy_trouble(error)}.") from None
    except OSError as error:
        why = f": {os.strerror(error.errno).lower()}" if error.errno else ""
        raise ServerUnreachable(f"No server answers at {place}{why}.") from None
    except WebSocketException:
        raise ServerUnreachable(f"{place} is no noughts server.") from None


def _proxy_trouble(error: Exception) -> str:
    """What is wrong with a proxy, without its address, which may hold a password."""
    if isinstance(error, InvalidProxy | ValueError):
        return "its address must be one like http://host:port"
    return clean(str(error))  # ImportError where SOCKS needs a package


def why_closed(closed: ConnectionClosed) -> str:
    """Why a connection was closed, ready to be put into a sentence."""
    if closed.rcvd is None:
        return ""
    if closed.rcvd.code == 1012:
        return ", because the server restarts"
    return f" ({clean(closed.rcvd.reason)})" if closed.rcvd.reason else ""
