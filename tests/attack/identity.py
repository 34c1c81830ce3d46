"""Attacks on names and secrets: renaming, being forgotten, and guessing of tokens, codes and links."""

from __future__ import annotations

import contextlib
import secrets

from client.lab.bench.wire import connect
from tests.attack.entry import Attack, Field, message, pour


async def _rename(field: Field, source: str | None) -> None:
    wire = await field.wire(source)
    with contextlib.closing(wire):
        await pour(field, wire, tuple(message("hello", v=1, name=f"Changing {number}") for number in range(10)))


async def _forget(field: Field, source: str | None) -> None:
    """Ever new players, each forgotten at once."""
    wire = await field.wire(source)
    with contextlib.closing(wire):
        await field.ask(wire, "forget")


async def _guess_token(field: Field, source: str | None) -> None:
    wire = await connect(field.port, host=field.host, source=source)
    with contextlib.closing(wire):
        while field.going:
            if await field.ask(wire, "hello", v=1, token=secrets.token_urlsafe(32)) is not None:
                field.achieved("a guessed token was somebody's")


async def _guess_bearer(field: Field, source: str | None) -> None:
    status, _ = await field.get(source, "/api/players/me", f"Authorization: Bearer {secrets.token_urlsafe(32)}")
    if status == 200:
        field.achieved("a guessed token was somebody's")


async def _guess_code(field: Field, source: str | None) -> None:
    wire = await field.wire(source)
    with contextlib.closing(wire):
        while field.going:
            if await field.ask(wire, "join", code=secrets.token_urlsafe(16)) is not None:
                field.achieved("a guessed code was a room's")


async def _guess_share(field: Field, source: str | None) -> None:
    number = secrets.randbelow(1_000)
    await field.get(source, f"/api/games/{number}", f"X-Share: {secrets.token_urlsafe(16)}")


ATTACKS = (
    Attack(
        "renaming",
        "changes its name without a pause",
        "reach all who share a room with it",
        _rename,
        "tests/server/rooms/test_connection.py::test_a_player_who_changes_names_all_the_time",
    ),
    Attack(
        "forgetting",
        "becomes ever new players and has each forgotten",
        "hold up all rooms",
        _forget,
        "tests/server/rooms/players/test_deletion.py::test_rooms_that_name_nobody_deleted_are_left_alone",
    ),
    Attack("token-guessing", "greets with random tokens", "be somebody", _guess_token),
    Attack("bearer-guessing", "asks who it is with random tokens", "be somebody", _guess_bearer),
    Attack("code-guessing", "joins with random codes", "come into a room", _guess_code),
    Attack("link-guessing", "asks for games with random secrets", "see a private game", _guess_share),
)
