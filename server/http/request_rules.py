"""What the server refuses of a request beyond the types of its fields, as JSON Schema.

These are bounds, names, and fields that do or do not go together. The rules refuse nothing that the server takes.

A schema cannot say everything. Lengths of names count characters after Unicode's composition, and here marks that may
be composed do not count; characters that Unicode has not assigned, and those beyond its first 65,536, are not checked.
"""

from __future__ import annotations

from typing import Any

from server.rooms.lobby.create_checks import DEPTH_LIMIT, MOVE_LIMIT_MS, NODE_LIMIT
from server.rooms.players.player_names import NAME_LENGTH
from server.wire import INCREMENT_MS, INITIAL_MS, MOVE_MS, VERSION

Schema = dict[str, Any]

_SPACE = r"\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028-\u2029\u202f\u205f\u3000"
"""Characters that are trimmed from both ends of a name."""
_HIDDEN = (
    r"\u0000-\u001f\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160\u1680\u180e"
    r"\u2000-\u200b\u200e-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\u2800\u3000\u3164\ue000-\uf8ff\ufeff\uffa0"
    r"\ufff9-\ufffb"
)
"""Characters that a name may not contain: they are invisible, or change how others are shown."""
_JOINERS = r"\u200c\u200d"
_COMPOSED = (
    r"\u0300-\u036f\u0653-\u0655\u093c\u09be\u09d7\u0b3e\u0b56-\u0b57\u0bbe\u0bd7\u0c56\u0cc2\u0cd5-\u0cd6\u0d3e\u0d57"
    r"\u0dca\u0dcf\u0ddf\u102e\u1161-\u1175\u11a8-\u11c2\u1b35\u3099-\u309a"
    "\U000110ba\U00011127\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af\U00011930"
)
"""Characters that may become one with the character before them."""
_MARKS = r"\u0300-\u036f\u20d0-\u20f0\ufe00-\ufe0f"

_SEEN = f"[^{_HIDDEN}{_SPACE}{_JOINERS}]"
_NAME: Schema = {
    "allOf": [
        {"pattern": f"^[{_SPACE}]*{_SEEN}(?:[^{_HIDDEN}]*{_SEEN})?[{_SPACE}]*$"},
        {"pattern": f"^[{_SPACE}]*[{_COMPOSED}]*(?:[^{_COMPOSED}][{_COMPOSED}]*){{0,{NAME_LENGTH}}}[{_SPACE}]*$"},
        {"not": {"pattern": f"[{_JOINERS}] *[{_JOINERS}]"}},
        {"not": {"pattern": f"^[{_SPACE}{_JOINERS}{_MARKS}]*$"}},
    ],
    "type": ["string", "null"],
}

_NULL: Schema = {"type": "null"}
_GIVEN: Schema = {"not": _NULL}


def _within(bounds: range) -> Schema:
    return {"type": "integer", "minimum": bounds.start, "maximum": bounds.stop - 1}


def _one_of(kinds: Schema) -> Schema:
    """An object, or null, that has exactly one of these fields; the others are absent or null."""
    alone = (
        {"required": [name], "properties": {**dict.fromkeys(kinds, _NULL), name: kind}} for name, kind in kinds.items()
    )
    return {"anyOf": [_NULL, *alone]}


_CLOCK: Schema = {
    "allOf": [
        _one_of({"initial_ms": _within(INITIAL_MS), "move_ms": _within(MOVE_MS)}),
        {
            "properties": {"increment_ms": {"anyOf": [_NULL, _within(INCREMENT_MS)]}},
            "if": {"properties": {"move_ms": _GIVEN}, "required": ["move_ms"]},
            "then": {"properties": {"increment_ms": _NULL}},
        },
    ]
}
_LIMIT: Schema = _one_of(
    {
        "move_ms": _within(range(1, MOVE_LIMIT_MS + 1)),
        "nodes": _within(range(1, NODE_LIMIT + 1)),
        "depth": _within(range(1, DEPTH_LIMIT + 1)),
    }
)


def _goes_with(kind: str) -> Schema:
    """Only an opponent of this kind may have the field of the same name, and it must have it."""
    return {
        "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
        "then": {"properties": {kind: _GIVEN}, "required": [kind]},
        "else": {"properties": {kind: _NULL}},
    }


_SEATED = {"properties": {"bots": _GIVEN}, "required": ["bots"]}
_RULES: dict[str, Schema] = {
    "hello": {"properties": {"v": {"const": VERSION}, "name": _NAME}},
    "create": {
        "properties": {"clock": _CLOCK, "limit": _LIMIT},
        "allOf": [
            {
                "if": _SEATED,
                "then": {"properties": {"seat": {"enum": ["none", None]}, "opponent": _NULL}},
                "else": {
                    "properties": {
                        "seat": {"not": {"const": "none"}},
                        "opponent": {"anyOf": [_NULL, {"allOf": [_goes_with("bot"), _goes_with("player")]}]},
                    }
                },
            },
            {
                "if": {"properties": {"rated": {"const": True}}, "required": ["rated"]},
                "then": {
                    "required": ["clock"],
                    "properties": {
                        "clock": _GIVEN,
                        "start": {"anyOf": [_NULL, {"maxItems": 0}]},
                        # Of null, which is no object, the last two would be true.
                        "opponent": {
                            "not": {"type": "object", "properties": {"kind": {"const": "self"}}, "required": ["kind"]}
                        },
                    },
                },
            },
        ],
    },
    "join": _one_of({"room": {"type": "string"}, "code": {"type": "string"}}),
}


def request_rules() -> list[Schema]:
    """Rules for each type of request that has any: they hold for a message whose `t` is that type."""
    return [
        {"if": {"properties": {"t": {"const": type}}, "required": ["t"]}, "then": rule} for type, rule in _RULES.items()
    ]
