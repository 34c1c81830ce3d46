"""What the SDK raises."""

from __future__ import annotations

from server.wire import ErrorCode


class Refused(Exception):
    """The server's error: its code and its sentence."""

    def __init__(self, code: ErrorCode, message: str, room: str | None = None) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.room = room


class BadAddress(ValueError):
    """Text that is not a server address."""


class Unreachable(Exception):
    """There is no server, or none any more; the message is one sentence for the user."""

    def __init__(self, message: str, *, in_doubt: bool = False) -> None:
        super().__init__(message)
        self.in_doubt = in_doubt
        """Whether what was asked for may have been done: the connection was lost before the answer came."""
