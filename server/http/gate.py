"""Who may open a websocket: pages of our own origin and programs, with a limit per address."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection

from server.config import Settings
from server.http.message import Request, Response
from server.http.responses import refusal
from server.metrics import Metrics
from server.play.rate_limit import AddressLimiter, counted_address
from server.rooms.connection import Connection


class Gate:
    def __init__(
        self, settings: Settings, metrics: Metrics, now_ms: Callable[[], int], is_closing: Callable[[], bool]
    ) -> None:
        self._settings = settings
        self._metrics = metrics
        self._now_ms = now_ms
        self._is_closing = is_closing
        self._limiter = AddressLimiter(settings.address_rate, settings.address_open)

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """None where a websocket may be opened, which then counts for its address; else the answer."""
        if request.header("Upgrade").lower() != "websocket":
            return refusal(HTTPStatus.UPGRADE_REQUIRED, "This is the websocket of noughts; the page is at /.")
        if self._is_closing():
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "The server is restarting; come back in a moment.")
        if not self._origin_allowed(request):
            return refusal(HTTPStatus.FORBIDDEN, "Pages of this origin may not connect; see the setting allow_origin.")
        assert isinstance(connection, Connection)
        address = counted_address(self._address(request))
        over = self._limiter.admit(address, self._now_ms())
        if over is not None:
            self._metrics.turned_away += 1
            self._metrics.limits.met(over.limit, address)
            return refusal(HTTPStatus.TOO_MANY_REQUESTS, over.sentence)
        connection.enter(self._limiter, address)
        return None

    def _origin_allowed(self, request: Request) -> bool:
        if "Origin" not in request.headers:
            return True  # a program: it proves who it is by its token, and has no cookie to be abused
        origin, own = request.header("Origin"), request.header("Host").lower()
        # Compared as text: an origin is sent by a browser, and one that is no URL is nobody's.
        return origin.lower() in (f"http://{own}", f"https://{own}") or origin.lower() in self._settings.allowed_origins

    def _address(self, request: Request) -> str:
        if request.address not in self._settings.trusted_proxies:
            return request.address
        # The last entry is the one that our proxy added; those before it are whatever the client sent.
        return request.header("X-Forwarded-For").rpartition(",")[2].strip() or request.address
