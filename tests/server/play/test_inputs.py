"""Inputs, effects and requests are closed: whoever handles them handles every one."""

from __future__ import annotations

from typing import get_args, get_type_hints

from server.play.effects import Commit, Effect
from server.play.inputs import Input, PlayerRequest
from server.play.requests import REQUESTS
from server.play.session import Session
from server.rooms.connection import Connection
from server.rooms.room.room import Room
from server.wire import ClientMessage, RoomEvent


def test_a_session_handles_every_input() -> None:
    assert set(Session._INPUTS) == set(get_args(Input))


def test_a_session_handles_every_request_for_a_room() -> None:
    requests = get_args(get_type_hints(PlayerRequest)["request"])
    assert set(REQUESTS) == set(requests)
    assert set(requests) <= set(get_args(ClientMessage))


def test_a_room_carries_out_every_effect() -> None:
    assert set(Room._CARRY) == set(get_args(Effect)) - {Commit}, "a commit is answered before anything else"


def test_a_connection_takes_every_request() -> None:
    assert set(Connection._HANDLERS) == set(get_args(ClientMessage))


def test_events_are_told_apart_by_their_names() -> None:
    names = [event.__struct_config__.tag for event in get_args(RoomEvent)]
    assert len(set(names)) == len(names)
