"""What is said of JSON that does not have the form of a type."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from server.wire.explain import Explanation, explain


class Inner(Struct, forbid_unknown_fields=True):
    pairs: Annotated[int, Meta(ge=1, le=9)]
    share: Annotated[float, Meta(ge=0)] | None = None


class Play(Struct, forbid_unknown_fields=True, tag_field="t", tag="play"):
    action: Literal["go", "stop"]
    name: Annotated[str, Meta(description="of a player")]
    pace: Literal["slow"] | None = None
    again: bool | None = None
    inner: Inner | None = None
    inners: list[Inner] = []
    cells: list[Annotated[str, Meta(max_length=2)]] | None = None


class Rest(Struct, forbid_unknown_fields=True, tag_field="t", tag="rest"):
    ms: Annotated[int, Meta(le=1000)] = 0


class Loose(Struct):
    """Fields that it does not know are passed over."""

    move: str | None = None


Form: TypeAlias = Play | Rest
PLAY = '{"t":"play","action":"go","name":"a"%s}'
ODD = "Brackets are nested too deeply, or a character is half of a surrogate pair."
TWICE = " appears twice in one object: write each field once."


@pytest.mark.parametrize(
    ("text", "sentence", "field"),
    [
        ("hello", "This is not valid JSON from character 1 on: write one JSON object.", None),
        ('{"t":', "This is not valid JSON from character 6 on: write one JSON object.", None),
        ("[1, 2]", "This must be an object, not a list of 2.", None),
        ("{}", "t is missing: it must be one of play, rest.", None),
        ('{"t":null}', "t must be one of play, rest, not null.", None),
        ('{"t":["play"]}', "t must be one of play, rest, not a list of 1.", None),
        ('{"t":"dance"}', "t must be one of play, rest, not 'dance'.", None),
        ('{"t":"play","name":"a"}', "action is missing: it must be one of go, stop.", None),
        ('{"t":"play","action":"go","name":5}', "name must be text, not 5.", "name"),
        ('{"t":"play","action":"run","name":"a"}', "action must be one of go, stop, not 'run'.", "action"),
        (PLAY % ',"pace":"fast"', "pace must be slow, not 'fast'.", "pace"),
        (PLAY % ',"again":1', "again must be true or false, not 1.", "again"),
        (PLAY % ',"inner":true', "inner must be an object, not true.", "inner"),
        (PLAY % ',"inner":{}', "inner.pairs is missing: it must be a whole number from 1 to 9.", "inner"),
        (PLAY % ',"inner":{"pairs":0}', "inner.pairs must be a whole number from 1 to 9, not 0.", "inner.pairs"),
        (PLAY % ',"inner":{"pairs":1.0}', "inner.pairs must be a whole number from 1 to 9, not 1.0.", "inner.pairs"),
        (PLAY % ',"inner":{"pairs":true}', "inner.pairs must be a whole number from 1 to 9, not true.", "inner.pairs"),
        (PLAY % ',"inner":{"pairs":1,"share":-1}',
         "inner.share must be a number of at least 0, not -1.", "inner.share"),
        (PLAY % ',"inner":{"pairs":1,"share":1e999}',
         "inner.share must be a number of at least 0, not a number with too many digits.", "inner.share"),
        (PLAY % ',"inner":{"pairs":1,"most":2}',
         "There is no field 'most' in inner: write only pairs, share.", "inner"),
        (PLAY % ',"inners":[{"pairs":1},{"pairs":[]}]',
         "inners[1].pairs must be a whole number from 1 to 9, not a list of 0.", "inners"),
        (PLAY % ',"cells":{"a":1}', "cells must be a list, not an object.", "cells"),
        (PLAY % ',"cells":["a1","a10"]', "cells[1] must be text of at most 2 characters, not 'a10'.", "cells"),
        ('{"t":"rest","ms":1001}', "ms must be a whole number of at most 1000, not 1001.", "ms"),
        ('{"t":"rest","ms":%s}' % ("9" * 5000),
         "ms must be a whole number of at most 1000, not a number with too many digits.", "ms"),
        ('{"t":"rest","ms":"%s"}' % ("x" * 5000),
         "ms must be a whole number of at most 1000, not 'xxxxxxxxxxxxxxxxxxxxx...' of 5000 characters.", "ms"),
        ('{"t":"rest","ms":"a\\u0000"}', r"ms must be a whole number of at most 1000, not 'a\x00'.", "ms"),
        ('{"t":"rest","%s":1}' % ("x" * 5000),
         "There is no field 'xxxxxxxxxxxxxxxxxxxxx...' in rest: write only ms, t.", None),
        ('{"t":"rest","x` - at `$.ms":1}', "There is no field 'x` - at `$.ms' in rest: write only ms, t.", None),
        ('{"t":"rest","ms":"1","ms":1}', f"'ms'{TWICE}", None),
        ('{"t":"rest","ms":NaN}', "JSON has no NaN: write a number or leave the field out.", None),
        ('{"t":"rest","ms":%s' % ("[" * 5000), ODD, None),
        (PLAY.replace('"a"', r'"\ud800"') % "", ODD, None),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(text: str, sentence: str, field: str | None) -> None:
    with pytest.raises((msgspec.MsgspecError, RecursionError)):
        msgspec.json.decode(text, type=Form)
    assert explain(text, Form) == explain(text.encode(), Form) == Explanation(sentence, field)


def test_bytes_that_are_no_text() -> None:
    assert explain(b'{"t":"\xff"}', Form).sentence == "This is not UTF-8: write JSON as UTF-8 text."


def test_what_is_passed_over_is_not_said_to_be_wrong() -> None:
    assert explain('{"mood":3,"move":1}', Loose) == Explanation("move must be text, not 1.", "move")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 1100) | st.floats(allow_nan=False) | st.text("ago$`", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["pairs", "share"]), inner, max_size=3),
    max_leaves=4,
)
names = st.sampled_from(["t", "action", "name", "pace", "again", "inner", "inners", "cells", "ms", "other"])


@given(t=st.sampled_from(["play", "rest", "x"]), fields=st.dictionaries(names, json_values, max_size=4))
@example(t="rest", fields={"ms": 10**400})
@example(t="play", fields={"inner": {"pairs": 1, "share": 10**400}})
def test_whatever_is_refused_is_explained(t: str, fields: dict[str, Any]) -> None:
    """What is refused and what is found wrong are told apart by two programs, which agree."""
    text = json.dumps({"t": t, "action": "go", "name": "a"} | fields if t == "play" else {"t": t} | fields)
    try:
        msgspec.json.decode(text, type=Form)
    except msgspec.MsgspecError:
        assert explain(text, Form).sentence != ODD
    else:
        assert explain(text, Form).sentence == ODD, "nothing is found wrong with what is right"
