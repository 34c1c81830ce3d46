"""Who may connect, ask and open a websocket: pages of our own origin and programs, with limits for each address."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Set
from http import HTTPStatus
from ipaddress import ip_address

from server.config import Settings
from server.http.message import Request, Response
from server.http.responses import refusal
from server.metrics import Metrics
from server.play.rate_limit import AddressLimiter, Refusal, counted_address, plain_address, share_of_address

MORE = 16
"""Connections past a limit that are told why they cannot stay; those past them are dropped."""
LEAST = 16
"""An address may always have this many connections, however few are left."""


_HOST = re.compile(r"[\w.\-]{1,253}(:\d{1,5})?|\[[\da-fA-F:.]{2,45}\](:\d{1,5})?", re.ASCII)


_PORT = re.compile(r":\d*$", re.ASCII)

_WITH_PORT = re.compile(r"\[(.+)\](?::\d+)?|([\d.]+):\d+", re.ASCII)
"""An address as some proxies write it, which takes brackets for IPv6."""


_PORTS = {"http": ":80", "https": ":443"}
"""By scheme, those that an origin leaves out. Some proxies write them into `Host`."""


_UPGRADES = re.compile(r"(^|,)\s*upgrade\s*(,|$)", re.ASCII | re.IGNORECASE)
"""A `Connection` that names `Upgrade`, without which that header asks for nothing."""


def _is_own_name(name: str) -> bool:
    """Whether a `Host` without its port is an address, or a name that no site can have."""
    name = name.rstrip(".")
    if "." not in name or name.endswith(".localhost"):
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def origin_of(trusted_proxies: Set[str], request: Request) -> str | None:
    """Where a client found this server; None where its request does not say. A proxy that says nothing has TLS."""
    host = request.header("Host")
    if not _HOST.fullmatch(host):
        return None
    if plain_address(request.address) not in trusted_proxies:
        return f"http://{host}"
    scheme = request.header("X-Forwarded-Proto").rpartition(",")[2].strip().lower()
    return f"{scheme if scheme == 'http' else 'https'}://{host}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Gate:
    """`allowed` is how many connections the files of this process leave room for."""

    def __init__(
        self, settings: Settings, metrics: Metrics, now_ms: Callable[[], int], is_closing: Callable[[], bool]
    ) -> None:
        self._settings = settings
        self._is_local = _is_loopback(settings.host)
        self._metrics = metrics
        self._now_ms = now_ms
        self._is_closing = is_closing
        self._limiter = AddressLimiter(settings.address_rate, settings.address_open)
        self.allowed = math.inf
        self.open = 0

    def listens_at(self, host: str) -> None:
        """Where this server can be reached: a socket that it was given may be elsewhere than its settings say."""
        self._is_local = _is_loopback(host)

    # Connections

    def enter(self, peer: str) -> tuple[str | None, Response | None]:
        """Count a new connection. Returns the address for which it counts, and the refusal if it may not stay.

        `leave` it in any case. A proxy's counts for nobody yet: its requests say whose they are.
        """
        self.open += 1
        address = None if plain_address(peer) in self._settings.trusted_proxies else counted_address(peer)
        response = self._why_not(address)
        if address is not None:
            self._limiter.on_open(address)
        return address, response

    def crowded(self, address: str | None) -> bool:
        """Whether so many are already over a limit that the next one is dropped without being told why."""
        limit = self._settings.address_open
        over = address is not None and limit and self._limiter.open_from(address) > limit + MORE
        return bool(over) or self.open > self.allowed + MORE

    def leave(self, address: str | None) -> None:
        self.open -= 1
        if address is not None:
            self._limiter.on_close(address)

    def _why_not(self, address: str | None) -> Response | None:
        if self.open > self.allowed:
            over = Refusal("open_files", "This server has as many connections as it can hold; try again later.")
            return self._turned_away(over, address, HTTPStatus.SERVICE_UNAVAILABLE)
        if address is None:
            return None
        over_share = self._over_share(address)
        if over_share is not None:
            return self._turned_away(over_share, address, HTTPStatus.SERVICE_UNAVAILABLE)
        over_open = self._limiter.too_many(address)
        return self._turned_away(over_open, address) if over_open is not None else self._charged(address, 1)

    def _over_share(self, address: str) -> Refusal | None:
        """Why an address may not have one more of the connections that are left."""
        if self._settings.address_open and self._limiter.open_from(address) >= self._share():
            return Refusal("open_files", "The server is nearly out of connections, and your address has many already.")
        return None

    def _share(self) -> float:
        """An address may have one more connection if it has fewer than this: as many as are left."""
        if self.allowed == math.inf:
            return math.inf
        return share_of_address(int(self.allowed) - self.open + 1, LEAST)

    # Requests

    def charge(self, request: Request, cost: float) -> Response | None:
        """Why the address may not have an answer of this cost now; None if it may."""
        return self._charged(self.counted(request), cost)

    def counted(self, request: Request) -> str:
        """The address that a request counts for."""
        return counted_address(self._address(request))

    def _charged(self, address: str, cost: float) -> Response | None:
        wait_ms = self._limiter.wait_ms(address, cost, self._now_ms())
        if not wait_ms:
            return None
        seconds = math.ceil(wait_ms / 1000)
        over = Refusal("address_rate", f"Too many requests from your address: come back in {seconds} s.")
        return self._turned_away(over, address, wait_s=seconds)

    # Websockets

    def admit(self, request: Request, counted: str | None) -> tuple[str | None, Response | None]:
        """The address for which a connection that opens a websocket counts, and the refusal if it may not."""
        response = self.misdirected(request) or self._refused(request)
        if response is not None:
            return counted, response
        if counted is not None:
            self._limiter.on_close(counted)  # it is not one more
        address: str | None = counted_address(self._address(request))
        assert address is not None
        over = self._over_share(address) or self._limiter.admit(address, self._now_ms())
        if over is not None:
            response = self._turned_away(over, address, wait_s=1)
            address = counted
        if address is not None:
            self._limiter.on_open(address)
        return address, response

    def _refused(self, request: Request) -> Response | None:
        if request.header("Upgrade").lower() != "websocket" or not _UPGRADES.search(request.header("Connection")):
            response = refusal(HTTPStatus.UPGRADE_REQUIRED, "This is the websocket of noughts; the page is at /.")
            response.headers |= {"Upgrade": "websocket", "Connection": "Upgrade"}
            return response
        if request.method != "GET":
            response = refusal(HTTPStatus.METHOD_NOT_ALLOWED, "A websocket is opened with GET.")
            response.headers["Allow"] = "GET"
            return response
        if self._is_closing():
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "The server is restarting; come back in a moment.")
        if not self._origin_allowed(request):
            return refusal(HTTPStatus.FORBIDDEN, "Pages of this origin may not connect; see the setting allow_origin.")
        return None

    def misdirected(self, request: Request) -> Response | None:
        """Why a request that came under a name which may be somebody else's is not answered; None for all others.

        Whoever owns a name can point it at this machine in the middle of a visit to their site (DNS rebinding). Where
        only this machine can connect, a request under such a name comes from its own browser. Nobody elsewhere can own
        a name without a dot.
        """
        if not self._is_local or plain_address(request.address) in self._settings.trusted_proxies:
            return None
        name = request.header("Host").lower()
        if _is_own_name(name.rpartition(":")[0] if _PORT.search(name) else name) or any(
            origin.partition("://")[2] == name for origin in self._settings.allowed_origins
        ):
            return None
        sentence = "This server is not known by that name: use its address, or see trusted_proxy and allow_origin."
        return refusal(HTTPStatus.MISDIRECTED_REQUEST, sentence)

    def _origin_allowed(self, request: Request) -> bool:
        if "Origin" not in request.headers:
            return True  # a program: it proves who it is by its token, and has no cookie to be abused
        origin, own = request.header("Origin"), request.header("Host").lower()
        # Compared as text: an origin is sent by a browser, and one that is no URL is nobody's.
        ours = {f"{scheme}://{name}" for scheme, port in _PORTS.items() for name in (own, own.removesuffix(port))}
        return origin.lower() in ours | self._settings.allowed_origins

    def _address(self, request: Request) -> str:
        if plain_address(request.address) not in self._settings.trusted_proxies:
            return request.address
        # Our proxy added the last entry; those before it are whatever the client sent.
        named = request.header("X-Forwarded-For").rpartition(",")[2].strip()
        with_port = _WITH_PORT.fullmatch(named)
        return (with_port[1] or with_port[2] if with_port else named) or request.address

    def _turned_away(
        self,
        over: Refusal,
        address: str | None,
        status: HTTPStatus = HTTPStatus.TOO_MANY_REQUESTS,
        wait_s: int | None = None,
    ) -> Response:
        self._metrics.turned_away += 1
        self._metrics.limits.met(over.limit, address or "")
        response = refusal(status, over.sentence)
        if wait_s is not None:
            response.headers["Retry-After"] = str(wait_s)
        return response
