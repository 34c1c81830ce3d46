"""The server put together: what keeps it from starting, and what a page's failure becomes. What it does once it runs is
tested over the wire."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from server.app import App, CannotServe
from server.config import Settings
from server.db.play import RoomRow
from server.db.store import Store
from server.play.writes import StoreUnavailable

PAGE = files("client").joinpath("web")


async def test_records_that_fail_while_rooms_are_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(store: Store) -> list[RoomRow]:
        raise StoreUnavailable("The database cannot be read: disk I/O error.")

    monkeypatch.setattr(Store, "open_rooms", fail)
    app = App(Settings(port=0, db=str(tmp_path / "noughts.db")), PAGE)
    with pytest.raises(CannotServe, match=r"^The rooms cannot be restored. The database cannot be read: disk I/O"):
        await app.start()


async def test_a_page_whose_query_was_stopped_is_told_why() -> None:
    class Slow:
        async def answer(self, request: Request) -> Response:
            raise StoreUnavailable("A query took more than 2 s and was stopped.")

    app, nobody = App(Settings(), PAGE), None
    api: Any = Slow()
    app._api = api
    response = await app._process_request(nobody, Request("/api/ladder", Headers()))  # type: ignore[arg-type]
    assert response is not None
    assert response.status_code == 503
    assert response.body == b"The database cannot be read now: A query took more than 2 s and was stopped.\n"
