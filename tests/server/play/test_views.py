"""What a viewer is shown of a session."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.registry import rules
from engine.stats.glicko import PERIOD_MS, Rating
from server.play.inputs import Opened, PlayerDisconnected, PlayerRenamed
from server.play.requests import ABSENT_MS
from server.play.views import (
    carries_legal,
    presence_view,
    rating_view,
    room_view,
    running_view,
    seat_view,
    seek_view,
    viewer_side,
)
from server.wire import CHAT_LINES, Join, ListedPlayer, Player, RatingView, Room, RunningRoom, Say, Seek
from server.wire.codec import encode
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, LONG, Driver, bot_seat, seat


def listed(player: Player, rating: RatingView | None = None) -> ListedPlayer:
    return ListedPlayer(id=player.id, name=player.name, kind=player.kind, rating=rating)


def shown(room: Driver, viewer: Player = ANN, **more: Any) -> Room:
    settings: dict[str, Any] = {"code": None, "is_present": lambda player: True, "spectators": 0, "ts": 99}
    return room_view(room.session, viewer.id, now_ms=room.now_ms, **(settings | more))


# Seats


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("now", [True, False])
def test_presence_is_that_of_now(kept: bool, now: bool) -> None:
    sits = seat(ANN)
    sits.present = kept
    view = seat_view(sits, lambda player: now and player == ANN.id)
    assert view is not None
    assert view.present == now
    assert sits.present == kept, "the session's own seat stays as it was"


def test_bots_are_always_there_and_free_seats_are_null() -> None:
    view = seat_view(bot_seat(), lambda player: False)
    assert view is not None
    assert view.present
    assert seat_view(None, lambda player: True) is None


def test_which_side_a_viewer_holds() -> None:
    assert [viewer_side(Driver().session, player.id) for player in (ANN, BOB, EVE)] == ["x", "o", None]
    assert viewer_side(Driver(o=ANN, kind="self").session, ANN.id) == "both"
    assert viewer_side(Driver(o=bot_seat()).session, "9") is None, "nobody holds a bot's seat"


# Rooms


def test_a_waiting_room() -> None:
    room = Driver(o=None, clock=BLITZ, rated=True)
    view = shown(room, id=7)
    assert (view.id, view.room, view.seq, view.ts) == (7, "room1", 1, 99)
    assert (view.seats.o, view.you, view.rated, view.spectators) == (None, "x", True, 0)
    assert (view.game.started, view.game.id, view.game.to_move, view.game.legal) == (False, None, None, [])
    assert view.clock is not None
    assert (view.clock.x_ms, view.clock.o_ms, view.clock.running) == (60_000, 60_000, None)


def test_a_running_room() -> None:
    room = Driver(clock=BLITZ, start=["a1"])
    room.now_ms += 2_000
    view = shown(room, EVE, spectators=3)
    assert (view.you, view.spectators) == (None, 3)
    assert (view.game.to_move, view.game.start, view.game.moves) == ("o", ["a1"], [])
    assert len(view.game.legal) == 8
    assert view.clock is not None
    assert (view.clock.x_ms, view.clock.o_ms, view.clock.running) == (60_000, 58_000, "o")
    assert (view.clock.initial_ms, view.clock.increment_ms) == (60_000, 1_000)


def test_a_finished_room_shows_its_result_and_line() -> None:
    room = Driver()
    room.play("a1 b1 a2 b2 a3")
    game = shown(room).game
    assert (game.to_move, game.legal, game.last, game.line) == (None, [], "a3", ["a1", "a2", "a3"])
    assert game.result is not None
    assert (game.result.winner, game.result.termination) == ("x", "line")


def test_forced_boards_are_counted_from_1() -> None:
    room = Driver(game="ultimate")
    assert shown(room).game.forced is None, "a free choice"
    room.play("5/3")
    assert shown(room).game.forced == 3
    assert set(shown(room).game.legal) == {f"3/{square}" for square in range(1, 10)}


def test_no_clock_is_null() -> None:
    assert shown(Driver()).clock is None


def test_the_code_is_for_those_who_sit() -> None:
    room = Driver(o=None, kind="invite")
    assert shown(room, ANN, code="c0de").code == "c0de"
    assert shown(room, EVE, code="c0de").code is None
    room.ask(BOB, Join(code="c0de"))
    assert shown(room, BOB, code="c0de").code == "c0de"


def test_offers_and_the_last_100_lines_of_chat() -> None:
    room = Driver()
    for number in range(CHAT_LINES + 5):
        room.ask(EVE, Say(room="room1", text=str(number)))
    room.act(ANN, "offer_draw")
    view = shown(room)
    assert [(offer.by, offer.what) for offer in view.offers] == [("x", "draw")]
    assert [line.text for line in view.chat] == [str(number) for number in range(5, CHAT_LINES + 5)]
    assert view.chat[0].by.name == "Eve"


@pytest.mark.parametrize(
    ("game", "carried"),
    [("tictactoe", True), ("qubic", True), ("mnk:9,9,5", True), ("mnk:9,10,5", False), ("gomoku", False)],
)
def test_which_games_carry_legal_moves(game: str, carried: bool) -> None:
    assert (rules(game).cells <= 81) == carried
    room = Driver(game=game)
    assert carries_legal(room.session), "a game's first list is never an empty one"
    room.move(ANN, rules(game).texts[0])
    assert carries_legal(room.session) == carried


@pytest.mark.parametrize("game", ["nine-board", "ultimate", "super"])
def test_nested_games_carry_legal_moves(game: str) -> None:
    assert carries_legal(Driver(game=game).session)


# The lobby's rows


@pytest.mark.parametrize(("x", "o", "side"), [(ANN, None, "x"), (None, ANN, "o")])
def test_a_seek(x: Player | None, o: Player | None, side: Any) -> None:
    room = Driver(x, o, clock=BLITZ, rated=True)
    assert seek_view(room.session) == Seek(
        room="room1", game="tictactoe", clock=BLITZ, rated=True, by=listed(ANN), seat=side
    )


def test_a_running_game() -> None:
    room = Driver(o=bot_seat())
    room.move(ANN, "a1")
    assert running_view(room.session, 2) == RunningRoom(
        room="room1",
        game="tictactoe",
        x=listed(ANN),
        o=listed(Player(id="9", name="random", kind="bot")),
        plies=1,
        spectators=2,
    )


def test_a_running_game_with_its_board() -> None:
    room = Driver(o=bot_seat(), clock=BLITZ)
    assert running_view(room.session, 0, board=True).board == "." * 9
    room.move(ANN, "b1")
    row = running_view(room.session, 0, board=True)
    assert (row.board, row.owners, row.last, row.clock) == (".x.......", None, "b1", BLITZ)


def test_a_board_begins_with_the_start_and_goes_back_with_a_takeback() -> None:
    room = Driver(start=["a1", "b1"])
    row = running_view(room.session, 0, board=True)
    assert (row.board, row.last, row.plies) == ("xo.......", None, 0)
    room.move(ANN, "c3")
    room.act(ANN, "offer_takeback")
    room.act(BOB, "accept_takeback")
    assert running_view(room.session, 0, board=True).board == "xo......."


def test_the_board_of_a_nested_game_tells_who_won_each_board_first() -> None:
    """In super O has a line too in the board that X won: only the order of the moves says whose it is."""
    start = ["1/1", "1/4", "4/1", "1/7", "7/1", "1/5", "5/5", "5/1", "1/2", "2/1", "1/3", "3/3", "3/1"]
    room = Driver(game="super", start=start)
    room.move(BOB, "1/6")
    row = running_view(room.session, 0, board=True)
    assert row.board is not None
    assert (len(row.board), row.board[:9]) == (81, "xxxoooo..")
    assert (row.owners, row.last) == ("x........", "1/6")


def test_rows_show_the_name_of_today() -> None:
    anna = Player(id=ANN.id, name="Anna", kind="person")
    waiting, running = Driver(o=None), Driver()
    for room in (waiting, running):
        room.send(PlayerRenamed(anna))
    assert seek_view(waiting.session).by == listed(anna)
    assert running_view(running.session, 0).x == listed(anna)


def test_rows_show_the_ratings_of_seats() -> None:
    strong, weak = RatingView(value=1712, deviation=60), RatingView(value=1490, deviation=200, provisional=True)
    waiting, running = Driver(o=None, open=False), Driver(open=False)
    for room in (waiting, running):
        room.prepare({ANN.id: strong, BOB.id: weak})
        room.send(Opened("1"))
    assert seek_view(waiting.session).by == listed(ANN, strong)
    row = running_view(running.session, 0)
    assert (row.x, row.o) == (listed(ANN, strong), listed(BOB, weak))
    seats = shown(running).seats
    assert seats.x is not None
    assert seats.o is not None
    assert (seats.x.rating, seats.o.rating) == (strong, weak)


def test_a_rating_is_shown_rounded_and_as_uncertain_as_it_is_by_now() -> None:
    rating = Rating(rating=1512.6, deviation=59.7, games=40, updated_ms=1_000)
    assert rating_view(rating, 2_000) == RatingView(value=1513, deviation=60)
    later = rating_view(rating, 2_000 + 100 * PERIOD_MS)
    assert (later.value, later.provisional) == (1513, True)
    assert later.deviation > 110


def test_a_room_tells_where_no_move_is_taken_back() -> None:
    assert b"takebacks" not in encode(shown(Driver(ANN, bot_seat(), kind="bot")))
    assert b'"takebacks":false' in encode(shown(Driver(ANN, bot_seat(), kind="bot", takebacks=False)))


# Absence


def test_both_are_warned_that_absence_may_lose() -> None:
    assert shown(Driver(clock=LONG)).absent_ms == ABSENT_MS
    assert shown(Driver(o=None, clock=LONG)).absent_ms == ABSENT_MS, "before the game too"
    assert shown(Driver()).absent_ms is None
    assert shown(Driver(ANN, bot_seat(), kind="bot", clock=LONG)).absent_ms is None
    assert shown(Driver(ANN, ANN, kind="self", clock=LONG)).absent_ms is None


def claims(room: Driver) -> tuple[int | None, int | None]:
    """When a win may be claimed from X, and from O."""
    seats = shown(room).seats
    assert seats.x is not None
    assert seats.o is not None
    return seats.x.claim_ms, seats.o.claim_ms


def test_it_is_shown_from_when_a_win_may_be_claimed() -> None:
    room = Driver(clock=LONG)
    room.send(PlayerDisconnected(BOB.id))
    room.now_ms += 20_000
    assert claims(room) == (None, ABSENT_MS - 20_000)
    assert presence_view(room.session, "o", False, room.now_ms).claim_ms == ABSENT_MS - 20_000
    assert presence_view(room.session, "o", True, room.now_ms).claim_ms is None
    room.now_ms += 2 * ABSENT_MS
    assert claims(room) == (None, 0)
    room.act(ANN, "claim_win")
    assert claims(room) == (None, None)
