"""Attacks with what is dear to answer: pictures, exports, statistics, the explorer, reviews."""

from __future__ import annotations

import contextlib
import random

import msgspec

from client.lab.bench.wire import Wire, connect
from tests.attack.entry import Attack, Field, Visit

_CELLS = [f"{column}{row}" for row in range(1, 20) for column in "abcdefghijklmnopqrs"]


def _position() -> str:
    """One that nobody has asked for before; no five of a side are in a line."""
    row = random.sample(_CELLS[::3], 20)
    return ",".join(row)


def _reads(*paths: str) -> Visit:
    async def visit(field: Field, source: str | None) -> None:
        path = random.choice(paths)
        await field.get(source, path.format(moves=_position(), number=random.randrange(1, 10_000)))

    return visit


async def _export(field: Field, source: str | None) -> None:
    """All games of a player who has played some."""
    wire = await connect(field.port, host=field.host, source=source)
    with contextlib.closing(wire):
        token = (await wire.ask("hello", v=1))["token"]
        for _ in range(3):
            await _played(field, wire)
        while field.going:
            await field.get(source, "/api/players/me/games.jsonl?limit=200", f"Authorization: Bearer {token}")


async def _review(field: Field, source: str | None) -> None:
    """Every game that a page of the list shows, and one of its own."""
    _, body = await field.get(source, "/api/games?limit=200")
    shown = msgspec.json.decode(body).get("games", [])
    wire = await field.wire(source)
    with contextlib.closing(wire):
        for game in [game["id"] for game in shown if game["ended_ms"]]:
            await field.ask(wire, "review", game=game)
        while field.going:
            game = await _played(field, wire)
            if game is not None:
                await field.ask(wire, "review", game=game)


async def _played(field: Field, wire: Wire) -> int | None:
    """The record of a game against oneself that is over after a few moves."""
    made = await field.ask(wire, "create", game="tictactoe", opponent={"kind": "self"})
    if made is None:
        return None
    for ply, move in enumerate(("a1", "b1", "a2", "b2", "a3")):
        await field.ask(wire, "move", room=made["room"], game=1, ply=ply, move=move)
    await field.ask(wire, "leave", room=made["room"])
    number: int = made["game"]["id"]
    return number


ATTACKS = (
    Attack(
        "pictures",
        "asks for pictures of ever other positions",
        "have them all drawn at once",
        _reads("/api/picture.png?game=mnk:19,19,5&moves={moves}", "/api/picture.svg?game=mnk:19,19,5&moves={moves}"),
    ),
    Attack("exports", "asks for all games of a player", "have them all written at once", _export),
    Attack(
        "statistics",
        "asks for statistics, ladders and ever other players",
        "have them counted each time",
        _reads(
            "/api/stats", "/api/ladder", "/api/players/{number}", "/player/{number}", "/api/ladder?run=a/b/{number}"
        ),
        "tests/server/http/test_stats.py::test_nothing_is_counted_twice_in_a_minute",
    ),
    Attack(
        "explorer",
        "explores ever other positions",
        "have games counted each time",
        _reads("/api/explorer?game=mnk:19,19,5&moves={moves}", "/api/explorer?game=qubic"),
    ),
    Attack(
        "boards",
        "asks for the rules and bots of ever other boards",
        "fill memory with tables",
        _reads(
            *(
                f"/api/{what}?game=mnk:{w},{h},5"
                for what in ("rules", "bots")
                for w in range(5, 20)
                for h in range(5, 20)
            )
        ),
        "tests/wire/test_floods.py::test_requests_of_one_address_are_limited_and_others_are_answered",
    ),
    Attack(
        "lists",
        "asks for the longest lists of games, and for numbers of any size",
        "read beyond a page",
        _reads("/api/games?limit=200", "/api/games?before=9223372036854775807&limit=200", "/api/games/" + "9" * 4_000),
    ),
    Attack(
        "reviews",
        "has every game reviewed",
        "leave no review for others",
        _review,
        "tests/server/rooms/test_reviews.py::test_an_address_has_no_more_reviews_than_are_left",
    ),
)
