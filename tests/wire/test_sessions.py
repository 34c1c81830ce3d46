"""The session rules over sockets: ends by agreement and otherwise, offers, takebacks, clocks, rematches."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.support.live.referee import Follower
from tests.support.live.server import Client, Message, Server, connection, player, players, seated_pair

MINUTE = {"initial_ms": 60_000, "increment_ms": 2_000}


class Pair:
    """Two clients at one board."""

    def __init__(self, x: Client, o: Client, room: Message) -> None:
        self.x = x
        self.o = o
        self.id: str = room["room"]
        self.ply = 0

    async def move(self, *moves: str) -> list[Message]:
        """Play moves in turn; the `moved` events as x sees them."""
        events = []
        for move in moves:
            client = self.x if self.ply % 2 == 0 else self.o
            ack = await client.ack("move", room=self.id, game=1, ply=self.ply, move=move)
            events.append(await self.x.event("moved", seq=ack["seq"], room=self.id))
            await self.o.event("moved", seq=ack["seq"], room=self.id)
            self.ply += 1
        return events

    async def act(self, client: Client, action: str, game: int = 1) -> Message:
        return await client.ack("act", room=self.id, game=game, action=action)

    async def not_now(self, client: Client, action: str) -> None:
        await client.error("not_now", "act", room=self.id, game=1, action=action)

    async def ended(self, **fields: Any) -> Message:
        """Both are told of the same end, and the room says so too."""
        event = await self.x.event("ended", room=self.id)
        assert await self.o.event("ended", room=self.id) == event
        assert {name: event[name] for name in fields} == fields
        room = await self.o.room("watch", room=self.id)
        assert room["game"]["result"] == {"winner": event["winner"], "termination": event["termination"]}
        assert (room["game"]["to_move"], room["game"]["legal"]) == (None, [])
        assert room["offers"] == []
        return event


async def pair_of(clients: list[Client], game: str = "tictactoe", **fields: Any) -> Pair:
    x, o = clients
    return Pair(x, o, await seated_pair(x, o, game, **fields))


# Ends


async def test_a_game_is_aborted(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move("a1")
        await pair.act(pair.x, "abort")
        await pair.ended(winner=None, termination="aborted")


async def test_a_game_is_resigned(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move("a1", "b2")
        await pair.not_now(pair.x, "abort")
        await pair.act(pair.x, "resign")
        await pair.ended(winner="o", termination="resignation")
        for action in ("resign", "abort", "offer_draw", "claim_win"):
            await pair.x.error("game_over", "act", room=pair.id, game=1, action=action)


# Draws


async def test_a_draw_by_agreement(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move("a1")
        await pair.act(pair.x, "offer_draw")
        offered = await pair.o.event("offered")
        assert (offered["by"], offered["what"]) == ("x", "draw")
        assert (await pair.o.room("watch", room=pair.id))["offers"] == [{"by": "x", "what": "draw"}]
        await pair.act(pair.o, "accept_draw")
        await pair.ended(winner=None, termination="agreement")


async def test_a_bot_accepts_a_proven_draw(server: Server) -> None:
    """Two cells are left and neither makes a line, which two plies of search see."""
    async with player(server, "Paula") as client:
        start = ["a1", "b1", "c1", "b2", "b3", "c2", "a2"]
        other = {"kind": "bot", "bot": "alphabeta:3"}
        room = await client.room("create", game="tictactoe", seat="x", start=start, opponent=other)
        moved = await client.event("moved")
        assert moved["search"]["value"] == 0
        await client.ack("act", room=room["room"], game=1, action="offer_draw")
        ended = await client.event("ended")
        assert (ended["winner"], ended["termination"]) == (None, "agreement")


# Takebacks


async def test_the_asker_takes_one_ply_back_before_the_answer(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as (x, o):
        room = await seated_pair(x, o, "nine-board", clock=MINUTE)
        x_side, o_side = Follower(x, room), Follower(o, await o.room("watch", room=room["room"]))
        for mover, watcher, move in ((x_side, o_side, "5/5"), (o_side, x_side, "5/1"), (x_side, o_side, "1/5")):
            await mover.play(move)
            await mover.next()
            await watcher.next()
        before = [e for e in x.log if e.get("e") == "moved"][1]
        await x.ack("act", room=room["room"], game=1, action="offer_takeback")
        await o.event("offered", what="takeback", by="x")
        await o.ack("act", room=room["room"], game=1, action="accept_takeback")
        taken = await x.event("takenback")
        assert (taken["ply"], taken["moves"], taken["to_move"], taken["forced"]) == (2, ["5/5", "5/1"], "x", 1)
        assert (taken["clock"]["x_ms"], taken["clock"]["o_ms"]) == (before["clock"]["x_ms"], before["clock"]["o_ms"])
        for side in (x_side, o_side):
            assert [(await side.next())["e"] for _ in range(2)] == ["offered", "takenback"]
            await side.compare()


async def test_a_bot_accepts_a_takeback_and_stops_searching(server: Server) -> None:
    """Depth 20 of Qubic takes a worker hours: only a cancelled search leaves it free for the next one."""
    async with player(server, "Paula") as client:
        deep = {"kind": "bot", "bot": "alphabeta:20"}
        room = (await client.room("create", game="qubic", seat="x", opponent=deep))["room"]
        for turn in range(3):
            await client.ack("move", room=room, game=1, ply=0, move="a1.1")
            await client.until(lambda m: m["t"] == "thinking", client.mark)
            since = client.mark
            await client.ack("act", room=room, game=1, action="offer_takeback")
            taken = await client.event("takenback", since)
            assert (taken["ply"], taken["moves"], taken["to_move"]) == (0, [], "x"), turn
            assert len(taken["legal"]) == 64
        since = client.mark
        other = {"kind": "bot", "bot": "random"}
        await client.room("create", game="tictactoe", seat="o", opponent=other)
        await client.event("moved", since)


# Clocks


async def test_clocks_run_from_the_start_and_take_the_increment(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, clock=MINUTE)
        started = await pair.x.event("started")
        assert started["clock"] | MINUTE == started["clock"]
        assert (started["clock"]["x_ms"], started["clock"]["o_ms"], started["clock"]["running"]) == (
            60_000,
            60_000,
            "x",
        )
        first, second = await pair.move("a1", "b2")
        assert first["clock"] == {"x_ms": 62_000 - first["think_ms"], "o_ms": 60_000, "running": "o"}
        assert second["clock"]["o_ms"] == 62_000 - second["think_ms"]
        assert second["clock"]["running"] == "x"
        room = await pair.x.room("watch", room=pair.id)
        assert room["clock"]["x_ms"] <= second["clock"]["x_ms"]
        assert room["clock"] | MINUTE == room["clock"]


async def test_the_flag_falls_by_itself(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, clock={"move_ms": 150})
        event = await pair.ended(winner="o", termination="flag")
        assert event["clock"] == {"x_ms": 0, "o_ms": 150, "running": None}
        await pair.x.error("game_over", "move", room=pair.id, game=1, ply=0, move="a1")


# Rematch


async def test_a_rematch_swaps_the_sides(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, start=["b2"], clock=MINUTE)
        await pair.x.error("not_now", "rematch", room=pair.id)
        await pair.act(pair.o, "resign")
        since = pair.x.mark
        await pair.o.ack("rematch", room=pair.id)
        offered = await pair.x.event("offered", what="rematch")
        assert offered["by"] == "o"
        await pair.o.ack("rematch", room=pair.id)
        await pair.x.ack("rematch", room=pair.id)
        started = await pair.x.event("started", since)
        assert (started["game"]["serial"], started["game"]["start"], started["game"]["moves"]) == (2, ["b2"], [])
        for client, side in ((pair.x, "o"), (pair.o, "x")):
            room = await client.room("watch", room=pair.id)
            assert room["you"] == side
            assert room["seats"][side]["id"] == client.player["id"]
            assert room["clock"]["x_ms"] <= 60_000
        await pair.o.error("stale", "move", room=pair.id, game=1, ply=0, move="a1")
        # After the start of one move it is o's turn, and o is now who was x.
        await pair.x.ack("move", room=pair.id, game=2, ply=0, move="a1")


# Several connections of one player


async def test_two_connections_of_one_player_see_and_play_the_same_game(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as (x, o), connection(server) as second:
        pair = await pair_of([x, o])
        welcome = await second.hello(token=x.token)
        assert welcome["rooms"] == [pair.id]
        assert welcome["held"] == [{"room": pair.id, "game": "tictactoe", "opponent": o.player}]
        # A seat holder may move without following the room, and is not told of it.
        await second.ack("move", room=pair.id, game=1, ply=0, move="a1")
        assert not [m for m in second.log if m["t"] == "event"]
        assert (await second.room("join", room=pair.id))["you"] == "x"
        assert (await second.room("watch", room=pair.id))["spectators"] == 0
        await o.ack("move", room=pair.id, game=1, ply=1, move="b2")
        both = await asyncio.gather(x.event("moved", ply=1), second.event("moved", ply=1))
        assert both[0] == both[1]
        assert "legal" in both[0]
