"""Short forms of the attacks of tests/attack, one after the other, each beside people who play on. Times are no test:
`make attack` measures them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import psutil
import pytest

from client.lab.bench.processes import get
from tests.attack.catalogue import ATTACKS
from tests.attack.entry import Field
from tests.attack.honest import Honest
from tests.attack.target import Target
from tests.support.live.server import Server, serving

SECONDS = 0.6
ATTACKERS = 4
LIVE = {name: one for name, one in ATTACKS.items() if one.visit is not None}
MEMORY_BYTES = 48 * 1024**2
"""How much all of them together may make the server grow."""


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With the limits that a server has by default."""
    with serving(tmp_path_factory.mktemp("attacked")) as server:
        yield server


async def test_people_play_on_whatever_others_try(attacked: Server) -> None:
    here = Target("127.0.0.1", attacked.port, attacked.process.pid)
    process = psutil.Process(attacked.process.pid)
    honest = await Honest.seated(here, pairs=2)
    await honest.play(SECONDS)
    before = process.memory_info().rss
    harm: dict[str, list[str]] = {}
    for number, one in enumerate(LIVE.values()):
        sources = [f"127.{20 + number}.0.{host + 1}" for host in range(ATTACKERS)]
        field = Field(here.host, here.port, sources, SECONDS)
        played, _ = await asyncio.gather(honest.play(SECONDS), one.run(field))  # raises where a move is refused
        assert played, one.name
        assert field.tried, one.name
        if field.harm:
            harm[one.name] = field.harm
    assert harm == {}
    assert honest.games > 0
    honest.close()
    assert process.memory_info().rss - before < MEMORY_BYTES
    assert (await get(attacked.port, "/readyz")).body.startswith(b"ready")
    async with asyncio.timeout(30):
        while len(os.listdir(f"/proc/{process.pid}/fd")) > 80:  # noqa: ASYNC110 - the server notices in its own time
            await asyncio.sleep(0.05)
