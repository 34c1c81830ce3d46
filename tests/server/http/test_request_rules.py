"""The schema refuses of a request what the server refuses, as far as JSON Schema can say it, and nothing else."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import example, given
from jsonschema import Draft202012Validator

from server.http.schema import schema
from server.rooms.lobby.create_checks import DEPTH_LIMIT, MOVE_LIMIT_MS, NODE_LIMIT
from server.rooms.players.player_names import NAME_LENGTH, checked_name
from server.rooms.refused import Refused
from server.wire import INCREMENT_MS, INITIAL_MS, MOVE_MS
from tests.support.http.refusals import is_refused

SCHEMA: dict[str, Any] = schema()
CLIENT = Draft202012Validator({"$defs": SCHEMA["$defs"], **SCHEMA["client"]})


def agree(message: dict[str, Any]) -> bool:
    return CLIENT.is_valid(message) != is_refused(json.dumps(message).encode())


def edges(*bounds: range) -> st.SearchStrategy[int | None]:
    """Nothing, and whole numbers about where bounds begin and end."""
    near = {edge + step for bound in bounds for edge in (bound.start, bound.stop) for step in (-1, 0)}
    return st.sampled_from([None, 0, -1, 10**30, *sorted(near)])


def fields(**kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with any of these fields."""
    return st.fixed_dictionaries({}, optional=kinds)


CLOCKS = fields(initial_ms=edges(INITIAL_MS), increment_ms=edges(INCREMENT_MS), move_ms=edges(MOVE_MS))
LIMITS = fields(
    move_ms=edges(range(1, MOVE_LIMIT_MS + 1)),
    nodes=edges(range(1, NODE_LIMIT + 1)),
    depth=edges(range(1, DEPTH_LIMIT + 1)),
)
OPPONENTS = fields(
    kind=st.sampled_from(["open", "invite", "bot", "player", "self", "nobody"]),
    bot=st.sampled_from([None, "strongest"]),
    player=st.sampled_from([None, "2"]),
)
OR_NULL = st.none()


@given(
    fields(
        seat=st.sampled_from(["x", "o", "random", "none", "z", None]),
        opponent=OR_NULL | OPPONENTS,
        bots=OR_NULL | st.just({"x": "strongest", "o": "alphabeta:2"}) | fields(x=st.just("strongest")),
        clock=OR_NULL | CLOCKS | st.just({"move_ms": 1000}),
        limit=OR_NULL | LIMITS,
        rated=st.sampled_from([None, True, False]),
        start=st.sampled_from([None, [], ["a1"]]),
    )
)
@example({"opponent": None, "rated": True, "clock": {"move_ms": 1000}})
def test_rooms_to_create(asked: dict[str, Any]) -> None:
    assert agree({"t": "create", "game": "tictactoe"} | asked)


@pytest.mark.parametrize("clock", [{}, {"clock": None}, {"clock": {"move_ms": 1000}}])
@pytest.mark.parametrize("start", [{}, {"start": None}, {"start": []}, {"start": ["a1"]}])
@pytest.mark.parametrize("kind", [None, "open", "self"])
def test_rated_rooms(clock: dict[str, Any], start: dict[str, Any], kind: str | None) -> None:
    opponent = {"opponent": {"kind": kind}} if kind is not None else {}
    asked = {"t": "create", "game": "tictactoe", "rated": True} | clock | start | opponent
    assert agree(asked)
    assert CLIENT.is_valid(asked) == (bool(clock.get("clock")) and not start.get("start") and kind != "self")
    assert CLIENT.is_valid(asked | {"rated": False})


@given(CLOCKS)
def test_clocks(clock: dict[str, Any]) -> None:
    assert agree({"t": "create", "game": "tictactoe", "clock": clock})


@given(LIMITS)
def test_limits(limit: dict[str, Any]) -> None:
    assert agree({"t": "create", "game": "tictactoe", "limit": limit})


@pytest.mark.parametrize("asked", [{}, {"room": "r1"}, {"code": "c"}, {"room": "r1", "code": "c"}, {"room": None}])
def test_rooms_to_join(asked: dict[str, Any]) -> None:
    assert agree({"t": "join"} | asked)
    assert CLIENT.is_valid({"t": "join"} | asked) == (len([given for given in asked.values() if given]) == 1)


@pytest.mark.parametrize("version", [0, 1, 2, -1, 10**30])
def test_versions(version: int) -> None:
    assert agree({"t": "hello", "v": version})


# Names

SPACES = " \t\n\u00a0\u3000"
OF_NAMES = st.sampled_from([*"aB9_\u738b\U0001f600", *SPACES, *"\u200c\u200d\u0301\ufe0f\u3164\u115f\u200b\u202e\x00"])


@given(st.text(OF_NAMES, max_size=2 * NAME_LENGTH) | st.text("a" + SPACES, max_size=NAME_LENGTH + 5))
@example("a" * NAME_LENGTH)
@example("a" * (NAME_LENGTH + 1))
@example(" " + "\u738b" * NAME_LENGTH + "\u3000")
@example("e\u0301" * NAME_LENGTH)
@example("\u1112\u1161\u11ab" * NAME_LENGTH)
@example("\u200d")
@example("\u0301\ufe0f")
@example("a\u200d \u200cb")
def test_names(name: str) -> None:
    message = {"t": "hello", "v": 1, "name": name}
    refused = is_refused(json.dumps(message).encode())
    if CLIENT.is_valid(message):
        assert not refused or len(unicodedata.normalize("NFC", name).strip()) > NAME_LENGTH
        assert not refused or any("\u0300" <= character <= "\u036f" for character in name)
    else:
        assert refused


def test_every_character_of_the_basic_plane_that_is_assigned() -> None:
    """Alone it may be a mark or the like, between letters the server and the schema agree on it."""
    [rule] = [rule["then"] for rule in SCHEMA["client"]["allOf"] if rule["if"]["properties"]["t"] == {"const": "hello"}]
    printable = re.compile(rule["properties"]["name"]["allOf"][0]["pattern"])
    characters = [chr(code) for code in range(0x10000) if unicodedata.category(chr(code)) not in ("Cn", "Cs")]
    assert [c for c in characters if bool(printable.search(f"a{c}b")) != _is_taken(f"a{c}b")] == []


def _is_taken(name: str) -> bool:
    try:
        checked_name(name)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("code", range(0x10000, sys.maxunicode + 1, 4001))
def test_nothing_is_refused_that_the_server_takes(code: int) -> None:
    message = {"t": "hello", "v": 1, "name": f"a{chr(code)}b"}
    assert CLIENT.is_valid(message) or is_refused(json.dumps(message).encode())
