"""The server put together: what keeps it from starting, and what a page's failure becomes. What it does once it runs is
tested over the wire."""

from __future__ import annotations

from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request as WebsocketsRequest

from server.app import App, CannotServe
from server.config import Settings
from server.db.play import RoomRow
from server.db.store import Store
from server.http.message import Request, Response
from server.play.writes import StoreUnavailable

PAGE = files("client").joinpath("web", "dist")


async def test_records_that_fail_while_rooms_are_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(store: Store) -> list[RoomRow]:
        raise StoreUnavailable("The database cannot be read: disk I/O error.")

    monkeypatch.setattr(Store, "open_rooms", fail)
    app = App(Settings(port=0, db=str(tmp_path / "noughts.db")), PAGE)
    with pytest.raises(CannotServe, match=r"^The rooms cannot be restored. The database cannot be read: disk I/O"):
        await app.start()


async def test_what_websockets_reads_is_a_request_of_ours_and_the_answer_goes_back() -> None:
    asked: list[Request] = []

    class Api:
        async def answer(self, request: Request) -> Response:
            asked.append(request)
            return Response(HTTPStatus.NOT_FOUND, {"Vary": "Accept"}, b"No.")

    response = await answer(Api(), "/a%20b?c=d", Accept="text/html")
    assert (response.status_code, response.reason_phrase, response.body) == (404, "Not Found", b"No.")
    assert dict(response.headers) == {"vary": "Accept", "connection": "close"}
    [request] = asked
    assert (request.method, request.path, request.query, request.address) == ("GET", "/a b", {"c": "d"}, "192.0.2.1")
    assert request.header("Accept") == "text/html"


async def answer(api: Any, target: str, **headers: str) -> Any:
    """What the network gets from an app with these endpoints."""
    app: Any = App(Settings(), PAGE)
    app._api = api
    connection = SimpleNamespace(remote_address=("192.0.2.1", 4711))
    return await app._process_request(connection, WebsocketsRequest(target, Headers(headers)))
