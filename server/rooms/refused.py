"""A request that is refused: what the lobby, reviews and deletions raise, and connections answer."""

from __future__ import annotations

from server.wire import ErrorCode


class Refused(Exception):
    """A request that cannot be granted."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
