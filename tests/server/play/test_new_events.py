"""What may happen next in a room, as events that are to be committed."""

from __future__ import annotations

from engine.search.decision import Decision
from server.play.effects import MoveStats
from server.play.inputs import Ticket
from server.play.new_events import another_game, ended, moved, seated, started, taken_back
from server.wire import Ended, Moved, RatingView, Seated
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, Driver, seat


def test_who_sits_down_shows_the_rating_that_is_known_without_its_last_change() -> None:
    room = Driver().session
    assert seated(room, "x", seat(ANN)).seat.rating is None
    room.ratings = {ANN.id: RatingView(value=1600, deviation=50, change=12)}
    assert seated(room, "x", seat(ANN)).seat.rating == RatingView(value=1600, deviation=50)


def test_a_start_has_its_ticket_and_stands_still() -> None:
    room = Driver(clock=BLITZ, start=["b2"]).session
    room.ticket = Ticket(id=77, seed=5)
    event = started(room, 3)
    assert (event.game.serial, event.game.id, event.seed, event.game.start) == (3, 77, 5, ["b2"])
    assert event.game.to_move == "o"
    assert event.clock is not None
    assert (event.clock.x_ms, event.clock.o_ms, event.clock.running) == (60_000, 60_000, "o")


def test_a_rematch_swaps_sides() -> None:
    room = Driver().session
    room.ticket = Ticket(id=2, seed=1)
    x, o, start = another_game(room)
    assert isinstance(x, Seated)
    assert isinstance(o, Seated)
    assert [(x.side, x.seat.id), (o.side, o.seat.id)] == [("x", BOB.id), ("o", ANN.id)]
    assert start == started(room, 2)


def test_a_move_with_the_clock_after_it_and_the_search_behind_it() -> None:
    room = Driver(clock=BLITZ).session
    decision = Decision(move=4, nodes=10, depth=2, value=0.0, proven=True, pv=(4, 0))
    position = room.game.position.play(4)
    (move,) = moved(room, position, "x", 5_000, MoveStats(4, decision=decision))
    assert isinstance(move, Moved)
    assert move.clock is not None
    assert move.search is not None
    assert (move.ply, move.move, move.by, move.think_ms, move.to_move) == (0, "b2", "x", 5_000, "o")
    assert move.clock.x_ms == 60_000 - 5_000 + 1_000
    assert (move.search.pv, move.search.proven, move.search.depth) == (["b2", "a1"], True, 2)
    (plain,) = moved(room, position, "x", 5_000, MoveStats(4, decision=Decision(move=4, depth=0)))
    assert isinstance(plain, Moved)
    assert plain.search is None, "it did not search"


def test_a_move_that_ends_the_game_brings_its_end() -> None:
    room = Driver()
    room.play("a1 b1 a2 b2")
    session = room.session
    cell = session.rules.parse_move("a3")
    move, end = moved(session, session.game.position.play(cell), "x", 0, MoveStats(cell))
    assert isinstance(move, Moved)
    assert move.to_move is None
    assert end == Ended(winner="x", termination="line", clock=None, line=["a1", "a2", "a3"])


def test_an_end_between_moves_stops_the_clock() -> None:
    room = Driver(clock=BLITZ)
    clock = ended(room.session, "o", "resignation", room.now_ms + 3_000).clock
    assert clock is not None
    assert (clock.x_ms, clock.o_ms, clock.running) == (57_000, 60_000, None)
    assert ended(Driver(clock=BLITZ, o=None).session, None, "aborted", 0).clock is None, "it has not begun"


def test_a_takeback_is_what_was_before() -> None:
    room = Driver(clock=BLITZ)
    room.play("a1 b1 a2")
    event = taken_back(room.session, 2)
    assert (event.ply, event.moves, event.to_move) == (1, ["a1"], "o")
