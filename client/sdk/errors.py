"""What the SDK raises: everything is a `NoughtsError`, whose message is a sentence for the user."""

from __future__ import annotations

from server.wire import ErrorCode, RefusedField

_TEMPORARY: frozenset[ErrorCode] = frozenset({"busy", "shutting_down", "too_fast", "unavailable"})


class NoughtsError(Exception):
    """Anything that goes wrong between a client and its server."""


class RequestRefused(NoughtsError):
    """The server refused a request, with one of the protocol's error codes."""

    def __init__(
        self, code: ErrorCode, message: str, room: str | None = None, field: RefusedField | None = None
    ) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.room = room
        self.field = field
        """What of the request was refused, with its bounds, where the server says."""

    @property
    def temporary(self) -> bool:
        """Whether the same request may well succeed in a moment."""
        return self.code in _TEMPORARY


class BadAddress(NoughtsError, ValueError):
    """Text that is not a server address."""


class ServerUnreachable(NoughtsError):
    """There is no server, or the connection to it was lost for good."""

    def __init__(self, message: str, *, in_doubt: bool = False) -> None:
        super().__init__(message)
        self.in_doubt = in_doubt
        """Whether the request may have been carried out: the connection was lost before the answer arrived."""


class ProtocolError(NoughtsError):
    """The server speaks or plays by other rules than this client: another version, or a fault."""


class MissedEvents(NoughtsError):
    """Events are missing between a room's view and the event that it was to apply."""


class NoRecord(NoughtsError):
    """The server has no such record, or does not show it to this player."""
