"""How a frame is refused that is no request."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from server.wire import BadFrame, parse


def bad(frame: bytes | str | dict[str, Any], *, greeted: bool = True) -> BadFrame:
    """How a frame is refused."""
    if isinstance(frame, dict):
        frame = json.dumps(frame)
    with pytest.raises(BadFrame) as caught:
        parse(frame.encode() if isinstance(frame, str) else frame, greeted=greeted)
    assert is_plain(caught.value.message)
    return caught.value


def is_plain(message: str) -> bool:
    """Whether it is a sentence of bounded length, and what is not quoted in it is in our words."""
    own = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "", message)
    foreign = re.search(r"[$`]|Expected|Invalid|Object|truncated|malformed|codec|out of range", own)
    return message.endswith(".") and len(message) < 400 and foreign is None
