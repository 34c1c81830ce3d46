"""The socket over which orders come, and who may use it."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from server.admin import line as line_module
from server.admin.line import LINE_BYTES, Line, NoServer, ask, open_line, socket_path
from server.admin.orders import Answer, CloseRoom, Order


async def repeat(order: Order) -> Answer:
    if isinstance(order, CloseRoom) and order.room == "trap":
        raise ZeroDivisionError
    return Answer(said=repr(order))


@asynccontextmanager
async def taking_orders(folder: Path) -> AsyncIterator[Path]:
    database = folder / "noughts.db"
    path = socket_path(database)
    listening = open_line(path)
    assert listening is not None
    line = Line(listening, repeat)
    await line.start()
    try:
        yield database
    finally:
        line.close()


async def sent(database: Path, data: bytes) -> bytes:
    reader, writer = await asyncio.open_unix_connection(str(socket_path(database)))
    writer.write(data)
    writer.write_eof()
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_an_order_is_answered(tmp_path: Path) -> None:
    order = CloseRoom(room="a")
    async with taking_orders(tmp_path) as database:
        assert await asyncio.to_thread(ask, database, order) == Answer(said=repr(order))


async def test_a_server_that_ends_before_it_answers_may_have_carried_out_the_order(tmp_path: Path) -> None:
    listening = open_line(socket_path(tmp_path / "noughts.db"))
    assert listening is not None
    with listening:
        asking = asyncio.create_task(asyncio.to_thread(ask, tmp_path / "noughts.db", CloseRoom(room="a")))
        taken, _ = await asyncio.to_thread(listening.accept)
        taken.close()
        with pytest.raises(NoServer, match="ended before it answered: look whether it carried out the order"):
            await asking


async def test_it_is_for_the_servers_user_alone_while_the_server_runs(tmp_path: Path) -> None:
    async with taking_orders(tmp_path) as database:
        mode = socket_path(database).stat().st_mode
        assert (stat.S_ISSOCK(mode), stat.S_IMODE(mode)) == (True, 0o600)
    with pytest.raises(NoServer, match="noughts serve"):
        ask(database, CloseRoom(room="a"))


async def test_it_is_beside_the_database_by_whatever_name(tmp_path: Path) -> None:
    link = tmp_path / "links" / "night.db"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "noughts.db")
    assert socket_path(link) == socket_path(tmp_path / "noughts.db")
    async with taking_orders(tmp_path):
        assert (await asyncio.to_thread(ask, link, CloseRoom(room="a"))).done


async def test_what_a_killed_server_left_is_no_hindrance(tmp_path: Path) -> None:
    left = open_line(socket_path(tmp_path / "noughts.db"))
    assert left is not None
    left.close()
    async with taking_orders(tmp_path) as database:
        assert (await asyncio.to_thread(ask, database, CloseRoom(room="a"))).done


def test_a_path_that_is_too_long_for_a_socket_leaves_the_server_without_orders(tmp_path: Path) -> None:
    assert open_line(tmp_path / ("x" * 120)) is None


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This is not valid JSON from character 1 on: write one JSON object."),
        (b"\n", "This is not valid JSON from character 2 on: write one JSON object."),
        (b"{}\n", "order is missing: it must be one of announce, ban, "),
        (b"\xff\n", "This is not UTF-8: write JSON as UTF-8 text."),
        (b'{"order":"close"}\n', "room is missing: it must be text."),
        (b'{"order":"ban","player":"1","ms":1000000000000000}\n', "ms must be a whole number from 1 to 1000"),
        (b'{"order":"close","room":"a","now":1}\n', "There is no field 'now' in close: write only order, room."),
    ],
)
async def test_what_is_no_order_is_told_so(tmp_path: Path, data: bytes, sentence: str) -> None:
    async with taking_orders(tmp_path) as database:
        answer = msgspec.json.decode(await sent(database, data), type=Answer)
        assert not answer.done
        assert answer.said.startswith(sentence)


async def test_a_line_without_end_is_not_read(tmp_path: Path) -> None:
    async with taking_orders(tmp_path) as database:
        assert await sent(database, b"x" * (LINE_BYTES * 2)) == b""


async def test_an_order_that_never_comes_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "ORDER_S", 0)
    async with taking_orders(tmp_path) as database:
        reader, writer = await asyncio.open_unix_connection(str(socket_path(database)))
        assert await reader.read() == b""
        writer.close()


async def test_an_order_that_fails_is_answered_and_the_next_one_too(tmp_path: Path) -> None:
    async with taking_orders(tmp_path) as database:
        assert not (await asyncio.to_thread(ask, database, CloseRoom(room="trap"))).done
        assert (await asyncio.to_thread(ask, database, CloseRoom(room="a"))).done


@pytest.mark.parametrize("folder", ["", "/"])
def test_a_folder_is_no_database(folder: str) -> None:
    with pytest.raises(NoServer, match="is a folder: name a database file in it"):
        ask(Path(folder), CloseRoom(room="r"))
