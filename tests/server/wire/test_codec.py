"""Frames in and out: golden lines, what is refused and how, and a fuzzer."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.wire import (
    FORM_ERRORS,
    FRAME_BYTES,
    REQUEST_ID_MAX,
    REQUEST_TYPES,
    Author,
    BadFrame,
    ClientMessage,
    Error,
    Moved,
    Ping,
    RoomEvent,
    Said,
    Say,
    ServerReply,
    Started,
    TakenBack,
    decode_event,
    encode,
    encode_event,
    envelope,
    parse,
    with_legal,
)
from tests.support.rooms.bad_frames import bad, is_plain
from tests.support.rooms.wire_examples import (
    CLIENT_LINES,
    EVENTS,
    REPLIES,
    REQUESTS,
    SEQ,
    SERVER_LINES,
    TS,
    client_lines,
    event_line,
    minimal,
    server_lines,
)

# Golden lines


def test_every_message_has_an_example() -> None:
    assert {type(request) for request in REQUESTS} == set(get_args(ClientMessage))
    assert {type(reply) for reply in REPLIES} == set(get_args(ServerReply))
    assert {type(event) for event in EVENTS} == set(get_args(RoomEvent))


def test_messages_are_sent_as_they_always_were() -> None:
    assert server_lines() == SERVER_LINES.read_bytes().splitlines()


def test_messages_are_read_as_they_always_were() -> None:
    lines = CLIENT_LINES.read_bytes().splitlines()
    assert [parse(line) for line in lines] == REQUESTS
    assert lines == client_lines()


def test_recorded_events_are_read_as_they_always_were() -> None:
    lines = SERVER_LINES.read_bytes().splitlines()[-len(EVENTS) :]
    assert [decode_event(line) for line in lines] == EVENTS, "the place in the room is passed over"
    assert [decode_event(encode_event(event)) for event in EVENTS] == EVENTS
    assert [decode_event(encode_event(event).decode()) for event in EVENTS] == EVENTS


# Request numbers


@pytest.mark.parametrize("id", [0, 1, REQUEST_ID_MAX])
def test_sound_numbers_come_back_with_any_error(id: int) -> None:
    assert parse(encode(Ping(ts=1, id=id))).id == id
    for frame in (
        {"id": id},
        {"t": None, "id": id},
        {"t": 3, "id": id},
        {"t": "nonsense", "id": id},
        {"t": "ping", "id": id},
        {"id": id, "t": "ping", "ts": [], "x": {}},
        {"t": "say", "room": "r", "text": "\ud800", "id": id},
        {"t": "say", "room": "r", "text": "x" * FRAME_BYTES, "id": id},
    ):
        assert bad(frame).id == id
        assert bad(frame, greeted=False).id == id


@pytest.mark.parametrize("id", [-1, REQUEST_ID_MAX + 1, 10**30, 1.0, 1.5, True, "1", [1], {"id": 1}])
def test_unsound_numbers_are_malformed_and_do_not_come_back(id: Any) -> None:
    refused = bad({"t": "ping", "ts": 1, "id": id})
    assert (refused.code, refused.id) == ("malformed", None)
    assert bad({"t": "nonsense", "id": id}).id is None


@pytest.mark.parametrize(
    "frame",
    ["", " ", "null", "1", '"ping"', "[]", '[{"t":"ping","id":1}]', "{", '{"t":"ping","id":1', "{}x", "\ufeff{}"],
)
def test_what_is_no_object_has_no_number(frame: str) -> None:
    for greeted in (True, False):
        refused = bad(frame, greeted=greeted)
        assert (refused.code, refused.id) == ("malformed", None)


# Which error


def test_unknown_types() -> None:
    for t in ("", "nonsense", "Ping", "event", "welcome", "reviews", "p" * 1000):
        assert bad({"t": t}).code == "unknown_type"
    wrongs: tuple[object, ...] = (None, 1, [], {}, True)
    for wrong in wrongs:
        assert bad({"t": wrong}).code == "malformed"


@pytest.mark.parametrize("t", sorted(REQUEST_TYPES - {"hello"}))
def test_before_the_greeting_a_sound_request_is_unauthorised(t: str) -> None:
    refused = bad(minimal(t) | {"id": 5}, greeted=False)
    assert (refused.code, refused.id) == ("unauthorised", 5)
    assert bad({"t": t, "id": 5, "x": 1}, greeted=False).code == "unauthorised", "whatever else may be wrong with it"


def test_before_the_greeting_only_a_hello_is_looked_at() -> None:
    assert bad({"t": "nonsense"}, greeted=False).code == "unauthorised"
    assert bad({"t": "hello"}, greeted=False).code == "malformed"
    assert parse(b'{"t":"hello","v":1}', greeted=False) == REQUESTS[0]


def test_a_frame_of_8_kib_is_read_and_one_byte_more_is_not() -> None:
    line = encode(Say(room="r1", text="x", id=1))
    fits = line[:-1] + b" " * (FRAME_BYTES - len(line)) + b"}"
    assert isinstance(parse(fits), Say)
    refused = bad(fits[:-1] + b" }")
    assert (refused.code, refused.id) == ("too_large", 1)


@pytest.mark.parametrize(
    "frame",
    [
        b"[" * FRAME_BYTES,
        b'{"t":"ping","ts":1,"x":' + b"[" * 4000 + b"]" * 4000 + b"}",
        b'{"t":' * 1500,
        b'{"t":"ping","ts":' + b"9" * 5000 + b"}",
        b'{"t":"ping","ts":1e999}',
        b'{"t":"ping","ts":-1E-999}',
        b'{"t":"ping","ts":NaN}',
        b'{"t":"say","room":"r","text":"\xff"}',
        b'{"t":"say","room":"r","text":"\xed\xa0\x80"}',
        b'{"t":"say","room":"r","text":"\x00"}',
        b'{"t":"say","room":"r","text":"\\udc00\\ud800"}',
        b"\x00\x01\x02",
        '{"t":"ping","ts":1}'.encode("utf-16"),
    ],
)
def test_odd_frames_are_malformed(frame: bytes) -> None:
    assert bad(frame).code == "malformed"


# The fuzzer


def survives(frame: bytes) -> None:
    """Only BadFrame escapes, and what is accepted can be sent back and read again."""
    for greeted in (True, False):
        result = parsed(frame, greeted)
        if isinstance(result, BadFrame):
            assert result.code in FORM_ERRORS or (result.code == "unauthorised" and not greeted)
            assert result.id is None or 0 <= result.id <= REQUEST_ID_MAX
            assert is_plain(result.message)
            encode(Error(code=result.code, message=result.message, id=result.id))
        else:
            assert parse(encode(result)) == result


def parsed(frame: bytes, greeted: bool) -> ClientMessage | BadFrame:
    try:
        return parse(frame, greeted=greeted)
    except BadFrame as refused:
        return refused


any_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(["x", "o", "hello", 10**400, -1, 2**63, 2**64, "\ud800"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)
field_names = st.sampled_from(sorted({"t"}.union(*(request.__struct_fields__ for request in get_args(ClientMessage)))))


@given(st.binary(max_size=60))
def test_any_bytes(frame: bytes) -> None:
    survives(frame)


@given(any_json)
def test_any_json(value: Any) -> None:
    survives(json.dumps(value).encode())
    survives(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@given(t=st.sampled_from(sorted(REQUEST_TYPES)), fields=st.dictionaries(field_names, any_json, max_size=4))
@example(t="ping", fields={"ts": 10**400})
def test_any_fields_of_any_type(t: str, fields: dict[str, Any]) -> None:
    survives(json.dumps(minimal(t) | fields).encode())


@given(
    line=st.sampled_from(client_lines()),
    edits=st.lists(st.tuples(st.integers(0, 250), st.integers(0, 4), st.binary(max_size=3)), min_size=1, max_size=3),
)
def test_mutated_requests(line: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    for place, cut, new in edits:
        place %= len(line) + 1
        line = line[:place] + new + line[place + cut :]
    survives(line)


@given(opening=st.sampled_from([b"[", b'{"t":', b'{"x":[', b'{"t":"ping","ts":[']), times=st.integers(1, 2000))
def test_deep_nesting(opening: bytes, times: int) -> None:
    survives(opening * times)


DEEP = "[" * 3000, "]" * 3000


@pytest.mark.parametrize(
    ("frame", "id"),
    [
        ('{"t":"ping","id":7,"ts":%s1%s}', 7),
        ('{"t":"ping","ts":%s{"id":1}%s,"id":7}', 7),
        ('{"t":"ping","id":7,"ts":%s1%s,"x":[{"id":2}],"y":{"id":3}}', 7),
        ('{"a":"]}\\"[","ts":%s"]\\\\"%s,"i\\u0064":7,"b":"\\ud800","t":"ping"}', 7),
        ('{"t":"ping","ts":%s{"id":1}%s}', None),
        ('{"t":"ping","id":7,"ts":%s1 %.0s', None),
        ('{"t":"ping","id":7,"ts":%s"1%s}', None),
    ],
    ids=["before", "behind", "in between", "odd texts", "inside", "open", "open text"],
)
def test_a_request_that_is_nested_too_deeply_is_refused_with_its_own_number(frame: str, id: int | None) -> None:
    refused = parsed((frame % DEEP).encode(), greeted=True)
    assert isinstance(refused, BadFrame)
    assert (refused.code, refused.id) == ("malformed", id)


@given(any_json, any_json)
def test_the_number_is_found_whatever_else_is_there(before: Any, behind: Any) -> None:
    others = json.dumps({"a": before, "id": 7, "b": behind}, indent=1)[1:]
    refused = parsed(f'{{"t":"ping","ts":{"".join(DEEP)},{others}'.encode(), greeted=True)
    assert isinstance(refused, BadFrame)
    assert refused.id == 7


# Events on their way out

LEGAL = ["a1", "b2", "5/3"]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_envelope_is_the_event_with_its_place(event: RoomEvent) -> None:
    line = event_line(event)
    fields = json.loads(line)
    assert [*fields][:5] == ["t", "room", "seq", "ts", "e"]
    assert (fields.pop("t"), fields.pop("room"), fields.pop("seq"), fields.pop("ts")) == ("event", "r1", SEQ, TS)
    assert fields == json.loads(encode_event(event))
    assert decode_event(line) == event


@pytest.mark.parametrize("event", [event for event in EVENTS if isinstance(event, Started | Moved | TakenBack)])
def test_legal_moves_are_put_in_their_place(event: Started | Moved | TakenBack) -> None:
    if not isinstance(event, Started) and event.legal is not None:
        return  # the records hold none
    line = with_legal(event_line(event), json.dumps(LEGAL).encode())
    shown = decode_event(line)
    assert isinstance(shown, Started | Moved | TakenBack)
    assert (shown.game if isinstance(shown, Started) else shown).legal == LEGAL
    fields, before = json.loads(line), json.loads(event_line(event))
    fields.get("game", fields).pop("legal")
    before.get("game", before).pop("legal", None)
    assert fields == before, "nothing else has changed"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
@example('"legal":[]')
@example('","legal":[]}')
@example("\\")
@example("\u2028\x00\x7f")
def test_chat_stays_as_it_is(text: str) -> None:
    said = Said(by=Author(id="1", name=text), text=text)
    line = event_line(said)
    assert decode_event(line) == said
    assert json.loads(line)["text"] == text
    assert b"\n" not in line


@given(
    seq=st.integers(1, 2**53),
    ts=st.integers(0, 2**53),
    room=st.text("0123456789abcdef", min_size=1),
    moves=st.lists(st.from_regex(r"[a-z]{1,2}[1-9]", fullmatch=True), max_size=5),
)
def test_any_place_and_moves(seq: int, ts: int, room: str, moves: list[str]) -> None:
    taken_back = TakenBack(ply=len(moves), moves=moves, clock=None, to_move="x")
    fields = json.loads(with_legal(envelope(room, seq, ts, encode_event(taken_back)), json.dumps(moves).encode()))
    assert (fields["room"], fields["seq"], fields["ts"]) == (room, seq, ts)
    assert fields["moves"] == fields["legal"] == moves


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"clock": {"initial_ms": 1.5}}, "clock.initial_ms"),
        ({"clock": {"initial_ms": "\u0661"}}, "clock.initial_ms"),
        ({"opponent": {"kind": "cat"}}, "opponent.kind"),
        ({"start": ["a1", 7]}, "start"),
        ({"seat": "left"}, "seat"),
        ({"colour": "red"}, None),
    ],
)
def test_a_field_of_a_wrong_form_is_named(fields: dict[str, Any], field: str | None) -> None:
    with pytest.raises(BadFrame) as caught:
        parse(json.dumps({"t": "create", "game": "qubic", **fields}).encode())
    assert (caught.value.code, caught.value.field) == ("malformed", field)


def test_a_bad_frame_says_why_wherever_it_is_shown() -> None:
    with pytest.raises(BadFrame) as caught:
        parse(b"{}")
    assert str(caught.value) == caught.value.message
    assert caught.value.code == "malformed"
