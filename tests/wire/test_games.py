"""Every game over real sockets, to the end, with the rules as the referee of every event."""

from __future__ import annotations

import random

import pytest

from engine.rules.registry import rules
from tests.support.live.referee import Follower
from tests.support.live.server import Client, Message, Server, player, players

GAMES = (
    "tictactoe",
    "mnk:3,3,3",
    "mnk:4,4,4",
    "mnk: 05,4 ,4",
    "mnk:3,7,3",
    "mnk:10,9,5",
    "gomoku",
    "mnk:15,15,5",
    "cube:3",
    "qubic",
    "cube:4",
    "cube:5",
    "nine-board",
    "ultimate",
    "ultimate:count",
    "super",
)
CANONICAL = {"mnk:3,3,3": "tictactoe", "mnk: 05,4 ,4": "mnk:5,4,4", "mnk:15,15,5": "gomoku", "cube:4": "qubic"}
BOT_GAMES = ("tictactoe", "mnk:4,4,4", "gomoku", "cube:3", "qubic", "nine-board", "ultimate", "ultimate:count", "super")
BOTS = ("random", "alphabeta:2")


async def create(client: Client, game: str, **fields: object) -> Message:
    room = await client.room("create", game=game, **fields)
    assert room["game"]["game"] == CANONICAL.get(game, game)
    assert room["game"]["serial"] == 1
    return room


def brief(game: str) -> dict[str, int] | None:
    """Two plies of search on a big board would take seconds a move; one whole ply is always done."""
    cells = rules(game).cells
    return {"nodes": 2 * cells} if cells > 16 else None


def seed_of(*what: str) -> random.Random:
    return random.Random(" ".join(what))


@pytest.mark.parametrize("game", [pytest.param(GAMES[0], marks=pytest.mark.smoke), *GAMES[1:]])
async def test_two_clients_play_a_game_to_the_end(server: Server, game: str) -> None:
    rng = seed_of(game)
    async with players(server, "Xenia", "Otto", "Wanda") as (x, o, watcher):
        made = await create(x, game, seat="x")
        assert made["game"]["id"] is None
        x_side = Follower(x, made)
        o_side = Follower(o, await o.room("join", room=made["room"]))
        watching = Follower(watcher, await watcher.room("watch", room=made["room"]))
        assert (o_side.referee.you, watching.referee.you) == ("o", None)
        assert [(await x_side.next())["e"] for _ in range(2)] == ["seated", "started"]
        while not x_side.referee.over:
            mover = x_side if x_side.referee.to_move == "x" else o_side
            ack = await mover.play_any(rng)
            moved = await x_side.next()
            assert (moved["e"], moved["seq"]) == ("moved", ack["seq"])
            await o_side.next()
            await watching.next()
            if x_side.referee.position.outcome is not None:
                for follower in (x_side, o_side, watching):
                    assert (await follower.next())["e"] == "ended"
        for follower in (x_side, o_side, watching):
            await follower.compare()
        assert x_side.referee.result == o_side.referee.result == watching.referee.result
        await x.error("game_over", "move", room=x_side.id, game=1, ply=len(x_side.referee.moves), move="a1")


@pytest.mark.parametrize("seat", ["x", "o"])
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("game", BOT_GAMES)
async def test_a_client_plays_a_bot_to_the_end(server: Server, game: str, bot: str, seat: str) -> None:
    rng = seed_of(game, bot, seat)
    limit = brief(game) if bot != "random" else None
    async with player(server, "Paula") as client:
        made = await create(client, game, seat=seat, opponent={"kind": "bot", "bot": bot}, limit=limit)
        side = Follower(client, made)
        assert side.referee.you == seat
        bot_side = "o" if seat == "x" else "x"
        bot_seat = made["seats"][bot_side]
        assert (bot_seat["kind"], bot_seat["name"], bot_seat["present"]) == ("bot", bot, True)
        while not side.referee.over:
            if side.referee.to_move == seat:
                await side.play_any(rng)
            event = await side.next_move()
            if event["e"] == "moved" and event["by"] == bot_side and bot != "random":
                assert event["search"]["pv"][0] == event["move"]
        await side.compare()


@pytest.mark.parametrize("game", BOT_GAMES)
async def test_two_bots_play_for_a_watcher_to_the_end(server: Server, game: str) -> None:
    limit = brief(game)
    async with player(server, "Paula") as client, player(server, "Wanda") as late:
        made = await create(client, game, seat="none", bots={"x": "alphabeta:1", "o": "random"}, limit=limit)
        assert made["you"] is None
        watching = Follower(client, made)
        latecomer = Follower(late, await late.room("watch", room=made["room"]))
        await watching.to_the_end()
        await latecomer.to_the_end()
        assert latecomer.referee.moves == watching.referee.moves
        await watching.compare()


async def test_one_client_plays_both_sides(server: Server) -> None:
    rng = seed_of("self")
    async with player(server, "Solo") as client:
        side = Follower(client, await create(client, "ultimate", opponent={"kind": "self"}))
        assert side.referee.you == "both"
        while not side.referee.over:
            await side.play_any(rng)
            await side.next_move()
            if side.referee.position.outcome is not None:
                await side.next()
        await side.compare()


@pytest.mark.parametrize(("game", "start"), [("qubic", ["a1.1", "b2.2", "c3.3"]), ("super", ["5/5", "5/1"])])
async def test_a_game_goes_on_from_its_start(server: Server, game: str, start: list[str]) -> None:
    """`ply` counts the moves after the start, and the side to move follows from both."""
    rng = seed_of(game, "start")
    async with players(server, "Xenia", "Otto") as (x, o):
        made = await create(x, game, seat="x", start=start)
        o_side = Follower(o, await o.room("join", room=made["room"]))
        x_side = Follower(x, await x.room("watch", room=made["room"]))
        assert x_side.referee.start == start
        first = x_side if len(start) % 2 == 0 else o_side
        await first.play_any(rng)
        event = await o_side.next()
        assert (event["ply"], event["by"]) == (0, first.referee.you)
        await x_side.next()
        await o_side.compare()
