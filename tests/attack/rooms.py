"""Attacks on rooms: spectators, chat, seeks, challenges, and rooms made to take up place."""

from __future__ import annotations

import contextlib
from contextlib import AsyncExitStack
from itertools import cycle

from client.lab.bench.wire import Wire
from tests.attack.entry import Attack, Field, message, pour

_SPECTATORS = 1_000
_LISTED = 50


async def _public_rooms(field: Field, wire: Wire) -> list[str]:
    shown = await field.ask(wire, "lobby", on=False)
    return [room["room"] for room in shown["rooms"]] if shown is not None else []


async def _spectate(field: Field, source: str | None) -> None:
    """A thousand in all, who watch the first game there is, and stay."""
    async with AsyncExitStack() as stack:
        held = []
        for _ in range(_SPECTATORS // len(field.attackers)):
            wire = await field.wire(source, token=None)
            stack.callback(wire.close)
            held.append(wire)
            for room in (await _public_rooms(field, wire))[:1]:
                await field.ask(wire, "watch", room=room)
        while field.going:
            for wire in held:
                await field.ask(wire, "ping", ts=0)


async def _chat(field: Field, source: str | None) -> None:
    wire = await field.wire(source)
    with contextlib.closing(wire):
        rooms = await _public_rooms(field, wire)
        for room in rooms:
            await field.ask(wire, "watch", room=room)
        await pour(field, wire, tuple(message("say", room=room, text="\U0001f4a3" * 300) for room in rooms or ["none"]))


async def _seek(field: Field, source: str | None) -> None:
    wire = await field.wire(source)
    with contextlib.closing(wire):
        await pour(field, wire, (message("create", game="mnk:19,19,5"),))


async def _challenge(field: Field, source: str | None) -> None:
    """Everybody who is listed as playing."""
    wire = await field.wire(source)
    with contextlib.closing(wire):
        shown = await field.ask(wire, "lobby", on=False)
        if shown is not None and len(shown["seeks"]) > _LISTED:
            field.achieved(f"the lobby shows more than {_LISTED} seeks")
        people = [
            seat["id"] for room in (shown or {}).get("rooms", ()) for seat in (room["x"], room["o"]) if seat is not None
        ]
        challenges = [
            message("create", game="tictactoe", opponent={"kind": "player", "player": person}) for person in people
        ]
        await pour(field, wire, tuple(challenges or [message("ping", ts=0)]))


async def _squat(field: Field, source: str | None) -> None:
    """Rooms that stay awake, since their maker is in them."""
    wire = await field.wire(source)
    with contextlib.closing(wire):
        kinds = cycle(({"kind": "self"}, {"kind": "invite"}))
        frames = tuple(message("create", game="tictactoe", opponent=next(kinds)) for _ in range(2))
        await pour(field, wire, frames)


async def _deep_start(field: Field, source: str | None) -> None:
    """Rooms that begin with as many moves as a message holds."""
    wire = await field.wire(source)
    with contextlib.closing(wire):
        cells = [f"{column}{row}" for row in range(1, 20) for column in "abcdefghijklmnopqrs"]
        start = [*cells[::2], *cells[1::2]][:300]
        await pour(field, wire, (message("create", game="mnk:19,19,5", opponent={"kind": "self"}, start=start),))


ATTACKS = (
    Attack("spectators", "a thousand watch one game", "slow its moves down, or be more than may connect", _spectate),
    Attack(
        "chat",
        "says long lines in every public room",
        "drown what players say",
        _chat,
        "tests/server/rooms/test_chat_limits.py::test_spectators_of_one_room_share_a_limit_that_players_do_not_feel",
    ),
    Attack("seeks", "opens games for anybody", "fill the lobby", _seek),
    Attack("challenges", "challenges everybody who plays", "reach them without end", _challenge),
    Attack(
        "squatting",
        "makes rooms and stays in them",
        "leave no place for others",
        _squat,
        "tests/server/rooms/room/test_sleepers.py::test_an_address_has_no_more_rooms_awake_than_are_left",
    ),
    Attack("long-starts", "makes rooms that begin with hundreds of moves", "take time", _deep_start),
)
