"""What is typed for clocks, links and seats, and sitting down."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from client.sdk import RequestRefused, connect
from client.sdk.room_view import room_view
from client.terminal.seating import (
    BadChoice,
    JoinNamed,
    JoinRoom,
    NotThere,
    WatchNamed,
    WatchRoom,
    game_or_seat,
    invitation_link,
    link_code,
    link_parts,
    parse_clock,
    rooms_after,
    seat_asked,
    sit_down,
    watch_asked,
)
from server.wire import (
    ClockSettings,
    Error,
    ErrorCode,
    Join,
    ListedPlayer,
    LobbyRequest,
    Offer,
    Result,
    RunningRoom,
    Watch,
)
from tests.support.terminal.fake_server import ME, FakeRoom, fake_server


@pytest.mark.parametrize(
    ("written", "clock"),
    [
        ("5+3", ClockSettings(initial_ms=300_000, increment_ms=3_000)),
        ("0.5+0", ClockSettings(initial_ms=30_000, increment_ms=0)),
        ("10", ClockSettings(initial_ms=600_000, increment_ms=0)),
        ("10s", ClockSettings(move_ms=10_000)),
        ("500 ms", ClockSettings(move_ms=500)),
        ("2m", ClockSettings(move_ms=120_000)),
        ("24h", ClockSettings(move_ms=86_400_000)),
        ("none", None),
    ],
)
def test_clocks(written: str, clock: ClockSettings | None) -> None:
    assert parse_clock(written) == clock


@pytest.mark.parametrize(
    ("written", "refusal"),
    [
        ("0+0", "The time for all moves must be 1 s to 3 h."),
        ("999+1", "The time for all moves must be 1 s to 3 h."),
        ("5+181", "The increment must be 0 s to 3 min."),
        ("50ms", "The time for a move must be 0.1 s to 24 h."),
    ],
)
def test_clocks_that_no_game_can_have(written: str, refusal: str) -> None:
    with pytest.raises(BadChoice, match=re.escape(refusal)):
        parse_clock(written)


@pytest.mark.parametrize("written", ["x", "5+", "+3", "-5+3", "5+3+1", "1e3", "5,3", "٣+٣"])
def test_bad_clocks(written: str) -> None:
    with pytest.raises(BadChoice, match="is not a clock"):
        parse_clock(written)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("abc", (None, "abc")),
        ("http://h:1/join/abc", ("http://h:1", "abc")),
        ("https://h/room/r1/", ("https://h", "r1")),
        ("https://h/room/r1#abc", ("https://h", "r1")),
        ("https://h/noughts/room/r1", ("https://h/noughts", "r1")),
    ],
)
def test_links(text: str, parts: tuple[str | None, str]) -> None:
    assert link_parts(text) == parts


@pytest.mark.parametrize(
    "text", ["http://h:1/", "http:///join/x", "http://[/x", "http://h:x/join/x", "ftp://h/room/r1"]
)
def test_bad_links(text: str) -> None:
    with pytest.raises(BadChoice, match="not a link"):
        link_parts(text)


@pytest.mark.parametrize("link", ["http://ada:s3cret@h/room/r1", "ada:s3cret@h/room/r1"])
def test_a_link_with_a_password_is_refused_without_showing_it(link: str) -> None:
    with pytest.raises(BadChoice, match="no user or password") as refused:
        link_parts(link)
    assert "s3cret" not in str(refused.value)


def test_a_player_may_be_called_like_an_address() -> None:
    assert link_parts("ada@home") == (None, "ada@home")


def test_an_invitation_is_a_room_with_its_code() -> None:
    link = invitation_link("http://h:1", "r1", "abc")
    assert link == "http://h:1/room/r1#abc"
    assert (link_parts(link), link_code(link)) == (("http://h:1", "r1"), "abc")
    assert game_or_seat(link) == JoinRoom(code="abc", room="r1")
    for plain in ("http://h:1/room/r1", "http://h:1/room/r1#", "r1#abc"):
        assert link_code(plain) is None


def test_a_room_is_come_back_to_while_something_may_happen_there() -> None:
    def left(result: Result | None = None, offers: tuple[Offer, ...] = ()) -> list[str]:
        view = replace(room_view(FakeRoom().room, ME.id), result=result, offers=offers)
        return rooms_after(["r1", "r2"], SimpleNamespace(id="r1", view=view))  # type: ignore[arg-type]

    over = Result(winner="x", termination="resignation")
    asked = (Offer(by="x", what="rematch"),)
    assert left() == left(result=over, offers=asked) == ["r2", "r1"]
    assert left(result=over) == ["r2"]


async def test_who_is_invited_and_comes_third_watches() -> None:
    connection = Invited("seat_taken")
    assert await sit_down(connection, JoinRoom(code="abc", room="r1")) == "watched r1 abc"  # type: ignore[arg-type, comparison-overlap]
    connection = Invited("not_found")
    with pytest.raises(NotThere, match="no longer valid: it expires after 24 hours"):
        await sit_down(connection, JoinRoom(code="abc", room="r1"))  # type: ignore[arg-type]
    connection = Invited("busy")
    with pytest.raises(RequestRefused):
        await sit_down(connection, JoinRoom(code="abc", room="r1"))  # type: ignore[arg-type]
    connection = Invited(None)
    assert await sit_down(connection, JoinRoom(code="abc", room="r1")) == "joined abc"  # type: ignore[arg-type, comparison-overlap]


class Invited:
    """A connection to a room that may refuse the seat."""

    def __init__(self, refusal: ErrorCode | None) -> None:
        self.refusal = refusal

    async def join(self, *, code: str) -> str:
        if self.refusal is not None:
            raise RequestRefused(self.refusal, "No.")
        return f"joined {code}"

    async def watch(self, room: str, code: str) -> str:
        return f"watched {room} {code}"


def _missing(request: object) -> Error:
    return Error(code="not_found", message="No.")


async def test_what_is_typed_to_join_is_a_code_or_a_room() -> None:
    async with fake_server() as server, connect(server.url) as connection:
        await sit_down(connection, JoinNamed("abc"))
        server.answers[Join] = lambda request: _missing(request) if request.code else server.room.snapshot()
        await sit_down(connection, JoinNamed("r1"))
        server.answers[Join] = _missing
        with pytest.raises(NotThere, match=r"'r2': no game, no room and no invitation.*ask for a new one"):
            await sit_down(connection, JoinNamed("r2"))
        asked = [(request.code, request.room) for request in server.requests(Join)]
    assert asked == [("abc", None), ("r1", None), (None, "r1"), ("r2", None), (None, "r2")]


async def test_a_room_that_is_gone() -> None:
    async with fake_server() as server, connect(server.url) as connection:
        server.answers |= {Join: _missing, Watch: _missing}
        for seating, said in (
            (JoinRoom(room="r2"), "is gone"),
            (WatchRoom("r2"), "is gone"),
            (WatchRoom("r2", "abc"), "no longer valid"),
            (JoinRoom(code="abc"), "no longer valid"),
        ):
            with pytest.raises(NotThere, match=said):
                await sit_down(connection, seating)


def test_who_watches_names_a_room_or_a_player() -> None:
    assert watch_asked("Ada Lovelace") == WatchNamed("Ada Lovelace")
    assert watch_asked("r1", "abc") == watch_asked("http://h/room/r1#abc") == WatchRoom("r1", "abc")
    assert watch_asked("http://h/room/r1") == WatchRoom("r1")


@pytest.mark.parametrize("asked", [seat_asked, watch_asked])
def test_a_link_to_a_recorded_game_leads_to_no_room(asked: Callable[[str], object]) -> None:
    with pytest.raises(BadChoice, match="'http://h/game/3' is the link to a recorded game: `noughts play replay`"):
        asked("http://h/game/3")


async def test_a_player_is_watched_by_name() -> None:
    ada, bob = ListedPlayer(id="p1", name="Ada", kind="person"), ListedPlayer(id="p2", name="Bob", kind="person")
    async with fake_server() as server, connect(server.url) as connection:
        server.lobby.rooms.append(RunningRoom(room="r7", game="qubic", x=ada, o=bob, plies=3, spectators=0))
        server.answers[Watch] = lambda request: server.room.snapshot() if request.room == "r7" else _missing(request)
        await sit_down(connection, WatchNamed("r7"))
        await sit_down(connection, WatchNamed("bob"))
        with pytest.raises(NotThere, match="no room 'Eve', and no running game of a player of this name"):
            await sit_down(connection, WatchNamed("Eve"))
        assert [request.room for request in server.requests(Watch)] == ["r7", "bob", "r7", "Eve"]
        assert [request.on for request in server.requests(LobbyRequest)] == [True, False] * 2
