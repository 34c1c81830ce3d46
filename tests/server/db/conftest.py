from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.db.store import Store
from tests.support.database.database_files import GAME, ROOM, new_database, opened, people_and_rooms, start_game


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path)


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    """With people, rooms and one running game in the first room."""
    async with opened(path) as store:
        await store.write([*people_and_rooms(), start_game(GAME, room_number=ROOM, serial=1, source="room")])
        yield store
