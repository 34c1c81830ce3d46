"""Types and bounds of messages, as they are published: docs/protocol.schema.json and docs/protocol.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from server.wire import (
    BOARDS_SHOWN,
    CHAT_LINES,
    EVENTS_KEPT,
    FORM_ERRORS,
    FRAME_BYTES,
    FRAME_BYTES_FATAL,
    LEGAL_CELLS,
    LIST_LENGTH,
    REQUEST_ID_MAX,
    VERSION,
    ClientMessage,
    RoomEvent,
    ServerReply,
)
from server.wire.review_view import LINE_LENGTH

DOCS = Path(__file__).parents[3] / "docs"
PUBLISHED: dict[str, Any] = json.loads((DOCS / "protocol.schema.json").read_text())
ENVELOPE = {"t", "room", "seq", "ts"}
TYPES = [*get_args(ClientMessage), *get_args(ServerReply), *get_args(RoomEvent)]
_, DEFINITIONS = msgspec.json.schema_components(TYPES, ref_template="#/$defs/{name}")


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_messages_and_their_parts_are_those_of_the_published_schema(name: str) -> None:
    published = PUBLISHED["$defs"][name]
    if name in {event.__name__ for event in get_args(RoomEvent)}:
        fields = {field: kind for field, kind in published["properties"].items() if field not in ENVELOPE}
        required = [field for field in published["required"] if field not in ENVELOPE]
        published = published | {"properties": fields, "required": required}
    assert DEFINITIONS[name] == published


def test_bounds_are_those_of_the_documentation() -> None:
    text = " ".join((DOCS / "protocol.md").read_text().split())
    for sentence in (
        f"0 to 2^{REQUEST_ID_MAX.bit_length() - 1}, in any request",
        f"a frame over {FRAME_BYTES // 1024} KiB is `too_large`; one over {FRAME_BYTES_FATAL // 1024} KiB closes",
        f"on flat ones of up to {LEGAL_CELLS} cells",
        f"if more than {EVENTS_KEPT}, or",
        f"Lists are cut at {LIST_LENGTH}, the newest first",
        f"The first {BOARDS_SHOWN} of `rooms` come with their boards",
        f"at most {LINE_LENGTH} moves of it",
    ):
        assert sentence in text
    assert REQUEST_ID_MAX.bit_count() == 1
    assert FRAME_BYTES % 1024 == FRAME_BYTES_FATAL % 1024 == 0
    assert (VERSION, CHAT_LINES) == (1, 100)
    assert {"malformed", "unknown_type", "too_large"} == FORM_ERRORS
