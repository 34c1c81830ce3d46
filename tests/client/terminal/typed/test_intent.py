"""Moves that are not made yet: planned ones, and those that wait to be confirmed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from client.sdk import RoomView
from client.sdk.room_view import room_view
from client.terminal.full_screen.board import BoardView
from client.terminal.preferences import Preferences
from client.terminal.typed.commands import NotNow
from client.terminal.typed.intent import Intent
from server.wire import Move, Result, TakenBack
from tests.support.terminal.fake_server import ME, FakeRoom
from tests.support.terminal.plain_table import table
from tests.support.terminal.screen import screen


def preferring(*switched: str) -> Preferences:
    preferences = Preferences()
    for setting in switched:
        preferences.switch(setting)  # type: ignore[arg-type]
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


# The full screen


async def test_a_planned_move_is_shown_cancelled_and_played() -> None:
    async with screen(FakeRoom(you="o"), size=(100, 17)) as seen:
        await seen.type("b2")
        await seen.until("Premove: b2; Escape cancels it.")
        assert "{O}" in seen.shown("#board")
        await seen.pilot.press("escape")
        await seen.until("Premove cancelled", "#log")
        assert "{O}" not in seen.shown("#board")
        await seen.pilot.press("up", "up", "right", "enter")
        await seen.settles(lambda: "Premove: " in seen.shown("#turn"))
        await seen.type("c3")
        await seen.until("Premove: c3")
        await seen.server.opponent_moves("a1")
        assert (await seen.server.hears(Move)).move == "c3"
        await seen.until("c3", "#moves")
        assert "Premove" not in seen.shown("#turn")


async def test_a_plan_that_the_opponent_spoils() -> None:
    async with screen(FakeRoom(you="o")) as seen:
        await seen.type("b2")
        await seen.server.opponent_moves("b2")
        await seen.until("Premove b2 cancelled: it is no longer legal.")
        await seen.type("c1", "c3")
        await seen.server.happens(TakenBack(ply=0, moves=[], clock=None, to_move="x"))
        await seen.until("Premove cancelled:", "#log")
        assert [move.move for move in seen.server.requests(Move)] == ["c1"]


async def test_confirmed_moves_by_mouse_keys_and_typing() -> None:
    async with screen(size=(100, 17)) as seen:
        seen.server.replies = ["a1", "a2"]
        await seen.type("/confirm", "b2")
        await seen.until("b2? Enter or a second click plays it, Escape cancels.")
        assert "{X}" in seen.shown("#board")
        await seen.pilot.press("escape", "enter")
        await seen.until("Your turn")
        board = seen.app.screen.query_one(BoardView)
        line, column, _ = board._picture.cells[8]
        await seen.pilot.click("#board", offset=(column, line))
        await seen.until("c3?")
        assert not seen.server.requests(Move)
        await seen.pilot.click("#board", offset=(column, line))
        await seen.until("c3     a1", "#moves")
        await seen.type("b2")
        await seen.until("b2?")
        await seen.pilot.press("enter")
        await seen.until("b2     a2", "#moves")


async def test_settings_are_switched_on_their_screen() -> None:
    async with screen(FakeRoom(you="o")) as seen:
        await seen.pilot.press("f10", "enter", "down", "enter", "escape")
        await seen.type("b2")
        await seen.until("opponent's turn")
        assert "Confirm moves: on. " not in seen.shown("#log")
        await seen.server.opponent_moves("a1")
        await seen.until("Your turn")
        await seen.type("b2")
        await seen.until("b2?")


# Lines


async def test_plans_and_questions_in_lines() -> None:
    typed = ("b2", "/cancel", "/cancel", "/settings", "/confirm")
    async with table(*typed, room=FakeRoom(you="o"), interactive=True) as at:
        game = asyncio.create_task(at.game.run())
        await at.tells("Confirm moves: off")
        await at.tells("Confirm moves: on.")
        for told in ("Premove: b2; /cancel cancels it.", "Premove cancelled.", "There is no premove to cancel."):
            await at.tells(told)
        at.typed.type("c3")
        await at.tells("Premove: c3")
        await at.server.opponent_moves("a1")
        assert (await at.server.hears(Move)).move == "c3"
        await at.server.opponent_moves("a2")
        at.typed.type("b2")
        await at.tells("b2? Enter plays it; anything else replaces it.")
        at.typed.type("")
        assert (await at.server.hears(Move, 2)).move == "b2"
        at.typed.type("/quit")
        assert await game == 1


async def test_a_pipe_means_what_it_says() -> None:
    async with table("b2", None, replies=["a1"], preferences=preferring("confirm")) as at:
        await at.game.run()
        assert [move.move for move in at.server.requests(Move)] == ["b2"]
