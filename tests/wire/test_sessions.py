"""The session rules over sockets: ends by agreement and otherwise, offers, takebacks, clocks, rematches."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.live import Client, Message, Server, connection, player, players, seated_pair
from tests.support.referee import Follower

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


@pytest.mark.parametrize("plies", [0, 1])
@pytest.mark.parametrize("by_x", [True, False])
async def test_either_side_may_abort_before_two_plies(server: Server, plies: int, by_x: bool) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move(*["a1"][:plies])
        await pair.act(pair.x if by_x else pair.o, "abort")
        await pair.ended(winner=None, termination="aborted")


async def test_after_two_plies_nobody_may_abort(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move("a1", "b2")
        for client in clients:
            await pair.not_now(client, "abort")


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("by_x", [True, False])
async def test_resignation_at_any_time(server: Server, plies: int, by_x: bool) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move(*["a1", "b2"][:plies])
        await pair.act(pair.x if by_x else pair.o, "resign")
        await pair.ended(winner="o" if by_x else "x", termination="resignation")
        for action in ("resign", "abort", "offer_draw", "claim_win"):
            await pair.x.error("game_over", "act", room=pair.id, game=1, action=action)


async def test_a_stranger_acts_for_nobody(server: Server) -> None:
    async with players(server, "Xenia", "Otto", "Zoe") as (x, o, stranger):
        pair = await pair_of([x, o])
        await stranger.room("watch", room=pair.id)
        await stranger.error("not_seated", "act", room=pair.id, game=1, action="resign")
        await stranger.error("not_seated", "rematch", room=pair.id)
        await stranger.error("not_seated", "move", room=pair.id, game=1, ply=0, move="a1")


async def test_an_act_on_another_game_is_stale(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.x.error("stale", "act", room=pair.id, game=2, action="resign")


@pytest.mark.parametrize("clock", [None, {"initial_ms": 600_000, "increment_ms": 0}])
async def test_no_win_to_claim_while_the_opponent_is_here(server: Server, clock: dict[str, int] | None) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, clock=clock)
        await pair.not_now(pair.x, "claim_win")
        await pair.o.close()
        away = await pair.x.until(lambda m: m["t"] == "present" and not m["present"])
        assert (0 < away["claim_ms"] <= 60_000) if clock else "claim_ms" not in away
        assert (await pair.x.room("watch", room=pair.id)).get("absent_ms") == (60_000 if clock else None)
        await pair.not_now(pair.x, "claim_win")


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


async def test_both_offering_is_agreement(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.act(pair.x, "offer_draw")
        await pair.act(pair.o, "offer_draw")
        await pair.ended(winner=None, termination="agreement")


async def test_an_offer_lapses_with_the_opponents_next_move(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.act(pair.x, "offer_draw")
        await pair.move("a1")
        # x's own move lets it stand.
        assert (await pair.o.room("watch", room=pair.id))["offers"] == [{"by": "x", "what": "draw"}]
        await pair.move("b2")
        assert (await pair.o.room("watch", room=pair.id))["offers"] == []
        await pair.not_now(pair.o, "accept_draw")


async def test_one_draw_offer_per_side_and_ply(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.act(pair.x, "offer_draw")
        await pair.not_now(pair.x, "offer_draw")
        await pair.act(pair.o, "decline_draw")
        assert (await pair.x.event("declined"))["what"] == "draw"
        await pair.not_now(pair.x, "offer_draw")
        await pair.not_now(pair.o, "decline_draw")
        await pair.act(pair.o, "offer_draw")
        await pair.act(pair.x, "decline_draw")
        await pair.move("a1")
        await pair.act(pair.x, "offer_draw")


@pytest.mark.parametrize("what", ["draw", "takeback"])
async def test_nothing_to_answer_where_nothing_was_offered(server: Server, what: str) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move("a1")
        for client in clients:
            await pair.not_now(client, f"accept_{what}")
            await pair.not_now(client, f"decline_{what}")
        await pair.act(pair.x, f"offer_{what}")
        await pair.not_now(pair.x, f"accept_{what}")


async def test_a_bot_declines_a_draw_that_it_has_not_proven(server: Server) -> None:
    async with player(server, "Paula") as client:
        room = await client.room(
            "create", game="qubic", seat="x", opponent={"kind": "bot", "bot": "alphabeta:1"}, limit={"depth": 1}
        )
        await client.ack("act", room=room["room"], game=1, action="offer_draw")
        declined = await client.event("declined")
        assert (declined["by"], declined["what"]) == ("o", "draw")


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


async def test_the_asker_takes_two_plies_back_after_the_answer(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, clock=MINUTE)
        moved = await pair.move("a1", "b2", "c3", "a3")
        await pair.act(pair.x, "offer_takeback")
        await pair.act(pair.o, "accept_takeback")
        taken = await pair.o.event("takenback")
        assert (taken["ply"], taken["moves"], taken["to_move"]) == (2, ["a1", "b2"], "x")
        clock = moved[1]["clock"]
        assert (taken["clock"]["x_ms"], taken["clock"]["o_ms"]) == (clock["x_ms"], clock["o_ms"])
        pair.ply = 2
        [again] = await pair.move("c2")
        assert (again["ply"], again["by"]) == (2, "x")


async def test_there_must_be_a_move_to_take_back(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.not_now(pair.x, "offer_takeback")
        await pair.not_now(pair.o, "offer_takeback")
        await pair.move("a1")
        await pair.not_now(pair.o, "offer_takeback")
        await pair.act(pair.x, "offer_takeback")
        await pair.act(pair.o, "decline_takeback")
        assert (await pair.x.event("declined"))["what"] == "takeback"


async def test_a_move_answers_an_offered_takeback(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        await pair.move("a1")
        await pair.act(pair.x, "offer_takeback")
        await pair.move("b2")
        assert (await pair.x.room("watch", room=pair.id))["offers"] == []
        await pair.not_now(pair.o, "accept_takeback")


async def test_no_takebacks_in_rated_games(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, rated=True, clock=MINUTE)
        await pair.move("a1", "b2")
        for client in clients:
            await pair.not_now(client, "offer_takeback")


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


async def test_a_move_that_crossed_a_takeback_is_stale(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        moved = await pair.move("a1", "b2", "c3")
        await pair.act(pair.x, "offer_takeback")
        await pair.act(pair.o, "accept_takeback")
        taken = await pair.x.event("takenback")
        since = pair.x.mark
        await pair.x.error("stale", "move", room=pair.id, game=1, ply=2, move="c2", after=moved[2]["seq"])
        assert (await pair.x.until(lambda m: m["t"] == "room", since))["game"]["moves"] == ["a1", "b2"]
        await pair.x.ack("move", room=pair.id, game=1, ply=2, move="c2", after=taken["seq"])


async def test_a_taken_back_move_can_be_played_again_and_is_a_new_event(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients)
        [first] = await pair.move("a1")
        await pair.act(pair.x, "offer_takeback")
        await pair.act(pair.o, "accept_takeback")
        again = await pair.x.ack("move", room=pair.id, game=1, ply=0, move="a1")
        assert again["seq"] > first["seq"]


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


async def test_move_time_refills(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, clock={"move_ms": 30_000})
        for moved in await pair.move("a1", "b2", "c3"):
            assert (moved["clock"]["x_ms"], moved["clock"]["o_ms"]) == (30_000, 30_000)


async def test_the_flag_falls_by_itself(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as clients:
        pair = await pair_of(clients, clock={"move_ms": 150})
        event = await pair.ended(winner="o", termination="flag")
        assert event["clock"] == {"x_ms": 0, "o_ms": 150, "running": None}
        await pair.x.error("game_over", "move", room=pair.id, game=1, ply=0, move="a1")


async def test_a_bots_time_runs_too_but_it_keeps_it(server: Server) -> None:
    async with player(server, "Paula") as client:
        room = await client.room(
            "create",
            game="qubic",
            seat="x",
            opponent={"kind": "bot", "bot": "alphabeta:20"},
            clock={"initial_ms": 4_000, "increment_ms": 0},
        )
        await client.ack("move", room=room["room"], game=1, ply=0, move="a1.1")
        moved = await client.event("moved", by="o")
        assert 0 < moved["clock"]["o_ms"] == 4_000 - moved["think_ms"]


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


async def test_a_bot_agrees_to_a_rematch_at_once(server: Server) -> None:
    async with player(server, "Paula") as client:
        room = (await client.room("create", game="tictactoe", seat="x", opponent={"kind": "bot", "bot": "random"}))[
            "room"
        ]
        await client.ack("act", room=room, game=1, action="resign")
        since = client.mark
        await client.ack("rematch", room=room)
        started = await client.event("started", since)
        assert started["game"]["serial"] == 2
        moved = await client.event("moved", since)
        assert moved["by"] == "x"
        assert (await client.room("watch", room=room))["you"] == "o"


async def test_an_aborted_challenge_has_no_rematch(server: Server) -> None:
    """There was no game, and nobody to play it with."""
    async with player(server, "Paula") as client:
        room = (await client.room("create", game="tictactoe", seat="x"))["room"]
        await client.ack("act", room=room, game=1, action="abort")
        await client.error("not_now", "rematch", room=room)


# Several connections of one player


async def test_two_connections_of_one_player_see_and_play_the_same_game(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as (x, o), connection(server) as second:
        pair = await pair_of([x, o])
        welcome = await second.hello(token=x.token)
        assert welcome["rooms"] == [pair.id]
        # A seat holder may move without following the room, and is not told of it.
        await second.ack("move", room=pair.id, game=1, ply=0, move="a1")
        assert not [m for m in second.log if m["t"] == "event"]
        assert (await second.room("join", room=pair.id))["you"] == "x"
        assert (await second.room("watch", room=pair.id))["spectators"] == 0
        await o.ack("move", room=pair.id, game=1, ply=1, move="b2")
        both = await asyncio.gather(x.event("moved", ply=1), second.event("moved", ply=1))
        assert both[0] == both[1]
        assert "legal" in both[0]


async def test_present_until_the_last_connection_leaves(server: Server) -> None:
    async with players(server, "Xenia", "Otto") as (x, o), connection(server) as second:
        pair = await pair_of([x, o])
        await second.hello(token=o.token)
        await second.room("watch", room=pair.id)
        since = x.mark
        await o.ack("leave", room=pair.id)
        await second.ack("leave", room=pair.id)
        gone = await x.until(lambda m: m["t"] == "present", since)
        assert (gone["side"], gone["present"]) == ("o", False)
        await x.sync()
        assert sum(m["t"] == "present" for m in x.log[since:]) == 1
        assert not (await x.room("watch", room=pair.id))["seats"]["o"]["present"]
        # The seat is still theirs.
        await x.ack("move", room=pair.id, game=1, ply=0, move="a1")
        await o.ack("move", room=pair.id, game=1, ply=1, move="b2")
        await o.room("join", room=pair.id)
        back = await x.until(lambda m: m["t"] == "present" and m["present"], since)
        assert back["side"] == "o"
