"""Monkeys at the keyboard: seeded nonsense and half-sense from several clients at once, and what must hold even so."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter

import pytest

from tests.support.live.monkey import Monkey, check_answers, check_rooms
from tests.support.live.server import Server, connection, player


@pytest.mark.parametrize("seed", range(3))
async def test_every_request_is_answered_and_every_room_stays_sound(server: Server, seed: int) -> None:
    rng = random.Random(seed)
    rooms: list[str] = []
    codes: list[str] = []
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(player(server)) for _ in range(3)]
        clients.append(await stack.enter_async_context(player(server, token=clients[0].token)))
        monkeys = [Monkey(client, random.Random(rng.random()), rooms, codes) for client in clients]
        for _ in range(120):
            for monkey in monkeys:
                monkey.learn()
                for _ in range(rng.randint(1, 4)):
                    await monkey.request()
            # At most some dozens are under way at a time: more wait behind a slow one than the server lets wait.
            await asyncio.gather(*(monkey.settle() for monkey in monkeys))
        for monkey in monkeys:
            await asyncio.gather(*(monkey.client.answer(number) for number in list(monkey.sent)[-60:]))
        for client in clients:
            for room in rooms:
                await client.ask("watch", room=room)
            await client.sync()
        codes_seen: Counter[str] = Counter()
        for monkey in monkeys:
            codes_seen += check_answers(monkey)
        assert sum(check_rooms(client) for client in clients) > 20
        # They got about: a fair part of the errors there are.
        assert {"not_your_turn", "stale", "not_now", "game_over", "not_seated", "bad_name"} <= codes_seen.keys()
        assert not {"unavailable", "too_fast"} & codes_seen.keys()


@pytest.mark.parametrize("seed", range(4))
async def test_damaged_frames_get_an_error_each_and_nothing_else(server: Server, seed: int) -> None:
    """Frames of the protocol with bytes changed, lost, doubled; ten errors of form and the connection is closed."""
    rng = random.Random(seed)
    frames = [
        {"t": "hello", "v": 1, "name": "Ann", "token": None},
        {"t": "create", "game": "qubic", "opponent": {"kind": "bot", "bot": "random"}, "clock": {"move_ms": 1000}},
        {"t": "move", "room": "abc", "game": 1, "ply": 0, "move": "a1", "after": 3},
        {"t": "say", "room": "abc", "text": "h\u00e9llo \U0001f600"},
        {"t": "ping", "ts": 123456789, "id": 77},
    ]
    for _ in range(40):
        async with connection(server) as client:
            await client.hello()
            for _ in range(12):
                text = damaged(json.dumps(rng.choice(frames), ensure_ascii=False).encode(), rng)
                since = client.mark
                try:
                    await client.websocket.send(text, text=True)
                    await client.until(lambda m: m["t"] not in ("event", "present", "spectators"), since)
                except Exception:
                    assert await client.closing() in (1007, 1008)
                    break
    async with player(server) as client:
        await client.sync()


def damaged(frame: bytes, rng: random.Random) -> bytes:
    changed = bytearray(frame)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(changed))
        kind = rng.randrange(4)
        if kind == 0:
            changed[place] = rng.randrange(256)
        elif kind == 1:
            del changed[place : place + rng.randint(1, 5)]
            changed = changed or bytearray(b"{")
        elif kind == 2:
            changed[place:place] = changed[place : place + 9]
        else:
            changed[place:place] = rng.choice([b"\\u0000", b"null", b'"', b"[[[[", b"-1e999", b"\xef\xbb\xbf", b"\x00"])
    return bytes(changed)
