"""What somebody who means harm sends again and again."""

from __future__ import annotations

from client.lab.bench.wire import text_frame

_AT_ONCE = 64 * 1024
_REQUEST = b"GET /api/rules?game=mnk:%d,%d,5 HTTP/1.1\r\nHost: a\r\n\r\n"
_MESSAGE = text_frame(b'{"t":"ping","ts":1}')
_PING = b"\x89\x80\0\0\0\0"
_LONG_PING = b"\x89\xfd\0\0\0\0" + bytes(125)
FLOODS = {
    "messages": _MESSAGE * (_AT_ONCE // len(_MESSAGE)),
    "pings": _PING * (_AT_ONCE // len(_PING)),
    "unread": _LONG_PING * (_AT_ONCE // len(_LONG_PING)),
    "requests": b"".join(_REQUEST % (number % 15 + 5, number // 15 % 15 + 5) for number in range(1_000)),
}
"""The answers of `unread` are not read."""
