"""Reviews of finished games over real sockets: told, stored, shared, broken off and gone on with."""

from __future__ import annotations

import asyncio
import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.analysis.verdict import VERSION
from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from tests.support.live.searches import metric, quick_games
from tests.support.live.server import (
    UNLIMITED,
    Client,
    Message,
    Server,
    eventually,
    open_client,
    player,
    players,
    serving,
)

LONG = "ultimate"
"""A game whose moves take some tenths of a second each to judge."""
EAGER = (*UNLIMITED, "--worker-nice", "0", "--worker-session", "false")
"""Other tests that run meanwhile would hold up reviews that step back behind them."""
LOST = ["a1", "b2", "c3", "a3", "c1", "b1", "c2"]
"""X wins: O's a3 lets c1 threaten twice."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), *EAGER, "--pace-ms", "0", workers=1) as running:
        yield running


async def finished(client: Client, game: str = "tictactoe", moves: list[str] | None = None, **fields: Any) -> int:
    """A game that the client played against itself: these moves, and then it resigned, or they ended it."""
    made = await client.room("create", game=game, opponent={"kind": "self"}, **fields)
    room, moves = made["room"], LOST if moves is None else moves
    started = (await client.room("watch", room=room))["game"]
    for ply, move in enumerate(moves):
        await client.ack("move", room=room, game=1, ply=ply, move=move)
    if (await client.room("watch", room=room))["game"]["result"] is None:
        await client.ack("act", room=room, game=1, action="resign")
    id: int = started["id"]
    return id


def long_game(seed: str, plies: int = 24) -> list[str]:
    rng = random.Random(seed)
    kind = rules(LONG)
    while True:
        position: Position = kind.initial
        moves = list[str]()
        while position.outcome is None and len(moves) < plies:
            move = rng.choice(position.legal_moves())
            position = position.play(move)
            moves.append(kind.format_move(move))
        if len(moves) == plies:
            return moves


def told(client: Client, game: int, since: int = 0) -> dict[int, Message]:
    """What the client was told of each move."""
    messages = [m for m in client.log[since:] if m["t"] == "review" and m["game"] == game]
    return {move["ply"]: move for message in messages for move in message["moves"]}


async def over(client: Client, game: int, since: int = 0) -> Message:
    """The last message of a review."""
    return await client.until(
        lambda m: m["t"] == "review" and m["game"] == game and m["done"] == m["of"], since, within_s=100
    )


async def begun(client: Client, game: int, moves: int = 1) -> Message:
    """The first message of a review that says that so many moves are judged, and not all."""
    since = client.mark
    await client.ack("review", game=game)
    message = await client.until(
        lambda m: m["t"] == "review" and m["game"] == game and m["done"] >= moves, since, within_s=100
    )
    assert message["done"] < message["of"]
    return message


async def fetch(server: Server, path: str, token: str | None = None) -> tuple[int, Any]:
    """Status and JSON of a GET."""
    headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)

    def read() -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    return await asyncio.to_thread(read)


async def test_every_move_is_judged_told_stored_and_told_again(server: Server) -> None:
    async with player(server) as client:
        game = await finished(client)
        assert await fetch(server, f"/api/games/{game}/review") == (
            200,
            {"game": game, "version": VERSION, "done": 0, "of": 7, "moves": []},
        )
        since = client.mark
        ack = await client.ack("review", game=game)
        last = await over(client, game, since)
        messages = client.log[client.place(ack) + 1 : client.place(last) + 1]
        assert all(message["t"] == "review" for message in messages)
        assert last["of"] == 7
        moves = [move for message in messages for move in message["moves"]]
        assert sorted(move["ply"] for move in moves) == list(range(7)), "each is told once"
        by_ply = told(client, game, since)
        assert (by_ply[6]["verdict"], by_ply[6]["exact"], by_ply[6]["win_in"]) == ("won", True, 1)
        assert (by_ply[3]["verdict"], by_ply[3]["value"], by_ply[3]["win_in"]) == ("lost", -1, -4)
        assert by_ply[3]["could"] == "drawn"
        assert "could_in" not in by_ply[3]
        assert by_ply[0]["verdict"] == "drawn"
        assert by_ply[0]["best"][0] == "a1", "no move is better"

        ack = await client.ack("review", game=game)
        whole = await client.until(lambda m: m["t"] == "review", client.place(ack))
        assert whole == {
            "t": "review", "game": game, "done": 7, "of": 7, "moves": [by_ply[ply] for ply in range(7)],
        }  # fmt: skip
        status, answer = await fetch(server, f"/api/games/{game}/review")
        assert (status, answer["done"], answer["moves"]) == (200, 7, whole["moves"])


@pytest.mark.parametrize("game", ["mnk:4,3,3", "gomoku", "qubic", "cube:3", "nine-board", "ultimate:count", "super"])
async def test_every_kind_of_game_can_be_reviewed(server: Server, game: str) -> None:
    rng = random.Random(game)
    kind = rules(game)
    position, moves = kind.initial, []
    for _ in range(4):
        moves.append(kind.format_move(rng.choice(position.legal_moves())))
        position = position.play(kind.parse_move(moves[-1]))
    async with player(server) as client:
        id = await finished(client, game, moves[1:], start=moves[:1])
        await client.ack("review", game=id)
        assert (await over(client, id))["of"] == 3
        for ply, judged in told(client, id).items():
            before = play_all(kind.initial, map(kind.parse_move, moves[: ply + 1]))
            for text in judged["best"]:
                before = before.play(kind.parse_move(text))  # legal, one after the other
            assert judged["best"]


async def test_the_serving_process_judges_nothing_itself(server: Server) -> None:
    async with player(server) as client:
        game = await finished(client)
        await client.ack("review", game=game)
        await over(client, game)
    loaded = [mapped.path for mapped in psutil.Process(server.process.pid).memory_maps()]
    assert any("sqlite" in path for path in loaded)
    assert not [path for path in loaded if any(name in path for name in ("numpy", "numba", "llvm"))]


async def test_a_review_that_nobody_waits_for_ends_and_goes_on_when_asked_again(server: Server) -> None:
    async with player(server) as client:
        game = await finished(client, LONG, long_game("ends"))
        await begun(client, game, 2)
        await client.ack("cancel_review", game=game)
        assert await metric(server, "noughts_reviews_running") == 0
        known = told(client, game)
        other = await open_client(server)
        await other.hello()
        first = await begun(other, game)
        assert first["done"] >= len(known)
        assert {move["ply"]: move for move in first["moves"]}.items() >= known.items()
        assert sorted(told(other, game)) == list(range(24 - first["done"], 24)), "from the last move on"
        await other.close()  # a connection that closes waits no more
        ack = await client.ack("cancel_review", game=game)
        assert set(ack) == {"t", "id"}
        assert (await fetch(server, f"/api/games/{game}/review"))[1]["done"] >= first["done"]


async def test_bots_go_before_reviews(server: Server) -> None:
    """With one worker, which does nothing but judge moves meanwhile."""
    async with players(server, "Ann", "Bob") as (ann, bob):
        game = await finished(ann, LONG, long_game("behind", 40))
        await begun(ann, game)
        await quick_games(bob, 5)
        await ann.sync()
        last = [m for m in ann.log if m["t"] == "review"][-1]
        assert last["done"] < last["of"], "nobody waited for the end of the review"


async def judged_after(client: Client, done: int) -> int:
    """How many moves are judged, as soon as these are not all."""
    message = await client.until(lambda m: m["t"] == "review" and m["done"] > done, within_s=100)
    judged: int = message["done"]
    return judged


async def test_a_killed_worker_costs_a_review_one_retry(server: Server) -> None:
    async with player(server) as client:
        game = await finished(client, LONG, long_game("worker", 16))
        done = (await begun(client, game))["done"]
        before = await metric(server, "noughts_searches_retried")
        while await metric(server, "noughts_searches_retried") == before:
            # Again only where it happened just between two moves.
            [worker] = await eventually(server.workers, "a worker")
            worker.kill()
            worker.wait(20)
            done = await judged_after(client, done)
        await over(client, game)
        assert len(told(client, game)) == 16
        assert await metric(server, "noughts_searches_failed") == 0


async def test_a_review_goes_on_after_kill_9_and_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    with serving(tmp_path, *EAGER) as server:
        client = await open_client(server)
        await client.hello()
        game = await finished(client, LONG, long_game("kill", 8))
        await begun(client, game, 2)
        server.kill()
        await client.closing()
        known = told(client, game)
        await client.close()
    with serving(tmp_path, *EAGER) as server:
        other = await open_client(server)
        await other.hello()
        status, answer = await fetch(server, f"/api/games/{game}/review")
        assert status == 200
        assert {move["ply"]: move for move in answer["moves"]}.items() >= known.items(), "what was told is stored"
        await other.ack("review", game=game)
        await over(other, game)
        assert len(told(other, game)) == 8
        assert told(other, game).items() >= known.items()

        longer = await finished(other, LONG, long_game("stop"))
        await begun(other, longer)
        assert server.stop() == 0
        assert await other.closing() == 1012
        await other.close()
        assert "Traceback" not in server.log.read_text()
