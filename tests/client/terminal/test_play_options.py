"""What a subcommand of `noughts play` and its options come to."""

from __future__ import annotations

import pytest

from client.terminal import command
from client.terminal.play_options import Settings, cannot_draw
from client.terminal.seating import JoinNamed, JoinRoom, NewRoom, WatchNamed, WatchRoom
from server.wire import BotLimit, ClockSettings
from tests.support.terminal.commands import asked, play

__all__ = ["asked"]


def new_room(asked: list[Settings], line: str) -> NewRoom:
    assert play(line) == 0
    seating = asked.pop().seating
    assert isinstance(seating, NewRoom)
    return seating


def test_a_bot(asked: list[Settings]) -> None:
    room = new_room(asked, "bot alphabeta:3 --game qubic --seat o --clock 5+3 --limit depth=4 --start a1.1 --rated")
    assert room.opponent is not None
    assert (room.game, room.opponent.kind, room.opponent.bot, room.seat) == ("qubic", "bot", "alphabeta:3", "o")
    assert room.clock == ClockSettings(initial_ms=300_000, increment_ms=3_000)
    assert (room.limit, room.start, room.rated, room.pace) == (BotLimit(depth=4), ("a1.1",), True, None)
    plain = new_room(asked, "bot")
    assert plain.opponent is not None
    assert (plain.game, plain.opponent.bot, plain.limit, plain.clock) == ("tictactoe", "level:3", None, None)


@pytest.mark.parametrize(
    ("written", "limit"),
    [
        ("2s", BotLimit(move_ms=2_000)),
        ("500ms", BotLimit(move_ms=500)),
        ("move_ms=500", BotLimit(move_ms=500)),
        ("nodes=1000", BotLimit(nodes=1000)),
        ("depth=4", BotLimit(depth=4)),
    ],
)
def test_limits(asked: list[Settings], written: str, limit: BotLimit) -> None:
    assert new_room(asked, f"bot random --limit {written}").limit == limit


@pytest.mark.parametrize("way", ["invite", "open", "self"])
def test_people(asked: list[Settings], way: str) -> None:
    room = new_room(asked, f"{way} --game super --clock 10s --start 5/5")
    assert room.opponent is not None
    assert (room.game, room.opponent.kind, room.opponent.bot, room.start) == ("super", way, None, ("5/5",))
    assert room.clock == ClockSettings(move_ms=10_000)


def test_two_bots(asked: list[Settings]) -> None:
    room = new_room(asked, "bots random alphabeta --limit 500ms --human-pace")
    assert (room.opponent, room.bots, room.pace) == (None, ("random", "alphabeta"), "human")


@pytest.mark.parametrize(
    ("line", "server", "seating"),
    [
        ("join CODE", None, JoinNamed("CODE")),
        ("join -abcdefghijklmnopqrstu --guest", None, JoinNamed("-abcdefghijklmnopqrstu")),
        ("join http://h:1/join/CODE", "http://h:1", JoinRoom(code="CODE")),
        ("join http://h:1/room/r1", "http://h:1", JoinRoom(room="r1")),
        ("join http://h:4/room/r1#C", "http://h:4", JoinRoom(code="C", room="r1")),
        ("watch Ada", None, WatchNamed("Ada")),
        ("watch r1 --code C", None, WatchRoom("r1", "C")),
        ("watch http://h:4/room/r1", "http://h:4", WatchRoom("r1")),
        ("watch http://h:4/room/r1#C", "http://h:4", WatchRoom("r1", "C")),
    ],
)
def test_rooms(asked: list[Settings], line: str, server: str | None, seating: object) -> None:
    assert play(line) == 0
    assert (asked[0].server, asked[0].seating) == (server or command.DEFAULT_SERVER, seating)


def test_a_replay(asked: list[Settings]) -> None:
    assert play("replay http://h:3/game/7") == 0
    assert (asked[0].server, asked[0].seating.number) == ("http://h:3", 7)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("term", "cannot"), [("dumb", True), ("unknown", True), ("xterm-256color", False), ("linux", False), (None, False)]
)
def test_terminals_that_only_take_lines(term: str | None, cannot: bool) -> None:
    assert cannot_draw(term) is cannot
