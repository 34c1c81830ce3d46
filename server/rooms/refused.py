"""A request that is refused: what the lobby, reviews and deletions raise, and connections answer."""

from __future__ import annotations

from server.wire import ErrorCode, RefusedField


class Refused(Exception):
    """A request that cannot be granted, perhaps for one of its fields; `wait_s` is how long it is `too_fast`."""

    def __init__(
        self, code: ErrorCode, message: str, field: RefusedField | str | None = None, *, wait_s: int = 1
    ) -> None:
        super().__init__(message)
        self.field = RefusedField(name=field) if isinstance(field, str) else field
        self.code: ErrorCode = code
        self.message = message
        self.wait_s = wait_s
