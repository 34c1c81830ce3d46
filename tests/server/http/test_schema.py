"""The published schema: made from the types, true of what is sent, and with a word on every field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.analysis.verdict import MoveVerdict
from engine.bots.roster import bot, bots
from engine.rules.registry import games, rules
from server.db.explorer import ExplorerRow
from server.http import schema
from server.http.answers.catalogue import WarmUpAnswer, bot_answer, rules_answer
from server.http.answers.explorer import explorer_answer, walk
from server.http.answers.fields import Failure
from server.http.answers.games import GamesAnswer, ShareAnswer, game_answer, review_answer
from server.http.answers.ladders import HistoryAnswer, HistoryBot, LadderAnswer
from server.http.answers.own_bots import NewTokenAnswer, OwnBotAnswer, OwnBotsAnswer
from server.http.responses import BadQuery
from server.http.route import Route, read_query
from server.http.routes import ROUTES
from server.wire import Player, RatingView, parse
from tests.support.http.record_examples import (
    GAME,
    LISTS,
    LIVE,
    MOVE,
    NO_STATS,
    RUNNING_GAME,
    STATS,
    list_page,
    player,
)
from tests.support.http.refusals import is_refused
from tests.support.rooms.wire_examples import CLIENT_LINES, SERVER_LINES

BOT_RATINGS = {("level:2", bot("level:2").version): RatingView(value=1612, deviation=80)}
CUT = '"\u2026"'
"""what the documentation leaves out of a text"""
DOCS = Path(__file__).parents[3] / "docs"
JUDGED = MoveVerdict("lost", True, -1.0, -4, True, (4, 0), "won", 3, 99)
ESTIMATED = MoveVerdict("worse", False, -0.5, None, False, (), "even", None, 99)
SCHEMA: dict[str, Any] = schema.schema()
HISTORY = HistoryAnswer(
    run="night/small/3f9a1c20b7d4",
    games=[8, 16],
    ended_ms=[1_700_000_000_000, 1_700_000_090_000],
    bots=[HistoryBot(bot="random", version=1, rating=[None, -31], low=[None, -80], high=[None, 18])],
)
CLIENT = Draft202012Validator({"$defs": SCHEMA["$defs"], **SCHEMA["client"]})
SERVER = Draft202012Validator({"$defs": SCHEMA["$defs"], **SCHEMA["server"]})
SENT = [json.loads(line) for line in SERVER_LINES.read_text().splitlines()]
ASKED = [json.loads(line) for line in CLIENT_LINES.read_text().splitlines()]


def test_the_published_schema_is_made_from_the_types() -> None:
    assert (DOCS / "protocol.schema.json").read_text() == schema.text(), "run: python -m server.http.schema"


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    names = {name for place in ("client", "server") for name in _references(SCHEMA[place])}
    assert names <= set(SCHEMA["$defs"])


def _references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"].rpartition("/")[2]} if "$ref" in value else set()
        return own.union(*map(_references, value.values()))
    return set().union(*map(_references, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("message", SENT, ids=lambda message: message.get("e", message["t"]))
def test_what_the_server_sends_is_valid(message: dict[str, Any]) -> None:
    SERVER.validate(message)
    assert not CLIENT.is_valid(message)


@pytest.mark.parametrize("message", ASKED, ids=lambda message: message["t"])
def test_what_a_client_sends_is_valid(message: dict[str, Any]) -> None:
    CLIENT.validate(message)
    CLIENT.validate(message | {"id": None})
    assert not CLIENT.is_valid(message | {"colour": "red"})
    assert not CLIENT.is_valid(message | {"id": -1})
    assert not CLIENT.is_valid(message | {"t": "nonsense"})


@pytest.mark.parametrize("message", SENT, ids=lambda message: message.get("e", message["t"]))
def test_what_the_server_never_sends_is_not_valid(message: dict[str, Any]) -> None:
    optional = {"id", "token", "code", "legal", "forced", "line", "search", "room", "ratings"}
    sometimes = {"ack": {"seq"}, "error": {"game"}}.get(message["t"], set())
    for field in set(message) - optional - sometimes:
        assert not SERVER.is_valid({name: value for name, value in message.items() if name != field}), field
        assert not SERVER.is_valid(message | {field: [{"x": 1}]}), field


@given(
    st.sampled_from(ASKED),
    st.sampled_from(["v", "game", "seat", "room", "ply", "after", "on", "ts", "text", "opponent", "clock", "start"]),
    st.sampled_from([None, "x", "", 0, -1, 2**53, 2**53 + 1, True, [], ["a1"], {}, {"kind": "open"}, {"move_ms": 1}]),
)
def test_the_schema_and_the_parser_agree(message: dict[str, Any], field: str, value: Any) -> None:
    changed = message | {field: value}
    assert CLIENT.is_valid(changed) != is_refused(json.dumps(changed).encode())


# Documentation


def test_every_type_and_field_is_described() -> None:
    missing = [name for name, definition in SCHEMA["$defs"].items() if not definition.get("description")]
    missing += [
        f"{name}.{field}"
        for name, definition in SCHEMA["$defs"].items()
        for field, kind in definition["properties"].items()
        if not _described(kind) and f"`{field}`" not in definition.get("description", "")
    ]
    assert missing == []


def _described(kind: dict[str, Any]) -> bool:
    """By a sentence, by a type of its own, by the words it may be, or because yes and no explain themselves."""
    if kind.get("type") == "array":
        return "description" in kind or _described(kind["items"])
    if "anyOf" in kind:
        return any(_described(choice) for choice in kind["anyOf"])
    return kind.get("type") == "boolean" or not {"description", "$ref", "enum", "const"}.isdisjoint(kind)


def test_the_examples_of_the_protocol_are_true() -> None:
    lines = (DOCS / "protocol.md").read_text().splitlines()
    asked = [line.strip()[2:] for line in lines if line.startswith("    > {")]
    sent = [line.strip()[2:] for line in lines if line.startswith("    < {") and "\u2026" not in line.replace(CUT, "")]
    assert asked
    assert sent
    for line in asked:
        parse(line.encode())
    for line in sent:
        SERVER.validate(json.loads(line))


# Answers of the GET endpoints

OWN_BOT = OwnBotAnswer(id="17", name="coin", since_ms=1_700_000_000_000, connected=True, games=3)
ANSWERS: list[tuple[str, object]] = [
    ("/api/bots", [bot_answer(entry) for entry in bots()]),
    ("/api/bots?game=", [bot_answer(entry, rules("qubic")) for entry in bots()]),
    ("/api/bots?game=", [bot_answer(entry, rules("qubic"), BOT_RATINGS) for entry in bots()]),
    ("/api/warm-up", WarmUpAnswer(warm=False, done=1, of=2)),
    ("/api/rules", [rules_answer(game) for game in games()]),
    ("/api/rules?game=", rules_answer(rules("ultimate"))),
    ("/api/games", GamesAnswer(games=[game_answer(GAME), game_answer(RUNNING_GAME)], next=17)),
    ("/api/games", GamesAnswer(games=[], next=None)),
    ("/api/games/{id}", game_answer(GAME, [MOVE])),
    ("/api/games/{id}", game_answer(RUNNING_GAME, [])),
    ("/api/games/{id}/review", review_answer(GAME, 2, {1: JUDGED, 0: ESTIMATED})),
    ("/api/games/{id}/review", review_answer(RUNNING_GAME, 0, {})),
    ("/api/games/{id}/share", ShareAnswer(shared=False)),
    ("/api/games/{id}/share", ShareAnswer(shared=True, made_ms=1_700_000_000_000)),
    ("POST /api/games/{id}/share", ShareAnswer(shared=True, made_ms=1_700_000_000_000, secret="s" * 22)),
    ("DELETE /api/games/{id}/share", ShareAnswer(shared=False)),
    ("/api/players/me/bots", OwnBotsAnswer(bots=[OWN_BOT], most=10)),
    ("POST /api/players/me/bots?name=", NewTokenAnswer(bot=OWN_BOT, token="t" * 43)),
    ("POST /api/players/me/bots/{id}/token", NewTokenAnswer(bot=OWN_BOT, token="t" * 43)),
    ("DELETE /api/players/me/bots/{id}/token", OWN_BOT),
    ("/api/explorer?game=&moves=", explorer_answer(walk("qubic", "a1.1"), "a1.1", [], 3)),
    (
        "/api/explorer?game=&moves=",
        explorer_answer(walk("ultimate", ""), "", [ExplorerRow(40, 1, 2, 3, 4), ExplorerRow(~0, 1, 0, 0, 4)], 0),
    ),
    ("/api/ladder", LadderAnswer(lists=[])),
    ("/api/ladder", LadderAnswer(lists=LISTS)),
    ("/api/ladder?run=", list_page()),
    ("/api/ladder?run=", list_page(rated=False)),
    ("/api/ladder/history?run=", HISTORY),
    *(("/api/ladder/live?ladder=", live) for live in LIVE),
    ("/api/players/{id}", player()),
    ("/api/players/{id}", player(bot=False)),
    ("/api/players/me", Player(id="17", name="Ann", kind="person")),
    ("/api/stats", STATS),
    ("/api/stats", NO_STATS),
    ("any of them, refused", Failure(error="There is no game 3.")),
]


def test_every_answer_has_an_example() -> None:
    assert {path for path, _ in ANSWERS} == set(SCHEMA["answers"])


@pytest.mark.parametrize(("path", "answer"), ANSWERS, ids=[path for path, _ in ANSWERS])
def test_answers_are_valid(path: str, answer: object) -> None:
    validator = Draft202012Validator({"$defs": SCHEMA["$defs"], **SCHEMA["answers"][path]})
    validator.validate(json.loads(msgspec.json.encode(answer)))
    assert not validator.is_valid("nothing")
    assert not validator.is_valid([{}])


# Parameters of the GET endpoints

ASKING = [route for route in ROUTES if msgspec.structs.fields(route.query)]


def test_every_endpoint_is_in_the_schema_with_what_it_takes_and_answers() -> None:
    assert list(SCHEMA["endpoints"]) == [route.name for route in ROUTES]
    for target, endpoint in SCHEMA["endpoints"].items():
        assert endpoint.get("answer") == SCHEMA["answers"].get(target)
        Draft202012Validator.check_schema(endpoint["parameters"])
        assert all(_described(parameter) for parameter in endpoint["parameters"]["properties"].values())


WHOLE_NUMBERS = st.integers(0, 10**20).map(str)
"""Without zeros in front, by which a text has too many digits and its number is still small."""


@given(st.sampled_from(ASKING), st.data())
def test_the_schema_and_the_reader_of_queries_agree(route: Route, data: st.DataObject) -> None:
    properties = SCHEMA["endpoints"][route.name]["parameters"]["properties"]
    texts = st.one_of(WHOLE_NUMBERS, st.text(min_size=1, max_size=5), st.sampled_from(["-1", "1.5", "1e3", "\u0661"]))
    sent = data.draw(st.dictionaries(st.sampled_from(sorted(properties)), texts))
    meant = {name: int(text) if _means_number(properties[name], text) else text for name, text in sent.items()}
    valid = Draft202012Validator(SCHEMA["endpoints"][route.name]["parameters"]).is_valid(meant)
    try:
        read_query(route.query, sent)
    except BadQuery:
        assert not valid
    else:
        assert valid


def _means_number(parameter: dict[str, Any], text: str) -> bool:
    return parameter["type"] == "integer" and text.isascii() and text.isdigit() and text == str(int(text))
