"""A server's address as people write it, and the URLs that come of it."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import quote, urlsplit, urlunsplit

from client.sdk.errors import BadAddress

DEFAULT_PORT = 8765
_KEPT = "/%:!$&'()*+,;=~"
"""Characters that stay as they are in a path."""


def websocket_url(address: str) -> str:
    """The websocket's URL, in ASCII, for a server given as `http://host:port`, `ws://...`, or `host:port`.

    Raises BadAddress, also for one with a user and password: requests for records say with `Authorization` who the
    player is, which leaves no room for them.
    """
    text = address.strip()
    if "@" in text:  # wherever it stands: a password may hold a slash, and none may be shown
        raise BadAddress(
            "A server address takes no user or password: leave out what is before the @, and have a proxy that asks "
            "for them let noughts pass."
        )
    try:
        parts = urlsplit(text if "://" in text else f"ws://{text}")
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode()
        path = quote(parts.path, safe=_KEPT).rstrip("/")
    except ValueError:
        raise _bad_address(address) from None
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    place = parts.netloc
    if scheme is None or not host or place.endswith(":") or any(character.isspace() for character in text):
        raise _bad_address(address)
    if not place.isascii():
        place = host if port is None else f"{host}:{port}"
    if "://" not in text and port is None:
        place = f"{place}:{DEFAULT_PORT}"
    return urlunsplit((scheme, place, path if path.endswith("/ws") else f"{path}/ws", "", ""))


def _bad_address(address: str) -> BadAddress:
    return BadAddress(f"{address!r} is not a server address: write it like http://127.0.0.1:{DEFAULT_PORT}.")


def page_url(address: str, path: str = "/") -> str:
    """Where the server's page is, for a link to give to people. Raises BadAddress."""
    scheme, rest = websocket_url(address).split("://", 1)
    return f"{'https' if scheme == 'wss' else 'http'}://{rest.removesuffix('/ws')}{path}"


def host_url(url: str) -> str:
    return page_url(url).rstrip("/")


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
