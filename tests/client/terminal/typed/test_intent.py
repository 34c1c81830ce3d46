"""Moves that are not made yet: planned ones, and those that wait to be confirmed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.sdk import RoomView
from client.sdk.room_view import room_view
from client.terminal.preferences import Preferences, Setting
from client.terminal.typed.commands import NotNow
from client.terminal.typed.intent import Intent
from server.wire import Result
from tests.support.terminal.fake_server import ME, FakeRoom


def preferring(*switched: Setting) -> Preferences:
    preferences = Preferences()
    for setting in switched:
        preferences.switch(setting)
    return preferences


def playing(moves: str, game: str = "tictactoe") -> RoomView:
    """We are O, so after an even number of moves the opponent is to move."""
    room = FakeRoom(game, you="o")
    room.room.game.moves = moves.split()
    return room_view(room.room, ME.id)


def planned(moves: str = "a1 b1", move: str = "c3") -> Intent:
    intent = Intent(Preferences())
    assert intent.wish(move, playing(moves)) == "planned"
    return intent


def test_a_plan_waits_and_is_played_after_one_move() -> None:
    intent = planned()
    assert intent.follow(playing("a1 b1")) == ("kept", "c3")
    assert intent.follow(playing("a1 b1 c1")) == ("play", "c3")
    assert intent.planned is None
    assert intent.follow(playing("a1 b1 c1")) is None


def test_a_later_plan_takes_the_place_of_the_first() -> None:
    intent = planned()
    intent.wish("b3", playing("a1 b1"))
    assert intent.follow(playing("a1 b1 c1")) == ("play", "b3")


@pytest.mark.parametrize(
    ("view", "missed", "fate"),
    [
        (playing("a1 b1 c3"), False, "illegal"),
        (playing("a1 b2 c1"), False, "gone"),
        (playing("a1"), False, "gone"),
        (playing("a1 b1 c1"), True, "gone"),
        (playing("a1 b1 c1 a2"), False, "gone"),
        (replace(playing("a1 b1"), serial=2), False, "gone"),
        (replace(playing("a1 b1 c1"), result=Result(winner="o", termination="resignation")), False, "gone"),
    ],
)
def test_plans_that_come_to_nothing(view: RoomView, missed: bool, fate: str) -> None:
    intent = planned()
    assert intent.follow(view, missed) == (fate, "c3")
    assert intent.planned is None


def test_a_plan_goes_with_premoves() -> None:
    preferences = Preferences()
    intent = Intent(preferences)
    intent.wish("c3", playing("a1 b1"))
    preferences.switch("premove")
    assert intent.follow(playing("a1 b1 c1")) == ("gone", "c3")


def test_what_cannot_be_planned() -> None:
    with pytest.raises(NotNow, match="a1 is taken and cannot be a premove"):
        planned(move="a1")
    won = playing("1/1 1/2 2/2 2/1 1/4 4/1 1/7 7/2", "ultimate")  # X owns board 1
    with pytest.raises(NotNow, match="1/3 is in board 1, which is closed"):
        Intent(Preferences()).wish("1/3", won)
    with pytest.raises(NotNow, match="opponent's turn"):
        Intent(preferring("premove")).wish("c3", playing("a1 b1"))
    with pytest.raises(NotNow, match="watching"):
        Intent(Preferences()).wish("c3", replace(playing("a1 b1"), me="p9"))


def test_a_move_to_confirm_takes_two_touches_of_the_same_cell() -> None:
    intent, view = Intent(preferring("confirm")), playing("a1")
    assert [intent.wish(move, view) for move in ("b2", "c3", "c3", "c3")] == ["asked", "asked", "play", "asked"]
    intent.follow(playing("a1 c3 b1"))
    assert intent.asked is None


def test_forgetting() -> None:
    assert planned().forget()
    assert not Intent(Preferences()).forget()
