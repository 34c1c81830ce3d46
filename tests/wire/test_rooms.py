"""Who sees which room: seeks, challenges, invites, bots, watchers, the lobby; chat; and catching up by `resume`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.live import Client, Message, Server, connection, player, players, seated_pair
from tests.support.live_http import http_get
from tests.support.referee import Follower

SELF = {"kind": "self"}
INVITE = {"kind": "invite"}
BOTS = {"x": "random", "o": "random"}


async def listed(client: Client, found: Any) -> Message:
    """The first `lobby` in which something is found."""
    return await client.until(lambda message: message["t"] == "lobby" and bool(found(message)))


def rooms_in(message: Message, name: str) -> list[str]:
    return [entry["room"] for entry in message[name]]


# Ways to sit


async def test_an_open_seek_shows_in_the_lobby_until_it_is_taken(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, watcher):
        empty = await watcher.get("lobby", "lobby", on=True)
        assert empty["challenges"] == []
        assert empty["players"] >= 3
        clock = {"initial_ms": 60_000, "increment_ms": 0}
        made = await a.room("create", game="mnk:3,3,3", seat="o", clock=clock)
        room = made["room"]
        assert (made["you"], made["seats"]["x"], made["game"]["started"]) == ("o", None, False)
        assert (made["game"]["legal"], made["game"]["to_move"]) == ([], None)
        assert made["clock"] == {"x_ms": 60_000, "o_ms": 60_000, "running": None, **clock}
        assert "code" not in made
        shown = await listed(watcher, lambda m: room in rooms_in(m, "seeks"))
        [seek] = [seek for seek in shown["seeks"] if seek["room"] == room]
        assert seek == {
            "room": room,
            "game": "tictactoe",
            "clock": clock,
            "rated": False,
            "by": a.player,
            "seat": "o",
        }
        joined = await b.room("join", room=room)
        assert (joined["you"], joined["game"]["started"], joined["game"]["to_move"]) == ("x", True, "x")
        assert isinstance(joined["game"]["id"], int)
        since = watcher.mark
        running = await watcher.until(lambda m: m["t"] == "lobby" and room in rooms_in(m, "rooms"), since - 1)
        assert room not in rooms_in(running, "seeks")
        [entry] = [entry for entry in running["rooms"] if entry["room"] == room]
        assert (entry["x"], entry["o"], entry["game"]) == (b.player, a.player, "tictactoe")


async def test_who_joins_gets_the_room_as_it_is_after_the_start_and_then_its_events(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        room = (await a.room("create", game="tictactoe", seat="x"))["room"]
        joined = await b.room("join", room=room)
        for e in ("seated", "started"):
            assert (await a.event(e, room=room))["seq"] <= joined["seq"]
        assert (await a.event("seated", side="o"))["seat"]["id"] == b.player["id"]
        started = await a.event("started")
        assert started["game"]["legal"] == joined["game"]["legal"]
        await c.error("seat_taken", "join", room=room)
        assert (await b.room("join", room=room))["seq"] == joined["seq"]
        # What the join already told is not told once more.
        await b.sync()
        assert not [m for m in b.log if m["t"] == "event"]


@pytest.mark.parametrize("seat", ["x", "o", "random", None])
@pytest.mark.parametrize("opponent", [None, {"kind": "open"}, INVITE, {"kind": "bot", "bot": "random"}])
async def test_seats_as_asked_for(server: Server, seat: str | None, opponent: Message | None) -> None:
    async with player(server, "Anna") as a:
        made = await a.room("create", game="tictactoe", seat=seat, opponent=opponent)
        assert made["you"] in ((seat,) if seat in ("x", "o") else ("x", "o"))
        assert made["seats"][made["you"]]["id"] == a.player["id"]
        assert made["seats"][made["you"]]["present"]


async def test_random_seats_are_both(server: Server) -> None:
    async with player(server, "Anna") as a:
        bot = {"kind": "bot", "bot": "random"}
        seats = {(await a.room("create", game="tictactoe", seat="random", opponent=bot))["you"] for _ in range(40)}
        assert seats == {"x", "o"}


async def test_a_room_of_one_who_plays_both_sides(server: Server) -> None:
    async with players(server, "Solo", "Zoe") as (solo, stranger):
        made = await solo.room("create", game="tictactoe", opponent=SELF)
        assert made["you"] == "both"
        assert made["seats"]["x"]["id"] == made["seats"]["o"]["id"] == solo.player["id"]
        room = made["room"]
        for ply, move in enumerate(("a1", "b2", "c3")):
            await solo.ack("move", room=room, game=1, ply=ply, move=move)
            assert "legal" in await solo.event("moved", ply=ply)
        await solo.ack("act", room=room, game=1, action="offer_takeback")
        assert (await solo.event("takenback"))["moves"] == ["a1", "b2"]
        await stranger.error("seat_taken", "join", room=room)
        await solo.ack("act", room=room, game=1, action="resign")
        assert (await solo.event("ended"))["winner"] == "o"
        since = solo.mark
        await solo.ack("rematch", room=room)
        assert (await solo.event("started", since))["game"]["serial"] == 2


async def test_the_creator_of_a_room_of_bots_watches_and_holds_no_seat(server: Server) -> None:
    async with player(server, "Anna") as a:
        made = await a.room("create", game="tictactoe", seat="none", bots=BOTS)
        room = made["room"]
        assert made["you"] is None
        await a.event("ended", room=room)
        await a.error("not_seated", "move", room=room, game=1, ply=0, move="a1")
        await a.error("not_seated", "act", room=room, game=1, action="resign")
        assert (await a.room("watch", room=room))["spectators"] == 1
        async with connection(server) as again:
            assert (await again.hello(token=a.token))["rooms"] == []


async def test_a_challenge_is_shown_to_the_challenged_only(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        for client in (a, b, c):
            await client.get("lobby", "lobby", on=True)
        await a.error("malformed", "create", game="qubic", opponent={"kind": "player", "player": a.player["id"]})
        challenge = {"kind": "player", "player": b.player["id"]}
        room = (await a.room("create", game="qubic", seat="x", opponent=challenge))["room"]
        shown = await listed(b, lambda m: room in rooms_in(m, "challenges"))
        assert room not in rooms_in(shown, "seeks")
        for client in (a, c):
            now = await client.get("lobby", "lobby", on=True)
            assert room not in rooms_in(now, "challenges") + rooms_in(now, "seeks") + rooms_in(now, "rooms")
        assert (await c.ask("join", room=room))["t"] == "error"
        assert (await b.room("join", room=room))["you"] == "o"
        await b.until(lambda m: m["t"] == "lobby" and room not in rooms_in(m, "challenges"), b.place(shown))


async def test_an_invite_room_is_there_for_its_seats_and_who_has_the_code(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        await c.get("lobby", "lobby", on=True)
        made = await a.room("create", game="tictactoe", seat="x", opponent=INVITE)
        room, code = made["room"], made["code"]
        assert len(code) >= 22
        for t, fields in HIDDEN_FROM_STRANGERS:
            error = await c.error("not_found", t, room=room, **fields)
            unknown = await c.error("not_found", t, room="0123456789", **fields)
            assert {**error, "id": 0, "room": None} == {**unknown, "id": 0, "room": None}
        await c.error("not_found", "watch", room=room, code="wrong")
        await c.error("not_found", "watch", room="0123456789", code=code)
        await c.error("not_found", "join", room=room)
        watched = await c.room("watch", room=room, code=code)
        assert (watched["you"], "code" in watched) == (None, False)
        joined = await b.room("join", code=code)
        assert (joined["room"], joined["you"], joined["code"]) == (room, "o", code)
        await c.event("started", room=room)
        await c.error("seat_taken", "join", code=code)
        listing = await c.get("lobby", "lobby", on=True)
        assert room not in rooms_in(listing, "rooms") + rooms_in(listing, "seeks")
        await c.ack("leave", room=room)
        await c.error("not_found", "watch", room=room)


HIDDEN_FROM_STRANGERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("watch", {}),
    ("leave", {}),
    ("join", {}),
    ("move", {"game": 1, "ply": 0, "move": "a1"}),
    ("act", {"game": 1, "action": "resign"}),
    ("rematch", {}),
    ("say", {"text": "hi"}),
    ("resume", {"seq": 0}),
)


async def test_no_code_is_ever_given_twice(server: Server) -> None:
    async with player(server, "Anna") as a:
        codes = set()
        for _ in range(20):
            made = await a.room("create", game="tictactoe", opponent=INVITE)
            codes.add(made["code"])
            await a.ack("act", room=made["room"], game=1, action="abort")
        assert len(codes) == 20


async def test_the_games_of_an_invite_room_are_listed_to_its_players_only(server: Server) -> None:
    async with players(server, "Anna", "Bert") as (a, b):
        room = await seated_pair(a, b, opponent=INVITE)
        game = room["game"]["id"]
        assert (await http_get(server, f"/api/games/{game}"))[0] == 404
        assert (await http_get(server, f"/api/games/{game}", b.token))[0] == 200
        _, listing = await http_get(server, "/api/games?limit=200")
        assert game not in [entry["id"] for entry in listing["games"]]
        _, listing = await http_get(server, "/api/games?limit=200", a.token)
        assert game in [entry["id"] for entry in listing["games"]]


@pytest.mark.parametrize("at_once", [False, True], ids=["one by one", "at once"])
@pytest.mark.parametrize("kind", ["open", "player"])
async def test_three_seeks_or_challenges_a_player(server: Server, kind: str, at_once: bool) -> None:
    async with players(server, "Anna", "Bert") as (a, b), connection(server) as second:
        await second.hello(token=a.token)
        opponent = {"kind": kind} | ({"player": b.player["id"]} if kind == "player" else {})
        if at_once:
            sent = [
                (client, await client.send("create", game="tictactoe", seat="x", opponent=opponent))
                for client in (a, second) * 4
            ]
            answers = [await client.answer(number) for client, number in sent]
        else:
            answers = [
                await client.ask("create", game="tictactoe", seat="x", opponent=opponent) for client in (a, second) * 4
            ]
        assert sorted(answer["t"] for answer in answers) == ["error"] * 5 + ["room"] * 3
        assert {answer["code"] for answer in answers if answer["t"] == "error"} == {"not_now"}
        await a.room("create", game="tictactoe", opponent={"kind": "bot", "bot": "random"})
        [first, *_] = [answer["room"] for answer in answers if answer["t"] == "room"]
        await a.ack("act", room=first, game=1, action="abort")
        await a.room("create", game="tictactoe", seat="x", opponent=opponent)


async def test_a_seek_that_was_withdrawn_cannot_be_joined(server: Server) -> None:
    async with players(server, "Anna", "Bert") as (a, b):
        room = (await a.room("create", game="tictactoe"))["room"]
        await a.ack("act", room=room, game=1, action="abort")
        assert (await a.event("ended"))["termination"] == "aborted"
        answer = await b.ask("join", room=room)
        assert (answer["t"], answer["code"]) == ("error", "game_over")
        async with connection(server) as again:
            assert (await again.hello(token=a.token))["rooms"] == []


async def test_a_seek_has_nobody_to_move_against(server: Server) -> None:
    async with player(server, "Anna") as a:
        room = (await a.room("create", game="tictactoe", seat="x"))["room"]
        await a.error("not_your_turn", "move", room=room, game=1, ply=0, move="a1")
        for action in ("resign", "offer_draw", "offer_takeback", "claim_win"):
            await a.error("not_now", "act", room=room, game=1, action=action)
        assert (await a.room("join", room=room))["you"] is not None
        async with connection(server) as again:
            assert (await again.hello(token=a.token))["rooms"] == [room]


# Watching, presence, chat


async def test_spectators_are_counted(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl", "Dora") as (a, b, c, d):
        room = (await seated_pair(a, b))["room"]
        since = a.mark
        await c.room("watch", room=room)
        assert (await d.room("watch", room=room))["spectators"] == 2
        assert (await d.room("watch", room=room))["spectators"] == 2
        await a.until(lambda m: m["t"] == "spectators" and m["count"] == 2, since)
        await c.ack("leave", room=room)
        await d.close()
        await a.until(lambda m: m["t"] == "spectators" and m["count"] == 0, since)


async def test_who_left_hears_nothing_more(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        room = (await seated_pair(a, b))["room"]
        await c.room("watch", room=room)
        await c.ack("leave", room=room)
        since = c.mark
        await a.ack("move", room=room, game=1, ply=0, move="a1")
        await c.sync()
        assert [m["t"] for m in c.log[since:]] == ["pong"]
        await c.error("not_seated", "say", room=room, text="still here?")


async def test_spectators_are_not_told_the_legal_moves_nor_is_the_opponent(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        room = (await seated_pair(a, b))["room"]
        await c.room("watch", room=room)
        await a.ack("move", room=room, game=1, ply=0, move="a1")
        assert "legal" not in await c.event("moved")
        assert "legal" not in await a.event("moved")
        assert len((await b.event("moved"))["legal"]) == 8


async def test_chat_reaches_all_and_is_kept(server: Server) -> None:
    nasty = '<img src=x onerror=alert(1)> "quoted" \\ \u202e \U0001f600 \u0000\n'
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        room = (await seated_pair(a, b))["room"]
        await c.room("watch", room=room)
        ack = await a.ack("say", room=room, text=nasty)
        for client in (a, b, c):
            said = await client.event("said")
            assert (said["text"], said["seq"]) == (nasty, ack["seq"])
            assert said["by"] == {"id": a.player["id"], "name": "Anna"}
        await c.ack("say", room=room, text="x" * 300)
        [first, second] = (await b.room("watch", room=room))["chat"]
        assert (first["text"], second["by"]["name"], len(second["text"])) == (nasty, "Carl", 300)


async def test_the_last_hundred_lines_of_chat(server: Server) -> None:
    async with player(server, "Solo") as a:
        room = (await a.room("create", game="tictactoe", opponent=SELF))["room"]
        for number in range(105):
            await a.ack("say", room=room, text=f"line {number}")
        chat = (await a.room("watch", room=room))["chat"]
        assert [line["text"] for line in chat] == [f"line {number}" for number in range(5, 105)]


# The lobby


async def test_the_lobby_comes_at_most_once_a_second_and_can_be_switched_off(server: Server) -> None:
    async with players(server, "Anna", "Carl") as (a, watcher):
        await watcher.get("lobby", "lobby", on=True)
        since = watcher.mark
        loop = asyncio.get_running_loop()
        begun = loop.time()
        rooms = []
        for _ in range(10):
            rooms.append((await a.room("create", game="tictactoe", seat="x"))["room"])
            await a.ack("act", room=rooms[-1], game=1, action="abort")
        last = (await a.room("create", game="tictactoe", seat="x"))["room"]
        await watcher.until(lambda m: m["t"] == "lobby" and last in rooms_in(m, "seeks"), since)
        sent = sum(m["t"] == "lobby" for m in watcher.log[since:])
        assert sent <= loop.time() - begun + 2  # one may have been on its way when this began
        await watcher.get("lobby", "lobby", on=False)
        since = watcher.mark
        await a.ack("act", room=last, game=1, action="abort")
        async with connection(server) as late:
            await late.hello()
            await late.get("lobby", "lobby", on=True)
            here = late.mark
            other = (await a.room("create", game="tictactoe", seat="x"))["room"]
            await late.until(lambda m: m["t"] == "lobby" and other in rooms_in(m, "seeks"), here)
        assert not [m for m in watcher.log[since:] if m["t"] == "lobby"]


async def test_the_lists_of_the_lobby_end_at_fifty(server: Server) -> None:
    bot = {"kind": "bot", "bot": "random"}
    async with player(server, "Anna") as a:
        for _ in range(55):
            await a.room("create", game="qubic", seat="x", opponent=bot)
        listing = await a.get("lobby", "lobby", on=True)
        assert len(listing["rooms"]) == 50


# Resume


async def test_resume_replays_what_was_missed(server: Server) -> None:
    async with players(server, "Anna", "Bert") as (a, b), connection(server) as back:
        made = await seated_pair(a, b, "ultimate")
        room, seq = made["room"], made["seq"]
        a_side, b_side = Follower(a, made), Follower(b, await b.room("watch", room=room))
        await b.websocket.close()
        await a_side.play("5/5")
        await a.ack("say", room=room, text="are you there?")
        await back.hello(token=b.token)
        assert back.rooms == [room]
        ack = await back.ack("resume", room=room, seq=seq)
        missed = [await back.event("moved"), await back.event("said")]
        assert [event["seq"] for event in missed] == [seq + 1, seq + 2]
        assert ack["seq"] == seq + 2
        # As it is their turn, they are told the legal moves even so.
        assert sorted(missed[0]["legal"]) == sorted(f"5/{square}" for square in (1, 2, 3, 4, 6, 7, 8, 9))
        for event in missed:
            b_side.referee.take(event)
        await back.ack("move", room=room, game=1, ply=1, move="5/1", after=seq + 1)
        assert (await back.event("moved", ply=1))["seq"] == seq + 3


async def test_resume_without_a_gap_in_the_middle_of_a_stream(server: Server) -> None:
    """While others talk all the time, nothing is missing between the replay and what comes live."""
    async with players(server, "Anna", "Bert") as (a, b):
        room = (await seated_pair(a, b))["room"]
        talking = asyncio.create_task(talk(a, room, 150))
        for turn in range(12):
            async with connection(server) as back:
                await back.hello(token=b.token)
                await back.ack("resume", room=room, seq=1 + turn)
                await back.event("said")
                await back.sync()
        await talking


async def talk(client: Client, room: str, lines: int) -> None:
    for number in range(lines):
        await client.ack("say", room=room, text=str(number))


async def test_resume_at_the_present_replays_nothing(server: Server) -> None:
    async with players(server, "Anna", "Bert") as (a, b):
        made = await seated_pair(a, b)
        since = a.mark
        assert (await a.ack("resume", room=made["room"], seq=made["seq"]))["seq"] == made["seq"]
        await a.sync()
        # But who is here, and how many watch.
        assert {m["t"] for m in a.log[since:]} - {"spectators"} == {"ack", "present", "pong"}


async def test_resume_too_far_back_or_ahead_gets_the_room(server: Server) -> None:
    async with player(server, "Solo") as a, connection(server) as back:
        made = await a.room("create", game="tictactoe", opponent=SELF)
        room = made["room"]
        await a.room("resume", room=room, seq=made["seq"] + 1)
        await a.room("resume", room=room, seq=2**53)
        await talk(a, room, 260)
        seq = (await a.room("watch", room=room))["seq"]
        await back.hello(token=a.token)
        await back.room("resume", room=room, seq=0)
        await back.room("resume", room=room, seq=seq - 257)
        assert (await back.ack("resume", room=room, seq=seq - 256))["seq"] == seq
        await back.event("said", seq=seq)
        assert [m["seq"] for m in back.log if m["t"] == "event"] == list(range(seq - 255, seq + 1))


async def test_resume_makes_a_member(server: Server) -> None:
    async with players(server, "Anna", "Bert", "Carl") as (a, b, c):
        made = await seated_pair(a, b)
        await c.ack("resume", room=made["room"], seq=made["seq"])
        await a.ack("move", room=made["room"], game=1, ply=0, move="a1")
        assert (await c.event("moved"))["seq"] == made["seq"] + 1
