from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.terminal.fake_server import FakeServer, fake_server


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with fake_server() as fake:
        yield fake
