"""The JSON Schema of everything on the wire, made from the types. Pure.

`python -m server.http.schema` prints it; `docs/protocol.schema.json` is that output, and a test keeps it so.
"""

from __future__ import annotations

import inspect
import json
from typing import Any, get_args

import msgspec

from server.http.answers.fields import Failure
from server.http.routes import ROUTES
from server.wire import ClientMessage, RoomEvent, RoomId, Seq, ServerReply, UnixMs

_TEMPLATE = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """A schema document: `client`, `server` and the answers of the GET endpoints refer into its `$defs`."""
    events = get_args(RoomEvent)
    answers = {route.target: route.answer for route in ROUTES if route.answer is not None}
    answers["any of them, refused"] = Failure
    types = (ClientMessage, ServerReply, RoomEvent, RoomId, Seq, UnixMs, *answers.values())
    (client, replies, _, room, seq, ts, *found), definitions = msgspec.json.schema_components(
        types, ref_template=_TEMPLATE
    )
    for definition in definitions.values():
        if "description" in definition:  # a docstring, whose indentation depends on the Python
            definition["description"] = inspect.cleandoc(definition["description"])
    for event in events:
        _put_in_envelope(definitions[event.__name__], {"room": room, "seq": seq, "ts": ts})
    server = {"anyOf": [*replies["anyOf"], *({"$ref": _TEMPLATE.format(name=event.__name__)} for event in events)]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "noughts protocol, version 1",
        "client": client,
        "server": server,
        "answers": dict(zip(answers, found, strict=True)),
        "$defs": dict(sorted(definitions.items())),
    }


def _put_in_envelope(event: dict[str, Any], fields: dict[str, Any]) -> None:
    """An event goes out with its type and place: see `protocol.envelope`."""
    event["properties"] = {"t": {"enum": ["event"]}, **fields, **event["properties"]}
    event["required"] = ["t", *fields, *event["required"]]


def text() -> str:
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
