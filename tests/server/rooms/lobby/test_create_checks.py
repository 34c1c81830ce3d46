"""What a room may be asked to be, and what it becomes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots.player import Limit
from engine.rules.position import Rules
from server.rooms.members import Origin
from server.rooms.refused import Refused
from server.wire import (
    BotLimit,
    Bots,
    ClockSettings,
    Create,
    Opponent,
    RefusedField,
)
from server.workers.engines.engine import Engine
from tests.support.rooms.fakes import World, created
from tests.support.rooms.lobby_guests import BOT, member, refusal
from tests.support.rooms.session_driver import ANN, BLITZ, BOB


class PickyBot:
    """A bot that plays little and takes no limit."""

    name = "picky"

    def plays(self, rules: Rules) -> bool:
        return rules.id != "qubic"

    def takes(self, limit: Limit) -> str | None:
        return "picky takes no limit."


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Create(game="nim"), "bad_game"),
        (Create(game="mnk:2,2,9"), "bad_game"),
        (Create(game=""), "bad_game"),
        (Create(game="mnk:3,3,4"), "bad_game"),
        (Create(game="mnk:21,3,3"), "bad_game"),
        (Create(game="mnk:3,3"), "bad_game"),
        (Create(game="mnk:3,3,3,3"), "bad_game"),
        (Create(game="mnk:-3,3,3"), "bad_game"),
        (Create(game="mnk:\u0663,3,3"), "bad_game"),
        (Create(game="cube:6"), "bad_game"),
        (Create(game="qubic:4"), "bad_game"),
        (Create(game="Qubic"), "bad_game"),
        (Create(game="x" * 4000), "bad_game"),
        (Create(game="qubic", clock=ClockSettings()), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=999)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=1_000, move_ms=1_000)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(increment_ms=1_000)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(move_ms=10**4000)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=10_800_001)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=10**30)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=1_000, increment_ms=-1)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=1_000, increment_ms=180_001)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(move_ms=99)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(move_ms=86_400_001)), "bad_clock"),
        (Create(game="qubic", seat="none"), "malformed"),
        (Create(game="qubic", seat="none", opponent=BOT), "malformed"),
        (Create(game="qubic", seat="x", bots=Bots(x="random", o="random")), "malformed"),
        (Create(game="qubic", bots=Bots(x="random", o="random"), opponent=BOT), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="bot")), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="open", bot="random")), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="player")), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="random", player="1")), "malformed"),
        (
            Create(game="qubic", seat="none", bots=Bots(x="random", o="random"), opponent=Opponent(kind="open")),
            "malformed",
        ),
        (Create(game="qubic", opponent=Opponent(kind="self", player=BOB.id)), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="player", player=ANN.id)), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="player", player=f"0{ANN.id}")), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="77")), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="nobody")), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="9" * 30)), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="\u0661")), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="nobody")), "unknown_bot"),
        (Create(game="qubic", bots=Bots(x="random", o="nobody")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="alphabeta:999999")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="alphabeta:0")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="random:1")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="")), "unknown_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit()), "malformed"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(depth=1, nodes=1)), "malformed"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(depth=0)), "bad_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(depth=-1)), "bad_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(nodes=-1)), "bad_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(nodes=10**30)), "bad_bot"),
        (Create(game="qubic", rated=True), "malformed"),
        (Create(game="qubic", rated=True, clock=BLITZ, opponent=Opponent(kind="self")), "malformed"),
        (Create(game="qubic", rated=True, clock=BLITZ, bots=Bots(x="random", o="random")), "malformed"),
        (Create(game="tictactoe", rated=True, clock=BLITZ, start=["a1"]), "malformed"),
        (Create(game="qubic", rated=True, bots=Bots(x="random", o="alphabeta")), "malformed"),
        (Create(game="tictactoe", start=["a1", "z9"]), "malformed"),
        (Create(game="tictactoe", start=["A1"]), "malformed"),
        (Create(game="tictactoe", start=["a1", "a1"]), "illegal_move"),
        (Create(game="tictactoe", start=["a1", "b1", "a2", "b2", "a3"]), "illegal_move"),
        (Create(game="tictactoe", start=["a1", "b1", "a2", "b2", "a3", "c3"]), "illegal_move"),
    ],
    ids=str,
)
async def test_what_cannot_be_made(request_: Create, code: str) -> None:
    lobby = World().lobby()
    assert await refusal(lobby, member(lobby, ANN), request_) == code


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (Create(game="nim"), RefusedField(name="game")),
        (Create(game="tictactoe", start=["z9"]), RefusedField(name="start")),
        (Create(game="qubic", rated=True), RefusedField(name="rated")),
        (Create(game="qubic", clock=ClockSettings()), RefusedField(name="clock")),
        (
            Create(game="qubic", clock=ClockSettings(initial_ms=999)),
            RefusedField(name="clock.initial_ms", least=1_000, most=10_800_000),
        ),
        (
            Create(game="qubic", clock=ClockSettings(initial_ms=1_000, increment_ms=180_001)),
            RefusedField(name="clock.increment_ms", least=0, most=180_000),
        ),
        (
            Create(game="qubic", clock=ClockSettings(move_ms=99)),
            RefusedField(name="clock.move_ms", least=100, most=86_400_000),
        ),
        (Create(game="qubic", opponent=BOT, limit=BotLimit()), RefusedField(name="limit")),
        (
            Create(game="qubic", opponent=BOT, limit=BotLimit(depth=0)),
            RefusedField(name="limit.depth", least=1, most=1000),
        ),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="nobody")), RefusedField(name="opponent.bot")),
        (Create(game="qubic", bots=Bots(x="random", o="nobody")), RefusedField(name="bots.o")),
        (Create(game="qubic", opponent=Opponent(kind="player", player="77")), RefusedField(name="opponent.player")),
    ],
    ids=str,
)
async def test_a_refusal_names_its_field_and_what_would_be_right(request_: Create, field: RefusedField) -> None:
    lobby = World().lobby()
    with pytest.raises(Refused) as caught:
        await lobby.create(Origin(member(lobby, ANN), None), request_)
    assert caught.value.field == field


async def test_a_clock_may_leave_its_increment_out() -> None:
    lobby = World().lobby()
    room = await created(lobby, member(lobby, ANN), Create(game="qubic", clock=ClockSettings(initial_ms=1_000)))
    assert room.session.spec.clock == ClockSettings(initial_ms=1_000, increment_ms=0)


@pytest.mark.parametrize("seat", ["x", "o", "random", None])
async def test_the_creator_sits_where_it_asks(seat: Any) -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    room = await created(lobby, ann, Create(game="qubic", seat=seat, opponent=BOT), id=3)
    (shown,) = [message for message in ann.take() if message["t"] == "room"]
    assert shown["id"] == 3
    assert shown["you"] == (seat if seat in ("x", "o") else shown["you"])
    assert room.session.sides(ANN.id) == (shown["you"],)
    assert shown["seats"]["o" if shown["you"] == "x" else "x"]["bot"] == "random"


@pytest.mark.parametrize("pace", [None, "human"])
async def test_the_pace_that_is_asked_for_is_the_rooms(pace: Any) -> None:
    lobby = World().lobby()
    room = await created(lobby, member(lobby, ANN), Create(game="qubic", opponent=BOT, pace=pace))
    assert room.session.spec.pace == pace


async def test_bots_play_while_the_creator_watches() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    await created(lobby, ann, Create(game="qubic", seat="none", bots=Bots(x="random", o="alphabeta:2")))
    (shown,) = ann.take()
    assert (shown["you"], shown["seats"]["x"]["bot"], shown["game"]["started"]) == (None, "random", True)
    assert shown["seats"]["o"]["bot"].startswith("alphabeta:2")


async def test_on_one_screen_one_sits_on_both_sides() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="self")))
    (shown,) = ann.take()
    assert (shown["you"], shown["game"]["started"]) == ("both", True)


@pytest.mark.parametrize("request_", [Create(game="qubic"), Create(game="tictactoe", limit=BotLimit(depth=1))])
async def test_a_bot_that_does_not_play_so(monkeypatch: pytest.MonkeyPatch, request_: Create) -> None:
    monkeypatch.setattr(World, "bot", lambda world, name: PickyBot())
    lobby = World().lobby()
    request = replace(request_, opponent=Opponent(kind="bot", bot="picky"))
    assert await refusal(lobby, member(lobby, ANN), request) == "bad_bot"


async def test_a_bot_that_follows_its_games_takes_no_start_and_no_takeback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "bot", lambda world, name: Engine("tame", "tame", "/", "codingame").bot)
    lobby = World().lobby()
    tame = Opponent(kind="bot", bot="tame")
    ann = member(lobby, ANN)
    assert await refusal(lobby, ann, Create(game="tictactoe", opponent=tame, start=["b2"])) == "bad_bot"
    room = await created(lobby, ann, Create(game="tictactoe", opponent=tame))
    assert not room.session.spec.takebacks


@pytest.mark.parametrize("clock", [ClockSettings(move_ms=1_999), ClockSettings(initial_ms=1_999, increment_ms=180_000)])
async def test_a_clock_leaves_a_bot_the_time_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, clock: ClockSettings
) -> None:
    monkeypatch.setattr(World, "bot", lambda world, name: Engine("tame", "tame", "/", "codingame", move_ms=2_000).bot)
    lobby = World().lobby()
    request = Create(game="tictactoe", opponent=Opponent(kind="bot", bot="tame"), clock=clock)
    with pytest.raises(Refused) as refused:
        await created(lobby, member(lobby, ANN), request)
    assert (refused.value.code, refused.value.field) == ("bad_bot", RefusedField(name="clock"))
    assert str(refused.value) == "tame cannot be told its time: a limit must leave it its 2000 ms for a move."
    await created(lobby, member(lobby, ANN), replace(request, clock=ClockSettings(move_ms=2_000)))


async def test_moves_may_be_taken_back_from_all_others() -> None:
    lobby = World().lobby()
    room = await created(lobby, member(lobby, ANN), Create(game="tictactoe", opponent=BOT))
    assert room.session.spec.takebacks
