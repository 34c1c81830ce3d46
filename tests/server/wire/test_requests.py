"""The fields of every request, and what may stand in them."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from server.wire import REQUEST_ID_MAX, REQUEST_TYPES, ClientMessage, Say, encode, parse
from tests.support.rooms.bad_frames import bad
from tests.support.rooms.wire_examples import minimal

REQUIRED = {
    "hello": {"v"},
    "create": {"game"},
    "join": set(),
    "watch": {"room"},
    "leave": {"room"},
    "move": {"room", "game", "ply", "move"},
    "act": {"room", "game", "action"},
    "rematch": {"room"},
    "say": {"room", "text"},
    "resume": {"room", "seq"},
    "lobby": {"on"},
    "review": {"game"},
    "cancel_review": {"game"},
    "forget": set(),
    "ping": {"ts"},
}
OPTIONAL: dict[str, set[str]] = {
    "hello": {"token", "name", "kind"},
    "create": {"seat", "opponent", "bots", "clock", "limit", "rated", "start", "pace"},
    "join": {"room", "code"},
    "watch": {"code"},
    "move": {"after"},
    "lobby": {"only"},
}


def test_the_fields_of_every_request_are_these() -> None:
    assert set(REQUIRED) == REQUEST_TYPES
    for request in get_args(ClientMessage):
        t = request.__struct_config__.tag
        assert set(request.__struct_fields__) == REQUIRED[t] | OPTIONAL.get(t, set()) | {"id"}


@pytest.mark.parametrize("t", sorted(REQUIRED))
def test_required_fields_are_required_and_null_is_absent(t: str) -> None:
    whole = minimal(t)
    for field in REQUIRED[t]:
        assert bad({name: value for name, value in whole.items() if name != field} | {"id": 1}).code == "malformed"
        assert bad(whole | {field: None, "id": 1}).id == 1
    nulls = dict.fromkeys({*OPTIONAL.get(t, ()), "id"} - set(whole))
    assert parse(json.dumps(whole | nulls).encode()) == parse(json.dumps(whole).encode())


@pytest.mark.parametrize("t", sorted(REQUIRED))
def test_unknown_fields_and_wrong_types_are_malformed(t: str) -> None:
    whole = minimal(t)
    refused = bad(whole | {"colour": "red", "id": 3})
    assert (refused.code, refused.id) == ("malformed", 3)
    for field in REQUIRED[t] | OPTIONAL.get(t, set()):
        wrongs: tuple[object, ...] = ([{}], 1.5)
        for wrong in wrongs:
            assert bad(whole | {field: wrong}).code == "malformed"


@pytest.mark.parametrize(
    "more",
    [
        {"opponent": {"kind": "bot", "bot": "random", "x": 1}},
        {"opponent": {}},
        {"opponent": {"kind": "dog"}},
        {"bots": {"x": "random"}},
        {"bots": {"x": "random", "o": None}},
        {"clock": {"initial_ms": "1000"}},
        {"clock": {"hours": 1}},
        {"limit": {"seconds": 1}},
        {"pace": "slow"},
        {"seat": "y"},
        {"start": [1]},
        {"start": "a1"},
        {"rated": 1},
    ],
)
def test_parts_of_create_are_closed_too(more: dict[str, Any]) -> None:
    assert bad(minimal("create") | more).code == "malformed"


@pytest.mark.parametrize(
    ("t", "more"),
    [
        ("move", {"ply": -1}),
        ("move", {"ply": 0.0}),
        ("move", {"ply": True}),
        ("move", {"ply": "0"}),
        ("move", {"game": -1}),
        ("move", {"game": REQUEST_ID_MAX + 1}),
        ("move", {"after": -1}),
        ("resume", {"seq": -1}),
        ("review", {"game": -1}),
        ("review", {"game": REQUEST_ID_MAX + 1}),
        ("review", {"game": "17"}),
        ("cancel_review", {"game": 1.5}),
        ("act", {"action": "cheat"}),
        ("hello", {"kind": "cat"}),
        ("lobby", {"on": 1}),
        ("ping", {"ts": "1"}),
        ("say", {"text": ""}),
        ("say", {"text": "x" * 301}),
    ],
)
def test_values_out_of_range_are_malformed(t: str, more: dict[str, Any]) -> None:
    assert bad(minimal(t) | more).code == "malformed"


def test_chat_is_counted_in_characters() -> None:
    text = "\U0001f600" * 300
    assert parse(encode(Say(room="r1", text=text))) == Say(room="r1", text=text)
