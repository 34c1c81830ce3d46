"""What stands above a board: the game, and who sits there with which clock."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.text import Text

from client.sdk import ConnectionState, RoomView
from client.sdk.room_view import room_view
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.nameplates import NEAR_THE_END_MS, heading, seat
from server.wire import ClockView, RatingView, Seat, Side
from tests.support.terminal.fake_server import ME, FakeRoom
from tests.support.terminal.views import O_VIEW, SPECTATOR, VIEW, WAITING

CONNECTED = ConnectionState(True, "connected")
LOST = ConnectionState(False, "Connection lost; reconnecting.")
CLOCK = ClockView(x_ms=9_500, o_ms=125_000, running="x", initial_ms=300_000, increment_ms=3_000)
RATED = Seat(
    id="p2", name="Bob", kind="person", present=False, rating=RatingView(value=1490, deviation=200, provisional=True)
)


def styled(text: Text) -> dict[str, str]:
    """Its pieces, and how they look."""
    return {text.plain[span.start : span.end].strip(): str(span.style) for span in text.spans}


@pytest.mark.parametrize(
    ("view", "side", "left_ms", "shown"),
    [
        (VIEW, "x", None, "▶ X Ada (you)"),
        (VIEW, "o", None, "  O Bob"),
        (O_VIEW, "x", 9_500, "▶ X 9.5  Bob"),
        (O_VIEW, "o", 125_000, "  O 2:05  Ada (you)"),
        (SPECTATOR, "x", None, "▶ X Ada"),
        (WAITING, "o", 60_000, "  O nobody yet"),
        (room_view(FakeRoom(opponent=RATED).room, ME.id), "o", None, "  O Bob 1490? (away)"),
    ],
)
def test_a_seat_shows_who_is_to_move_with_which_clock(
    view: RoomView, side: Side, left_ms: int | None, shown: str
) -> None:
    assert seat(view, side, left_ms, Look()).plain == shown


def test_marks_and_signs_are_those_of_the_terminal() -> None:
    assert seat(VIEW, "x", None, Look(("@", "#"), ascii=True)).plain == "> @ Ada (you)"
    assert seat(VIEW, "o", None, Look(("@", "#"))).plain.startswith("  # ")


def test_the_last_seconds_are_red() -> None:
    assert styled(seat(VIEW, "x", NEAR_THE_END_MS - 1, Look()))["9.9"] == "bold red"
    assert styled(seat(VIEW, "x", NEAR_THE_END_MS, Look()))["10.0"] == "bold"


def test_the_heading_tells_the_game_and_what_is_unusual() -> None:
    assert heading(VIEW, False, CONNECTED, None).plain == "Tic-tac-toe · no clock  ● connected"
    timed = room_view(FakeRoom("qubic", clock=CLOCK).room, ME.id)
    told = heading(replace(timed, rated=True, me=None, spectators=3), True, CONNECTED, 12).plain
    assert told == "Qubic · 5+3 · rated · watching · 3 spectators · chat muted  ● connected 12 ms"
    assert heading(WAITING, False, CONNECTED, None).plain == "Tic-tac-toe  ● connected", "its clock is not set yet"


def test_a_lost_connection_comes_first_and_is_red() -> None:
    told = heading(VIEW, False, LOST, 12)
    assert told.plain == "○ Connection lost; reconnecting.  Tic-tac-toe · no clock"
    assert styled(told)["○ Connection lost; reconnecting."] == "bold red"
