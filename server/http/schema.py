"""The JSON Schema of everything on the wire, made from the types and the table of routes.

`python -m server.http.schema` prints it; `docs/protocol.schema.json` is that output, and a test keeps it so.
"""

from __future__ import annotations

import inspect
import json
from typing import Any, get_args

import msgspec

from server.http.answers.fields import Failure
from server.http.request_rules import request_rules
from server.http.route import Query, Route
from server.http.routes import ROUTES
from server.wire import ClientMessage, RoomEvent, RoomId, Seq, ServerReply, UnixMs

_TEMPLATE = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """A schema document: `client`, `server` and the answers of the GET endpoints refer into its `$defs`.

    `endpoints` says of every path what it takes and answers.
    """
    events = get_args(RoomEvent)
    answer_types = {route.name: route.answer for route in ROUTES if route.answer is not None}
    answer_types["any of them, refused"] = Failure
    types = (ClientMessage, ServerReply, RoomEvent, RoomId, Seq, UnixMs, *answer_types.values())
    (client, replies, _, room, seq, ts, *found), definitions = msgspec.json.schema_components(
        types, ref_template=_TEMPLATE
    )
    for definition in definitions.values():
        if "description" in definition:  # a docstring, whose indentation depends on the Python
            definition["description"] = inspect.cleandoc(definition["description"])
    for event in events:
        _put_in_envelope(definitions[event.__name__], {"room": room, "seq": seq, "ts": ts})
    server = {"anyOf": [*replies["anyOf"], *({"$ref": _TEMPLATE.format(name=event.__name__)} for event in events)]}
    answers = dict(zip(answer_types, found, strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "noughts protocol, version 1",
        "client": {**client, "allOf": request_rules()},
        "server": server,
        "answers": answers,
        "endpoints": {route.name: _endpoint(route, answers.get(route.name)) for route in ROUTES},
        "$defs": dict(sorted(definitions.items())),
    }


def _put_in_envelope(event: dict[str, Any], fields: dict[str, Any]) -> None:
    """An event goes out with its type and place: see `protocol.envelope`."""
    event["properties"] = {"t": {"enum": ["event"]}, **fields, **event["properties"]}
    event["required"] = ["t", *fields, *event["required"]]


def _endpoint(route: Route, answer: dict[str, Any] | None) -> dict[str, Any]:
    """`answer` is None where that is no JSON."""
    endpoint = {"summary": route.summary, "parameters": parameters(route.query)}
    return endpoint if answer is None else {**endpoint, "answer": answer}


def parameters(query: type[Query]) -> dict[str, Any]:
    """The schema of what an endpoint takes, as an object; as all queries do, it says nothing of others."""
    _, definitions = msgspec.json.schema_components((query,))
    definition = definitions[query.__name__]
    for name, parameter in definition["properties"].items():
        [given] = [choice for choice in parameter.get("anyOf", [parameter]) if choice != {"type": "null"}]
        definition["properties"][name] = given
    return {name: definition[name] for name in ("type", "properties", "required")}


def text() -> str:
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
