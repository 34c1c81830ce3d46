"""What a server tells over HTTP, as the client reads it."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from client.sdk import NoRecord, ProtocolError, RequestRefused, ServerUnreachable, records
from client.sdk.records import Records, WarmUp
from tests.support.terminal.fake_server import fake_server

GAME = (
    b'{"id":7,"game":"tictactoe","source":"room","x":{"id":"p1","name":"Ada","kind":"person"},'
    b'"o":{"id":"p2","name":"Bob","kind":"bot"},"rated":false,"start":[],"clock":{"move_ms":5000},"started_ms":1,'
    b'"ended_ms":2,"winner":"x","termination":"line","plies":1,"later":"unknown here",'
    b'"moves":[{"ply":0,"move":"b2","by":"x","at_ms":2,"think_ms":900}]}'
)


async def test_a_game_is_read_with_the_players_token() -> None:
    async with fake_server() as server:
        server.pages["/api/games/7"] = (200, GAME)
        game = await Records(server.url, "secret").game(7)
        assert (game.id, game.winner, game.x.name) == (7, "x", "Ada")
        assert game.moves is not None
        assert game.moves[0].think_ms == 900
        assert server.tokens == ["Bearer secret"]


async def test_a_players_games() -> None:
    async with fake_server() as server:
        server.pages["/api/games?player=p1&limit=30"] = (200, b'{"games":[' + GAME + b'],"next":7}')
        assert [game.id for game in await Records(server.url, None).games_of("p1")] == [7]
        assert server.tokens == [None]


async def test_what_was_played_from_a_position() -> None:
    async with fake_server() as server:
        server.pages["/api/explorer?game=mnk%3A5%2C5%2C4&moves=a1%2Cb2"] = (
            200,
            b'{"game":"mnk:5,5,4","to_move":"x","games":3,"x_won":2,"drawn":1,"o_won":0,"set_up":[],"pending":1,"next":'
            b'[{"move":"c3","alike":["c1"],"games":3,"x_won":2,"drawn":1,"o_won":0,"last_game":7}]}',
        )
        explored = await Records(server.url, None).explored("mnk:5,5,4", ["a1", "b2"])
        assert (explored.games, explored.pending, explored.next[0].move, explored.next[0].alike) == (3, 1, "c3", ["c1"])


def explored_move(move: str, games: int = 1, more: str = "next") -> bytes:
    played = f'{{"move":"{move}","games":{games},"x_won":1,"drawn":0,"o_won":0,"last_game":7}}'
    lists = {"next": "", "set_up": ""} | {more: played}
    answer = {f'"{name}":[{of}]' for name, of in lists.items()}
    return f'{{"to_move":"o","games":1,"x_won":1,"drawn":0,"o_won":0,{",".join(answer)}}}'.encode()


@pytest.mark.parametrize("more", ["next", "set_up"])
@pytest.mark.parametrize(
    ("move", "games", "sentence"),
    [("b2", 1, "rules here forbid.*b2 is taken"), ("z9", 1, "rules here forbid"), ("a1", 0, "cannot be read")],
)
async def test_what_cannot_have_been_played_from_a_position(move: str, games: int, sentence: str, more: str) -> None:
    async with fake_server() as server:
        server.pages["/api/explorer?game=tictactoe&moves=b2"] = (200, explored_move(move, games, more))
        with pytest.raises(ProtocolError, match=sentence):
            await Records(server.url, None).explored("tictactoe", ["b2"])


async def test_what_was_played_in_a_game_of_newer_servers_is_not_checked() -> None:
    async with fake_server() as server:
        server.pages["/api/explorer?game=hex%3A5&moves="] = (200, explored_move("swap"))
        assert (await Records(server.url, None).explored("hex:5", [])).next[0].move == "swap"


async def test_a_ladder_and_a_player() -> None:
    async with fake_server() as server:
        server.pages["/api/ladder"] = (200, b'{"lists":[]}')
        server.pages["/api/players/..%2F7"] = (200, b'{"id":"7","name":"Bob","kind":"bot","since_ms":1}')
        records = Records(server.url, None)
        assert await records.ladder_lists() == []
        assert (await records.player("../7")).name == "Bob"
        with pytest.raises(NoRecord):
            await records.ladder_list("night/qubic/1f")


@pytest.mark.parametrize(
    ("cells", "reads"),
    [("[[null,null],[null,null]]", True), ("[[null,null],[null]]", False), ("[[null,null]]", False)],
)
async def test_a_crosstable_is_square(cells: str, reads: bool) -> None:
    page = (
        '{"run":"r","ladder":"l","list":"qubic","game":"qubic","games":0,"standings":[],'
        f'"crosstable":{{"bots":["p1","p2"],"cells":{cells}}}}}'
    )
    async with fake_server() as server:
        server.pages["/api/ladder?run=r"] = (200, page.encode())
        with nullcontext() if reads else pytest.raises(ProtocolError, match="cannot be read"):
            await Records(server.url, None).ladder_list("r")


async def test_the_warm_up() -> None:
    async with fake_server() as server:
        server.pages["/api/warm-up"] = (200, b'{"warm":false,"done":1,"of":4}')
        assert await Records(server.url, None).warm_up() == WarmUp(warm=False, done=1, of=4)


@pytest.mark.parametrize(
    ("status", "body", "error", "sentence"),
    [
        (404, b'{"error":"There is no game 7."}', NoRecord, "There is no game 7."),
        (503, b'{"error":"Later\x1b[2J."}', ProtocolError, "503"),
        (503, b'{"error":"Later\\u001b[2J."}', NoRecord, r"^Later\.$"),
        (503, b"The database\x1b[2J is busy.\n", RequestRefused, r"^The database is busy\.$"),
        (503, b"\xff", ProtocolError, "HTTP status 503"),
        (429, b"Too many requests: try again in 2 s.\n", RequestRefused, r"^Too many requests: try again in 2 s\.$"),
        (502, b"Bad Gateway", ProtocolError, "HTTP status 502"),
        (200, b"<html>", ProtocolError, "cannot be read"),
        (200, b"[]", ProtocolError, "cannot be read"),
        (200, b"\xff\xfe", ProtocolError, "cannot be read"),
        (500, b"", ProtocolError, "HTTP status 500"),
    ],
)
async def test_what_is_no_record(status: int, body: bytes, error: type[Exception], sentence: str) -> None:
    async with fake_server() as server:
        server.pages["/api/games/7"] = (status, body)
        with pytest.raises(error, match=sentence):
            await Records(server.url, None).game(7)


@pytest.mark.parametrize("answer", [(200, GAME), (404, b'{"error":"There is no game 7."}')])
async def test_an_answer_that_is_too_long_is_not_read_to_its_end(
    answer: tuple[int, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "LARGEST_BYTES", len(answer[1]) - 1)
    async with fake_server() as server:
        server.pages["/api/games/7"] = answer
        with pytest.raises(ProtocolError, match="cannot be read"):
            await Records(server.url, None).game(7)


async def test_no_proxy_is_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    async with fake_server() as server:
        assert (await Records(server.url, None).warm_up()).warm


async def test_a_server_that_is_gone() -> None:
    async with fake_server() as server:
        address = server.url
    with pytest.raises(ServerUnreachable, match="cannot be reached"):
        await Records(address, None).warm_up()


@pytest.mark.parametrize("status", [200, 404])
async def test_a_body_that_breaks_off(status: int) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 %d Some\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{" % status)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        with pytest.raises(ServerUnreachable, match="cannot be reached"):
            await Records(f"{host}:{port}", None).warm_up()
